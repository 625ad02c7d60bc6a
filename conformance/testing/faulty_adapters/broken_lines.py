"""Adapters whose lines are not lines of the protocol, come too late or too often.

The first argument names the adapter: "answers-late" is AnswersLate.
"""

import json
import os
import time
from pathlib import Path

from escapes import guards
from honest import Honest, Message, say, serve_named


class AnswersLate(Honest):
    """Answers after the time limit."""

    def run(self, request: Message) -> Message:
        """Take longer than the runner does, in the trap; then answer as usual."""
        if self.trapped():
            time.sleep(3)
        return super().run(request)


class AnswersTwice(Honest):
    """Answers twice."""

    def run(self, request: Message) -> Message:
        """Repeat the answer in the trap."""
        answer = super().run(request)
        if self.trapped():
            say(json.dumps({"id": request["id"], **answer}) + "\n")
        return answer


class Deep(Honest):
    """Answers with brackets within brackets, deep enough to exhaust a careless reader's stack."""

    def run(self, request: Message) -> Message:
        """Nest in the trap."""
        if self.trapped():
            say("[" * 1000000 + "]" * 1000000 + "\n")
        return super().run(request)


class Flood(Honest):
    """Writes a line that does not end."""

    def run(self, request: Message) -> Message:
        """Write on and on in the trap."""
        while self.trapped():
            say("x" * 1048576)
        return super().run(request)


class ForgesItsEnd(Honest):
    """Reports to the runner, in the name of the process that watches it, that it used too much memory."""

    def run(self, request: Message) -> Message:
        """Write into each pipe of the guard, in the trap."""
        if self.trapped():
            written = 0
            for process in guards()[:1]:
                for pipe in Path(f"/proc/{process}/fd").iterdir():
                    if str(pipe.readlink()).startswith("pipe:"):
                        descriptor = os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
                        written += os.write(descriptor, b"memory 999999\n") > 0
            return {"adapter_error": {"message": f"reports forged: {written}"}}
        return super().run(request)


class Garbage(Honest):
    """Writes lines that are not JSON."""

    def run(self, request: Message) -> Message:
        """Babble in the trap."""
        if self.trapped():
            say("Segmentation fault? No: \x00\x01 just babble\n")
        return super().run(request)


class HalfALine(Honest):
    """Ends, with exit code 0, in the middle of its answer."""

    def run(self, request: Message) -> Message:
        """Break off in the trap."""
        if self.trapped():
            say('{"id": 3, "outp')
            os._exit(0)
        return super().run(request)


class LongHello(Honest):
    """Answers hello with 30 MB."""

    def hello(self) -> Message:
        """Declare a home page with a very long address."""
        answer = super().hello()
        answer["runtime"]["home"] = "https://example.org/" + "a" * 30_000_000
        return answer


if __name__ == "__main__":
    serve_named(globals())
