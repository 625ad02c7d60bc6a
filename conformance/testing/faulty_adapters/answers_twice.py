"""Answers twice."""

import json

from honest import Honest, Message, say, serve


class Twice(Honest):
    """Lies in one respect."""

    def run(self, request: Message) -> Message:
        """Repeat the answer in the trap."""
        answer = super().run(request)
        if self.trapped():
            say(json.dumps({"id": request["id"], **answer}) + "\n")
        return answer


if __name__ == "__main__":
    serve(Twice())
