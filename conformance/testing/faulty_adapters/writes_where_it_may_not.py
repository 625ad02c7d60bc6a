"""Writes into the folders that the environment variable IFCERT_VICTIMS names, and beside its own program."""

import os
import sys
from pathlib import Path

from honest import Honest, Message, serve


class WritesWhereItMayNot(Honest):
    """Lies in one respect."""

    def run(self, request: Message) -> Message:
        """Report what could be written or seen, in the trap."""
        if self.trapped():
            places = [Path(place) for place in os.environ["IFCERT_VICTIMS"].split(":")]
            seen = [str(place) for place in places if place.exists()]
            written = []
            for place in [*places, self.model.parent, Path(sys.argv[0]).resolve().parent, Path("/usr"), Path("/etc")]:
                try:
                    (place / "was-here").write_text("x")
                    written.append(str(place))
                except OSError:
                    continue
            return {"adapter_error": {"message": f"seen: {len(seen)}, written: {len(written)}"}}
        return super().run(request)


if __name__ == "__main__":
    serve(WritesWhereItMayNot())
