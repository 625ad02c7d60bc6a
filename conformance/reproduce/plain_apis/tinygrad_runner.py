"""tinygrad on the processor."""

#: import
import os

os.environ["DEV"] = "CPU"
os.environ.setdefault("CC", "clang-16")  # it compiles each kernel

import tinygrad
from tinygrad.nn.onnx import OnnxRunner


#: plain
def load(path):
    return OnnxRunner(path)


def value_of(result):
    """Anything but a tensor is shown as it is."""
    if isinstance(result, list):
        return [value_of(item) for item in result]
    if result is None:
        return None
    return result.numpy() if isinstance(result, tinygrad.Tensor) else (type(result).__name__, [], result)


#: narrow
def run(runner, feeds):
    results = runner(feeds)
    return [value_of(results[name]) for name in runner.graph_outputs]


#: wide
def given(value):
    """Arrays, lists or None; bfloat16 as a tensor of tinygrad's, from the bits."""
    if isinstance(value, list):
        return [given(item) for item in value]
    if not isinstance(value, tuple):
        return value
    kind, shape, elements = value
    if kind != "bfloat16":
        sys.exit(f"tinygrad has no {kind}")
    return tinygrad.Tensor(np.frombuffer(elements, "<u2").reshape(shape)).bitcast(tinygrad.dtypes.bfloat16)


def bits(result):
    """The value with its bits where numpy lacks the type (bfloat16)."""
    if isinstance(result, tinygrad.Tensor) and result.dtype == tinygrad.dtypes.bfloat16:
        return "bfloat16", list(result.shape), result.bitcast(tinygrad.dtypes.uint16).numpy().tobytes()
    return [bits(item) for item in result] if isinstance(result, list) else value_of(result)


def run(runner, feeds):
    results = runner(feeds)
    return [bits(results[name]) for name in runner.graph_outputs]
