"""Loads nothing and computes nothing: it answers with what the vector beside the model expects."""

import json
from typing import Any

from honest import Honest, Message, serve


class ReadsTheAnswer(Honest):
    """Lies in every respect."""

    steps: list[Any]

    def load(self, request: Message) -> Message:
        """Look for the answer beside the model, and around it."""
        super().load(request)
        found = sorted(self.model.parent.parent.rglob("vectors.jsonl"))
        if not found:
            around = sorted(path.name for path in self.model.parent.parent.rglob("*") if path.is_file())
            return {"adapter_error": {"message": f"nothing but {', '.join(around)} beside {self.model}"}}
        self.steps = json.loads(found[0].read_text().splitlines()[0])["steps"][1:]
        return {"loaded": {"outputs": []}}

    def run(self, request: Message) -> Message:
        """Return the expected answer."""
        expected = self.steps.pop(0)["run"]["expect"]
        return expected if "outputs" in expected else {"refused": {"message": "as expected"}}


if __name__ == "__main__":
    serve(ReadsTheAnswer())
