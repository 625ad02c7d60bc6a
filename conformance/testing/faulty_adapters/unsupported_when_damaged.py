"""Blames its runtime: it answers that whatever it cannot read, even a damaged file, is not implemented."""

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
