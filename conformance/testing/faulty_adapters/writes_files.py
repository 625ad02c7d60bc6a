"""Writes where it is allowed to: into its HOME, its TMPDIR and its folder."""

import os
import pathlib

from honest import Honest, Message, serve


class WritesFiles(Honest):
    """Lies in one respect."""

    def run(self, request: Message) -> Message:
        """Report where, in the trap."""
        if self.trapped():
            for place in (os.environ["HOME"], os.environ["TMPDIR"], "."):
                folder = pathlib.Path(place) / "deep" / "er"
                folder.mkdir(parents=True, exist_ok=True)
                (folder / "file").write_text("x")
            return {"adapter_error": {"message": os.environ["HOME"]}}
        return super().run(request)


if __name__ == "__main__":
    serve(WritesFiles())
