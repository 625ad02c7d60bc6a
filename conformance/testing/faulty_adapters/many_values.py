"""Answers with a line of some millions of empty objects: cheap to write, expensive to store and to parse."""

from honest import Honest, Message, say, serve


class ManyValues(Honest):
    """Lies in one respect."""

    def run(self, request: Message) -> Message:
        """Send them, in the trap."""
        if self.trapped():
            say(f'{{"id":{request["id"]},"outputs":[' + "{}," * 5_000_000 + "{}]}\n")
        return super().run(request)


if __name__ == "__main__":
    serve(ManyValues())
