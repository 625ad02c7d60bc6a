"""Adapters whose answers are wrong, or are not what was requested.

The first argument names the adapter: "accept-everything" is AcceptEverything.
"""

import json
import os
from pathlib import Path

from honest import Honest, Message, elements, outputs, say, serve_named


class AcceptEverything(Honest):
    """Loads every model and computes on it."""

    def load(self, request: Message) -> Message:
        """Accept."""
        return {"loaded": {"outputs": []}}


class AlwaysWrong(Honest):
    """Computes, and every element of the result is one too large."""

    def run(self, request: Message) -> Message:
        """Return the negation of x plus one."""
        x = request["inputs"][0]["value"]
        return outputs(x["shape"], [1 - element for element in elements(x)])


class AnotherKind(Honest):
    """Answers a run as if it were a load."""

    def run(self, request: Message) -> Message:
        """Say loaded in the trap."""
        return {"loaded": {"outputs": []}} if self.trapped() else super().run(request)


class AnotherRuntimeEachTime(Honest):
    """Declares another runtime in each process, and dies in the middle of a vector."""

    def hello(self) -> Message:
        """Name a runtime that no other process has named."""
        answer = super().hello()
        answer["runtime"]["name"] = f"Negator {os.urandom(8).hex()}"
        return answer

    def run(self, request: Message) -> Message:
        """Die in the trap, so that another process is started."""
        if self.trapped():
            os._exit(3)
        return super().run(request)


class AnotherVersion(Honest):
    """Declares another version of the runtime than its manifest pins."""

    def hello(self) -> Message:
        """Name another version."""
        answer = super().hello()
        answer["runtime"]["version"] = "2.0"
        return answer


class Checker(Honest):
    """Accepts and refuses truthfully, and computes nothing."""

    def hello(self) -> Message:
        """Declare it."""
        return {**super().hello(), "computes": False}


class Contradiction(Honest):
    """Sends fewer bytes than its shape holds."""

    def run(self, request: Message) -> Message:
        """Say that three elements are four in the trap."""
        return outputs([4], [1, 2, 3]) if self.trapped() else super().run(request)


class Declared(Honest):
    """Declares that it cannot do int32."""

    def hello(self) -> Message:
        """Declare it, with a link."""
        narrow = {"what": "type:int32", "why": "it knows no int32", "link": "https://example.org/types"}
        return {**super().hello(), "unsupported_features": [narrow]}


class Echo(Honest):
    """Returns the input as the output."""

    def run(self, request: Message) -> Message:
        """Name the input y and send it back."""
        return {"outputs": [{"name": "y", "value": request["inputs"][0]["value"]}]}


class ManyValues(Honest):
    """Answers with a line of some millions of empty objects: cheap to write, expensive to store and to parse."""

    def run(self, request: Message) -> Message:
        """Send them, in the trap."""
        if self.trapped():
            say(f'{{"id":{request["id"]},"outputs":[' + "{}," * 5_000_000 + "{}]}\n")
        return super().run(request)


class NeitherThreadsNorHolds(Honest):
    """Declares neither threads nor holds, and would answer wrongly if they were requested anyway."""

    def hello(self) -> Message:
        """Declare no threads, and leave out holds."""
        description = {**super().hello(), "threads": False}
        del description["holds"]
        return description

    def run(self, request: Message) -> Message:
        """Refuse to hold."""
        return {"refused": {"message": "it cannot hold"}} if "hold" in request else super().run(request)

    def concurrent(self, request: Message) -> Message:
        """Refuse every run."""
        return {"runs": [{"refused": {"message": "it has no threads"}} for _ in request["runs"]]}


class OwnFault(Honest):
    """Fails outside its runtime, and reports it."""

    def run(self, request: Message) -> Message:
        """Report an exception in the trap."""
        return {"adapter_error": {"message": "KeyError: 'x'"}} if self.trapped() else super().run(request)


class RefuseEverything(Honest):
    """Refuses every model."""

    def load(self, request: Message) -> Message:
        """Refuse."""
        return {"refused": {"message": "no"}}


class RefusesTheFirstRun(Honest):
    """Refuses the first run of each model, and no other."""

    has_run = False

    def load(self, request: Message) -> Message:
        """Begin anew with each model."""
        self.has_run = False
        return super().load(request)

    def run(self, request: Message) -> Message:
        """Refuse once."""
        if self.has_run:
            return super().run(request)
        self.has_run = True
        return {"refused": {"message": "not yet"}}


