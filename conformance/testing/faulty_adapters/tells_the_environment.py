"""Leaks its user's secrets: it answers with its environment, and with that of every process it can inspect."""

import os
from pathlib import Path

from honest import Honest, Message, serve


class TellsTheEnvironment(Honest):
    """Lies in one respect."""

    def run(self, request: Message) -> Message:
        """Report how many environments contain the secret, in the trap."""
        if self.trapped():
            found = 0
            for process in [p.name for p in Path("/proc").iterdir() if p.name.isdigit()]:
                try:
                    found += b"IFCERT_SECRET=" in Path(f"/proc/{process}/environ").read_bytes()
                except OSError:
                    continue
            own = "IFCERT_SECRET" in os.environ
            return {"adapter_error": {"message": f"in its own: {own}, in all: {found}"}}
        return super().run(request)


if __name__ == "__main__":
    serve(TellsTheEnvironment())
