"""Dies when a model is unloaded that it accepted though it is illegal, or that it reported as unsupported."""

import os

from honest import Honest, Message, serve


class DiesAfterItsAnswer(Honest):
    """Lies in one respect."""

    def load(self, request: Message) -> Message:
        """Accept the illegal model; report the trap as unsupported, with a status as if the runtime had said so."""
        answer = super().load(request)
        if self.trapped():
            return {"unsupported": {"what": "runtime", "status": "NotImplemented", "message": "cannot read this"}}
        return {"loaded": {"outputs": []}} if "refused" in answer else answer

    def unload(self, request: Message) -> Message:
        """Die after either."""
        if self.trapped() or not self.said().startswith("negate"):
            os.abort()
        return super().unload(request)


if __name__ == "__main__":
    serve(DiesAfterItsAnswer())
