"""Looks for a key in the session's keyring, which a login passes to everything that it starts, and leaves one there."""

import ctypes
import platform

from honest import Honest, Message, serve

ADD_KEY, KEYCTL = (248, 250) if platform.machine() == "x86_64" else (217, 219)
SESSION, SEARCH = -3, 10


class FindsKeys(Honest):
    """Lies in one respect."""

    def run(self, request: Message) -> Message:
        """Report whether the user's key was found, in the trap."""
        if self.trapped():
            syscall = ctypes.CDLL(None).syscall
            found = syscall(KEYCTL, SEARCH, SESSION, b"user", b"ifcert-secret", 0) > 0
            syscall(ADD_KEY, b"user", b"ifcert-liar", b"x", 1, SESSION)
            return {"adapter_error": {"message": f"key found: {found}"}}
        return super().run(request)


if __name__ == "__main__":
    serve(FindsKeys())
