"""Computes, and dies when the model is unloaded."""

import os

from honest import Honest, Message, serve


class CrashAtUnload(Honest):
    """Lies in one respect."""

    def unload(self, request: Message) -> Message:
        """Die in the trap."""
        if self.trapped():
            os.abort()
        return super().unload(request)


if __name__ == "__main__":
    serve(CrashAtUnload())
