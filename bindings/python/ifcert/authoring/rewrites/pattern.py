"""A small graph that an engine's optimizer rewrites, as data."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from ifcert.authoring.rewrites.numpy_operators import computed

Values = Mapping[str, np.ndarray]

X = np.float32([[1, -3], [4, 8]])
POWERS = np.float32([[1, -2], [0.5, 8]])
ROW = np.float32([[[1, -2, 5], [4, 0.5, -8]]])
DEEP = np.float32(np.arange(-6, 6)).reshape(2, 2, 3)
WHOLE = np.int64([[7, -3], [-8, 5]])

# Where the sources of each engine's optimizer lie.
FOLDERS = {
    "ONNX Runtime": "microsoft/onnxruntime onnxruntime/core/optimizer/",
    "OpenVINO": "openvinotoolkit/openvino src/common/transformations/src/transformations/",
    "tract": "sonos/tract core/src/",
    "onnxscript": "microsoft/onnxscript onnxscript/",
    "onnxoptimizer": "onnx/optimizer onnxoptimizer/passes/",
}


@dataclass(frozen=True)
class Seen:
    """Where a pattern was found: the engine, the pass by its own name, and the file below the engine's folder."""

    engine: str
    rewrite: str
    file: str

    def __str__(self) -> str:
        """The engine and the pass."""
        return f"{self.engine}'s {self.rewrite}"


@dataclass(frozen=True)
class Pattern:
    """Nodes that compute m from x, nodes that compute z from m (and perhaps x), and the constants that they read.

    `name` and `words` say what it is. `then` and `other` are the constants of then and of else, which may be equal.
    `scalars`: the constants may be of any shape that broadcasts. `inexact`: m itself has no exact value, and is not
    returned. `sources`: the only sources of the constants with which the engine looks for it; all where empty.
    """

    name: str
    words: str
    seen: Seen
    first: str
    second: str
    then: Values = field(default_factory=dict)
    other: Values = field(default_factory=dict)
    x: np.ndarray = field(default_factory=lambda: X)
    scalars: bool = False
    inexact: bool = False
    sources: tuple[str, ...] = ()

    def values(self, constants: Values, x: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """The values m and z."""
        m = computed(self.first, {**constants, "x": self.x if x is None else x})
        return m["m"], computed(self.second, m)["z"]


def row(
    name: str,
    words: str,
    seen: Seen,
    first: str,
    second: str,
    /,
    *,
    x: np.ndarray | None = None,
    scalars: bool = False,
    inexact: bool = False,
    sources: tuple[str, ...] = (),
    **constants: np.ndarray | tuple[np.ndarray, np.ndarray],
) -> Pattern:
    """A pattern; a constant is the array of both branches, or a pair: that of then and that of else."""
    pairs = {key: value if isinstance(value, tuple) else (value, value) for key, value in constants.items()}
    return Pattern(
        name,
        words,
        seen,
        first,
        second,
        {key: np.asarray(of_then) for key, (of_then, _) in pairs.items()},
        {key: np.asarray(of_else) for key, (_, of_else) in pairs.items()},
        X if x is None else x,
        scalars,
        inexact,
        sources,
    )


def f(*values: ArrayLike) -> np.ndarray:
    """A float32 scalar, or a row of several."""
    return np.float32(values[0] if len(values) == 1 else values)


def i(*values: ArrayLike) -> np.ndarray:
    """An int64 scalar, or a row of several."""
    return np.int64(values[0] if len(values) == 1 else values)
