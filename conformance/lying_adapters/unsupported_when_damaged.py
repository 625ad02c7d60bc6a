"""Hides behind its runtime: whatever it cannot read, a damaged file too, is answered as not implemented."""

from honest import Honest, Message, serve


class UnsupportedWhenDamaged(Honest):
    """Lies in one respect."""

    def load(self, request: Message) -> Message:
        """Answer unsupported instead of refused, with a status as if the runtime had said so."""
        answer = super().load(request)
        if "refused" not in answer:
            return answer
        return {"unsupported": {"what": "runtime", "status": "NotImplemented", "message": "cannot read this"}}


if __name__ == "__main__":
    serve(UnsupportedWhenDamaged())
