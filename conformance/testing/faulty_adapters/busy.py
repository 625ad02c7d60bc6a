"""Uses a second of processor time for each run, as is allowed: it is not charged for other vectors."""

import time

from honest import Honest, Message, serve


class Busy(Honest):
    """Honest, and slow."""

    def run(self, request: Message) -> Message:
        """Compute for a second."""
        end = time.process_time() + 1
        while time.process_time() < end:
            pass
        return super().run(request)


if __name__ == "__main__":
    serve(Busy())
