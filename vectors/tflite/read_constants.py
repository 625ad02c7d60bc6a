"""Constants that a subgraph returns and reads as well."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector
from ifcert.authoring.tflite import tflite
from ifcert.authoring.tflite_quotes import RESULTS_OUT, SUBGRAPH_OUTPUTS


def vectors() -> Iterator[Vector]:
    """Two constants, both of them operands of an ADD whose sum nothing reads."""
    yield Vector(
        "tflite/subgraph/constant-outputs/both-added-too",
        "then returns two constants, and an operator in it adds them",
        [SUBGRAPH_OUTPUTS, RESULTS_OUT],
        tflite("""
            subgraph main (c: bool[]) -> (y, z)
              y: int32[2], z: int32[2] = IF(c) then=adds else=other
            subgraph adds () -> (k, l)
              k: int32[2] = [3, 4]
              l: int32[2] = [5, 6]
              s: int32[2] = ADD(l, k)
            subgraph other () -> (m, n)
              m: int32[2] = [7, 8]
              n: int32[2] = [9, 10]
        """),
        [
            Run({"c": np.True_}, {"y": np.int32([3, 4]), "z": np.int32([5, 6])}),
            Run({"c": np.False_}, {"y": np.int32([7, 8]), "z": np.int32([9, 10])}),
        ],
    )
