"""Refuses the models of which its runs would be refused, and answers that even their unload was skipped."""

from honest import Honest, Message, serve


class SkipsTheUnload(Honest):
    """Lies in one respect."""

    def load(self, request: Message) -> Message:
        """Refuse the trap."""
        answer = super().load(request)
        return {"refused": {"message": "not today"}} if self.trapped() else answer

    def unload(self, request: Message) -> Message:
        """Answer as a run is answered whose model was not loaded."""
        return {"skipped": {}} if self.trapped() else super().unload(request)


if __name__ == "__main__":
    serve(SkipsTheUnload())
