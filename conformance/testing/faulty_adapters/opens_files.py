"""Opens files without limit."""

from honest import Honest, Message, serve


class OpensFiles(Honest):
    """Lies in one respect."""

    def run(self, request: Message) -> Message:
        """Report the error that stopped it, in the trap."""
        kept = []
        trapped = self.trapped()
        while trapped:
            try:
                kept.append(open("/dev/null"))  # noqa: PTH123, SIM115
            except OSError as error:
                return {"adapter_error": {"message": f"{len(kept)} files: {error}"}}
        return super().run(request)


if __name__ == "__main__":
    serve(OpensFiles())
