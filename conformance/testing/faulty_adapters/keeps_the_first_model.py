"""Ignores a load while another model is loaded."""

from honest import Message, serve
from passes_x import PassesX


class KeepsTheFirstModel(PassesX):
    """Lies in one respect."""

    loaded = False

    def load(self, request: Message) -> Message:
        """Keep the model that is loaded."""
        if self.loaded:
            return {"loaded": {"outputs": []}}
        answer = super().load(request)
        self.loaded = "loaded" in answer
        return answer

    def unload(self, request: Message) -> Message:
        """Drop the model."""
        self.loaded = False
        return super().unload(request)


if __name__ == "__main__":
    serve(KeepsTheFirstModel())
