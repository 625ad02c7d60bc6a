"""Runs in LiteRT's own environment: writes models with the object API of ai_edge_litert, which no part of ours made.

tflite_object_models.py FOLDER

Writes FOLDER/NAME.tflite for each model of tflite_object_layouts.py and tflite_object_bodies.py, and FOLDER/NAME.json:
a list of runs, each the inputs and the outputs that must come, worked out by hand, as the protocol writes values, in
the order of the primary subgraph's ports.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import ifcert_adapter as sdk
import tflite_object_bodies  # noqa: F401 (its models are built)
import tflite_object_layouts  # noqa: F401
from tflite_object_builder import BUILT, Arrays


def encoded(arrays: Arrays) -> list[Any]:
    """As the protocol writes them."""
    return [sdk.encode(sdk.Tensor.of(array)) for array in arrays]


def main(folder: Path) -> None:
    """All of them."""
    for name, build in BUILT.items():
        packed, runs = build()
        (folder / f"{name}.tflite").write_bytes(packed)
        lines = [{"inputs": encoded(inputs), "outputs": encoded(outputs)} for inputs, outputs in runs]
        (folder / f"{name}.json").write_text(json.dumps(lines))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
