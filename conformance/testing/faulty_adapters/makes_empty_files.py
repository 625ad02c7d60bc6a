"""Creates empty files without limit: their names alone fill the memory of its folders."""

import os

from honest import Honest, Message, serve


class MakesEmptyFiles(Honest):
    """Lies in one respect."""

    def run(self, request: Message) -> Message:
        """Create them, in the trap."""
        if self.trapped():
            for number in range(2_000_000):
                os.mknod(f"/tmp/{number}")
        return super().run(request)


if __name__ == "__main__":
    serve(MakesEmptyFiles())
