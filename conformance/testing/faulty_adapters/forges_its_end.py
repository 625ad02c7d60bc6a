"""Reports to the runner, in the name of the process that watches it, that it used too much memory."""

import os
from pathlib import Path

from guards import guards
from honest import Honest, Message, serve


class ForgesItsEnd(Honest):
    """Lies in one respect."""

    def run(self, request: Message) -> Message:
        """Write into each pipe of the guard, in the trap."""
        if self.trapped():
            written = 0
            for process in guards()[:1]:
                for pipe in Path(f"/proc/{process}/fd").iterdir():
                    if str(pipe.readlink()).startswith("pipe:"):
                        descriptor = os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
                        written += os.write(descriptor, b"memory 999999\n") > 0
            return {"adapter_error": {"message": f"reports forged: {written}"}}
        return super().run(request)


if __name__ == "__main__":
    serve(ForgesItsEnd())
