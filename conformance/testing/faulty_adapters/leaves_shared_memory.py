"""Leaves shared memory behind, of both kinds."""

import ctypes
from pathlib import Path

from honest import Honest, Message, serve

KEY = 0x1FCE27
IPC_CREAT = 0o1000


class LeavesSharedMemory(Honest):
    """Lies in one respect."""

    def run(self, request: Message) -> Message:
        """Create it, in the trap."""
        if self.trapped():
            Path("/dev/shm/ifcert-liar").write_text("x")
            segment = ctypes.CDLL(None).shmget(KEY, 4096, IPC_CREAT | 0o600)
            return {"adapter_error": {"message": f"shared memory made: {segment >= 0}"}}
        return super().run(request)


if __name__ == "__main__":
    serve(LeavesSharedMemory())
