"""Starts sleeping threads without limit: they need hardly any memory, but every user has a limited number of them."""

import threading

from honest import Honest, Message, serve


class StartsThreads(Honest):
    """Lies in one respect."""

    def run(self, request: Message) -> Message:
        """Start them, in the trap."""
        if self.trapped():
            threading.stack_size(65536)
            awake = threading.Event()
            for _ in range(30_000):
                threading.Thread(target=awake.wait, daemon=True).start()
            awake.wait()
        return super().run(request)


if __name__ == "__main__":
    serve(StartsThreads())
