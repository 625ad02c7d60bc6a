"""Gives one key two values: readers disagree about which of them counts."""

import json

from honest import Honest, Message, say, serve


class RepeatsAKey(Honest):
    """Lies in one respect."""

    def run(self, request: Message) -> Message:
        """Send wrong outputs and right ones under one name, in the trap."""
        answer = super().run(request)
        if self.trapped():
            right = json.dumps(answer["outputs"])
            say(f'{{"id":{request["id"]},"outputs":[],"outputs":{right}}}\n')
        return answer


if __name__ == "__main__":
    serve(RepeatsAKey())
