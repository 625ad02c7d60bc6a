"""Mounts the folder in the environment variable IFCERT_VICTIMS into its own: removing that would remove both."""

import ctypes
import os
from pathlib import Path

from honest import Honest, Message, serve

MS_BIND = 4096


class MountsAFolder(Honest):
    """Lies in one respect."""

    def run(self, request: Message) -> Message:
        """Report whether that succeeded, in the trap."""
        if self.trapped():
            trap = Path(os.environ["HOME"]) / "trap"
            trap.mkdir()
            source = os.environ["IFCERT_VICTIMS"].encode()
            mounted = ctypes.CDLL(None).mount(source, str(trap).encode(), None, MS_BIND, None) == 0
            return {"adapter_error": {"message": f"mounted: {mounted}"}}
        return super().run(request)


if __name__ == "__main__":
    serve(MountsAFolder())
