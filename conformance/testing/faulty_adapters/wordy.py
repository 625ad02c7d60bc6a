"""Says 60 MB where a few words belong. Its second argument names the place."""

import json
import sys

from honest import Honest, Message, say

PIECE = 1_000_000
PIECES = 60
PORT = '"loaded":{"outputs":[{"name":"'
OUTPUT = '{"name":"' + "n" * 3900 + '","value":{"kind":"other","is":"i"}}'
VALUE = '"outputs":[{"name":"y","value":{"kind":"tensor","type":'

# For each place: the request that is answered so, and the text before, in and after the long word.
PLACES: dict[str, tuple[str, str, str, str]] = {
    "message": ("load", '"refused":{"message":"', "m", '"}}'),
    "control characters": ("load", '"refused":{"message":"', "\\u0001\\u202e....", '"}}'),
    "feature": ("load", '"unsupported":{"what":"', "w", '","message":"m"}}'),
    "status": ("load", '"unsupported":{"what":"w","message":"m","status":"', "s", '"}}'),
    "own fault": ("load", '"adapter_error":{"message":"', "m", '"}}'),
    "name": ("load", PORT, "n", '","type":null,"shape":null}]}}'),
    "dimension": ("load", PORT + 'y","type":null,"shape":["', "d", '"]}]}}'),
    "dimensions": ("load", PORT + 'y","type":null,"shape":[1', ",1", "]}]}}"),
    "key": ("load", '"', "k", '":0}'),
    "no JSON": ("load", "", "x", ""),
    "type": ("run", VALUE + '"', "t", '","shape":[],"data":"AA=="}}]}'),
    "data": ("run", VALUE + '"float32","shape":[2],"data":"', "AAAA", '"}}]}'),
    "string": ("run", VALUE + '"string","shape":[],"strings":["', "AQEB", '"]}}]}'),
    "strings": ("run", VALUE + '"string","shape":[2],"strings":[""', ',""', "]}}]}"),
    "outputs": ("run", '"outputs":[', OUTPUT + ",", OUTPUT + "]}"),
    "other value": ("run", '"outputs":[{"name":"y","value":{"kind":"other","is":"', "i", '"}}]}'),
}


def main() -> None:
    """Load every model and refuse every run, but for the lie that the process was started for."""
    command, before, text, after = PLACES.get(sys.argv[2], ("", "", "", ""))
    loaded = False
    for line in sys.stdin:
        request = json.loads(line)
        if request["cmd"] == "bye":
            return
        if request["cmd"] == "hello":
            say(json.dumps({"hello": Honest().hello()}) + "\n")
        elif request["cmd"] == command:
            loaded = "outputs" in before
            say(f'{{"id":{request["id"]},{before}')
            for _ in range(PIECES):
                say(text * (PIECE // len(text)))
            say(after + "\n")
        else:
            loaded = loaded or request["cmd"] == "load"
            say(json.dumps({"id": request["id"], **usual_answer(request["cmd"], loaded)}) + "\n")


def usual_answer(command: str, loaded: bool) -> Message:
    """Answer without a lie; standard error is filled meanwhile where that is the lie."""
    if command == "load" and sys.argv[2] == "standard error":
        for _ in range(PIECES):
            sys.stderr.write("e" * PIECE)
    if command == "run":
        return {"refused": {"message": "it computes nothing"}} if loaded else {"skipped": {}}
    return {"loaded": {"outputs": []}} if command == "load" else {"unloaded": {}}


if __name__ == "__main__":
    main()
