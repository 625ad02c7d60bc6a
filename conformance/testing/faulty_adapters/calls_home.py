"""Looks for other machines."""

import pathlib

from honest import Honest, Message, serve


class CallsHome(Honest):
    """Lies in one respect."""

    def run(self, request: Message) -> Message:
        """List the networks, in the trap."""
        if self.trapped():
            lines = pathlib.Path("/proc/self/net/dev").read_text().splitlines()[2:]
            return {"adapter_error": {"message": "networks: " + ",".join(line.split(":")[0].strip() for line in lines)}}
        return super().run(request)


if __name__ == "__main__":
    serve(CallsHome())
