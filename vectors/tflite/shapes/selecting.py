"""Subgraphs that select by a mask: SELECT aligns a list with the first dim, SELECT_V2 aligns the last dims."""

from collections.abc import Callable, Iterator, Mapping

import numpy as np
from ifcert.authoring import Vector, branches
from ifcert.authoring.selections import BY_FIRST_DIM, BY_NUMPY, Selection, along_first_dim
from ifcert.authoring.tflite import tflite
from numpy.typing import NDArray

Align = Callable[[NDArray[np.bool_], int], NDArray[np.bool_]]


def _selections(operator: str, table: Mapping[str, Selection], align: Align, sentence: str) -> Iterator[Vector]:
    """`align` reshapes a mask for a tensor of this rank, so that numpy selects as the operator does."""
    for case, selection in table.items():
        p, q = selection.tensors()
        selected = np.where(align(selection.masks()[0], p.ndim), p, q)
        mask, first, second, out = (
            ",".join(map(str, shape)) for shape in (selection.mask, p.shape, q.shape, selected.shape)
        )
        inputs = f"m: bool[{mask}], p: int32[{first}], q: int32[{second}]"
        model = tflite(f"""
            subgraph main (cond: bool[], {inputs}) -> (y)
              y: int32[{out}] = IF(cond, m, p, q) then=by_mask else=by_opposite
            subgraph by_mask ({inputs}) -> (a)
              a: int32[{out}] = {operator}(m, p, q)
            subgraph by_opposite ({inputs}) -> (b)
              n: bool[{mask}] = LOGICAL_NOT(m)
              b: int32[{out}] = {operator}(n, p, q)
        """)
        yield Vector(
            f"tflite/if/then-when-true/{operator.lower().replace('_', '-')}-{case}",
            f"{selection.title}, by {operator} in each subgraph",
            ["rfc-then", "rfc-else", sentence],
            model,
            [
                run
                for m in selection.masks()
                for aligned in [align(m, p.ndim)]
                for run in branches(
                    {"m": m, "p": p, "q": q},
                    then={"y": np.where(aligned, p, q)},
                    else_={"y": np.where(~aligned, p, q)},
                )
            ],
            also=["tflite/if/else-when-false"],
        )


def _of_masks() -> Iterator[Vector]:
    yield from _selections("SELECT", BY_FIRST_DIM, along_first_dim, "kernels-select-condition")
    yield from _selections("SELECT_V2", BY_NUMPY, lambda mask, _: mask, "kernels-select-v2")
