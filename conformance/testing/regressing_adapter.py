"""An adapter for tests: the reference, which refuses every model in some versions of an invented runtime."""

ADAPTER = """
import json, pathlib, subprocess, sys

%s

honest = subprocess.Popen([sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
for line in sys.stdin:
    request = json.loads(line)
    if request["cmd"] == "load" and broken:
        answer = {"id": request["id"], "refused": {"message": "a regression"}}
    elif request["cmd"] in ("run", "reread") and broken:
        answer = {"id": request["id"], "skipped": {}}
    else:
        honest.stdin.write(line)
        if request["cmd"] == "bye":
            break
        answer = json.loads(honest.stdout.readline())
        if "hello" in answer:
            answer["hello"] |= {"adapter": name, "formats": ["onnx"]}
            answer["hello"]["runtime"]["version"] = version
    print(json.dumps(answer), flush=True)
"""


def regressing_adapter(setup: str) -> str:
    """Its source; `setup` are statements that define its `name`, its `version` and whether that is `broken`.

    Its first argument is the reference's adapter; the setup may read others.
    """
    return ADAPTER % setup.strip()