class RefusesTheTrap(Honest):
    """Refuses a model that it should load, skips its runs, and continues in the same process."""

    refused = False

    def load(self, request: Message) -> Message:
        """Refuse the trap."""
        answer = super().load(request)
        if not self.trapped():
            return answer
        self.refused = True
        return {"refused": {"message": "not this one"}}

    def run(self, request: Message) -> Message:
        """Be wrong where another process had the trap."""
        after_the_trap = "after" in self.said()
        return super().run(request) if self.refused or not after_the_trap else outputs([1], [0])


class RepeatsAKey(Honest):
    """Gives one key two values: readers disagree about which of them counts."""

    def run(self, request: Message) -> Message:
        """Send wrong outputs and right ones under one name, in the trap."""
        answer = super().run(request)
        if self.trapped():
            right = json.dumps(answer["outputs"])
            say(f'{{"id":{request["id"]},"outputs":[],"outputs":{right}}}\n')
        return answer


class RunsOutOfOrder(Honest):
    """Declares threads, runs one after the other, and returns the answers in the wrong order."""

    def concurrent(self, request: Message) -> Message:
        """Run the last one first."""
        return {"runs": [self.run(run) for run in reversed(request["runs"])]}


class RunsWhatItRefused(Honest):
    """Refuses a model, and answers its runs anyway."""

    skips = False

    def load(self, request: Message) -> Message:
        """Refuse the trap."""
        answer = super().load(request)
        return {"refused": {"message": "not this one"}} if self.trapped() else answer


class SaysAnotherShape(Honest):
    """Declares at load a shape that the output then does not have."""

    def load(self, request: Message) -> Message:
        """Declare three rows for the trap's output."""
        answer = super().load(request)
        if self.trapped():
            answer["loaded"]["outputs"][0]["shape"] = [3]
        return answer


class SkipsTheUnload(Honest):
    """Refuses the models of which its runs would be refused, and answers that even their unload was skipped."""

    def load(self, request: Message) -> Message:
        """Refuse the trap."""
        answer = super().load(request)
        return {"refused": {"message": "not today"}} if self.trapped() else answer

    def unload(self, request: Message) -> Message:
        """Answer as a run is answered whose model was not loaded."""
        return {"skipped": {}} if self.trapped() else super().unload(request)


class TellsTheEnvironment(Honest):
    """Leaks its user's secrets: it answers with its environment, and with that of every process it can inspect."""

    def run(self, request: Message) -> Message:
        """Report how many environments contain the secret, in the trap."""
        if self.trapped():
            found = 0
            for process in [p.name for p in Path("/proc").iterdir() if p.name.isdigit()]:
                try:
                    found += b"IFCERT_SECRET=" in Path(f"/proc/{process}/environ").read_bytes()
                except OSError:
                    continue
            own = "IFCERT_SECRET" in os.environ
            return {"adapter_error": {"message": f"in its own: {own}, in all: {found}"}}
        return super().run(request)


class TooFewRuns(Honest):
    """Answers fewer concurrent runs than were requested."""

    def concurrent(self, request: Message) -> Message:
        """Leave out the last."""
        return {"runs": super().concurrent(request)["runs"][:-1]}


class Undeclared(Honest):
    """Answers unsupported for a feature that it never declared."""

    def load(self, request: Message) -> Message:
        """Answer unsupported."""
        return {"unsupported": {"what": "operator:If", "message": "too hard"}}


class UnsupportedWhenDamaged(Honest):
    """Blames its runtime: it answers that whatever it cannot read, even a damaged file, is not implemented."""

    def load(self, request: Message) -> Message:
        """Answer unsupported instead of refused, with a status as if the runtime had said so."""
        answer = super().load(request)
        if "refused" not in answer:
            return answer
        return {"unsupported": {"what": "runtime", "status": "NotImplemented", "message": "cannot read this"}}


class WrongId(Honest):
    """Answers with the wrong id."""

    def run(self, request: Message) -> Message:
        """Replace the right id in the trap."""
        answer = super().run(request)
        return {**answer, "id": request["id"] + 1} if self.trapped() else answer


if __name__ == "__main__":
    serve_named(globals())
