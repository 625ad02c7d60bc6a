"""`ifcert.load(…, operators="NAME")`: a runtime computes what the reference lacks."""

import json
from pathlib import Path

import numpy as np
import onnx.parser
import pytest

import ifcert

ROOT = Path(__file__).resolve().parents[3]

TEXT = (ROOT / "conformance" / "commands" / "operator_of_its_own.txt").read_text()

ADAPTER = """
import numpy as np
from ifcert_adapter import Adapter, Description, Port, Tensor, serve

class Doubler(Adapter):
    def describe(self):
        return Description("doubler", "Doubler", "1.0", "Python", "https://example.org")
    def load(self, model, model_format):
        return [Port("y0", None, None)]
    def run(self, inputs):
        with self.runtime():
            return [("y0", Tensor.of(2 * inputs["x0"].array()))]

serve(Doubler)
"""

X = np.array([1, 2.5], np.float32)


@pytest.fixture
def model() -> bytes:
    return onnx.parser.parse_model(TEXT).SerializeToString()


@pytest.fixture
def doubler(tmp_path: Path) -> str:
    """The folder of an adapter whose runtime doubles its input."""
    manifest = {"name": "doubler", "systems": ["onnx"], "version": "1.0", "home": "https://example.org"}
    manifest |= {"install": None, "command": [str(ROOT / ".venv" / "bin" / "python"), "{adapter}/adapter.py"]}
    (tmp_path / "adapter.json").write_text(json.dumps(manifest))
    (tmp_path / "adapter.py").write_text(ADAPTER)
    return str(tmp_path)


def test_a_name_in_place_of_functions_is_an_adapter(model: bytes, doubler: str) -> None:
    loaded = ifcert.load(model, operators=doubler)
    assert loaded.computed_elsewhere == {}
    for _ in range(2):
        assert loaded.run({"cond": True, "x": X})["y"].tolist() == [2, 5]
    assert loaded.computed_elsewhere == {"my.Twice": 2}
    assert loaded.run({"cond": False, "x": X})["y"].tolist() == [1, 2.5]


def test_a_path_is_an_adapter_too(model: bytes, doubler: str) -> None:
    assert ifcert.load(model, operators=Path(doubler)).run({"cond": True, "x": X})["y"].tolist() == [2, 5]


def test_without_an_adapter_nothing_is_computed_elsewhere(model: bytes) -> None:
    loaded = ifcert.load(model, operators={"my.Twice": lambda x: x + x})
    assert loaded.run({"cond": True, "x": X})["y"].tolist() == [2, 5]
    assert loaded.computed_elsewhere == {}


def test_an_adapter_that_does_not_exist_is_an_error_of_load(model: bytes) -> None:
    with pytest.raises(ifcert.EvaluationError, match="no-such-adapter"):
        ifcert.load(model, operators="no-such-adapter")


def test_a_time_limit_ends_an_adapter_that_hangs(model: bytes, doubler: str) -> None:
    (Path(doubler) / "adapter.py").write_text(ADAPTER.replace("return [(", "import time; time.sleep(1000); return [("))
    with pytest.raises(ifcert.LimitExceeded, match="TIMEOUT"):
        ifcert.load(model, operators=doubler).run({"cond": True, "x": X}, max_seconds=2)


def test_a_run_with_another_memory_limit_has_another_process(model: bytes, doubler: str) -> None:
    started = ADAPTER.replace("class", "import random\nPROCESS = random.random()\n\nclass", 1)
    (Path(doubler) / "adapter.py").write_text(started.replace('2 * inputs["x0"].array()', "np.float32([PROCESS] * 2)"))
    loaded = ifcert.load(model, operators=doubler)
    first, same, other = (
        loaded.run({"cond": True, "x": X}, max_memory=limit)["y"].tolist() for limit in (10**9, 10**9, 2 * 10**9)
    )
    assert first == same
    assert first != other


def test_a_refusal_has_the_place_of_the_node_and_the_runtimes_words(model: bytes, doubler: str) -> None:
    (Path(doubler) / "adapter.py").write_text(ADAPTER.replace("return [(", "raise ValueError('too loud'); return [("))
    with pytest.raises(ifcert.EvaluationError) as caught:
        ifcert.load(model, operators=doubler).run({"cond": True, "x": X})
    assert "then_branch / node 0 (Twice): doubler 1.0 refused my.Twice: ValueError: too loud" in str(caught.value)
    assert caught.value.missing_operator == "my.Twice"
