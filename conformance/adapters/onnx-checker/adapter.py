"""onnx.checker.check_model with full_check: it accepts or refuses a model, and computes nothing."""

from pathlib import Path

from ifcert_adapter import Adapter, Description, Port, Unsupported, UnsupportedFeature, Value, serve

HOME = "https://onnx.ai/onnx/api/checker.html"


class Checker(Adapter):
    """Loading is checking."""

    def __init__(self) -> None:
        """The checker is C++ under Python; it reports findings as exceptions."""
        import onnx

        self._onnx = onnx

    def describe(self) -> Description:
        """The version is that of the installed package."""
        return Description(
            adapter="onnx-checker",
            runtime="onnx.checker",
            version=self._onnx.__version__,
            language="C++ through Python",
            home=HOME,
            computes=False,
            unsupported_features=(UnsupportedFeature("run", "it checks models and evaluates nothing", HOME),),
        )

    def load(self, model: Path, model_format: str) -> list[Port]:
        """By path, so that external data is found. The checker reports no types, so neither does this."""
        del model_format
        with self.runtime():
            self._onnx.checker.check_model(str(model), full_check=True)
        try:
            graph = self._onnx.load(str(model), load_external_data=False).graph
        except Exception:  # the checker reads with a parser of its own, which accepts files that this one does not
            return []
        return [Port(output.name, None, None) for output in graph.output]

    def run(self, inputs: dict[str, Value]) -> list[tuple[str, Value]]:
        """Declared in `unsupported_features`."""
        del inputs
        raise Unsupported("run", "onnx.checker evaluates nothing")


if __name__ == "__main__":
    serve(Checker)
