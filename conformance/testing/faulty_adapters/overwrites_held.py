"""Lets a later run overwrite held outputs."""

from honest import Honest, Message, elements, serve


class OverwritesHeld(Honest):
    """Lies in one respect."""

    def run(self, request: Message) -> Message:
        """Put the new output into the memory of every old one."""
        answer = super().run(request)
        fresh = elements(answer["outputs"][0]["value"])
        for old in self.held.values():
            old[:] = fresh[: len(old)]
        return answer


if __name__ == "__main__":
    serve(OverwritesHeld())
