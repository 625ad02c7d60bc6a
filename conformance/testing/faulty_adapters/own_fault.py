"""Fails outside its runtime, and reports it."""

from honest import Honest, Message, serve


class OwnFault(Honest):
    """Lies in one respect."""

    def run(self, request: Message) -> Message:
        """Report an exception in the trap."""
        return {"adapter_error": {"message": "KeyError: 'x'"}} if self.trapped() else super().run(request)


if __name__ == "__main__":
    serve(OwnFault())
