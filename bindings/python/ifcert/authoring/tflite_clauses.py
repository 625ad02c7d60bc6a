"""Models of TensorFlow Lite that call an operator once for each clause of its text; clauses has what is asked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ifcert.authoring.clauses import runs_of, those_read
from ifcert.authoring.elements import element_of_dtype
from ifcert.authoring.sources import Why
from ifcert.authoring.tflite import tflite
from ifcert.authoring.tflite_constants import literal
from ifcert.authoring.values import ints
from ifcert.authoring.vector import Vector, vectors_of

_then_when_true = vectors_of("tflite/if/then-when-true", "rfc-then", "rfc-else")

X = ints(1, -2)


@dataclass(frozen=True)
class LiteCall:
    """An operator, its operands by name, which are there twice, fed and stored, or as constants, and its options."""

    operator: str
    operands: Sequence[str | np.ndarray]
    result: np.ndarray
    options: str = ""


def clauses_of(case: str, operands: Mapping[str, np.ndarray], calls: Sequence[LiteCall], *why: Why) -> Vector:
    """y and z ask what the calls make of the operands, once fed and once stored; w asks of the results' dims.

    Operands that no call reads are left out. The results are of one type, booleans cast to int32.
    """
    operands = those_read(operands, [each.operands for each in calls])
    results = [each.result.astype(np.int32) if each.result.dtype == np.bool_ else each.result for each in calls]
    type_ = element_of_dtype(results[0].dtype).name
    inputs = ", ".join(f"{name}: {_type_of(held)}" for name, held in operands.items())
    stored = "\n".join(f"{name}_stored: {_type_of(held)} = {literal(held)}" for name, held in operands.items())
    asking = f"at: int32[?], want: {type_}[?], dim_at: int32[?], want_dims: int32[?]"
    text = f"""subgraph main ({inputs}, {asking}, x: int32[2]) -> (y, z, w)
{stored}
flat: int32[1] = [-1]
first: int32[1] = [0]
nought: int32[] = [0]
{_listed(calls, results, "y", "")}
{_listed(calls, results, "z", "_stored")}
{_dims_listed(results)}
{_same("y", type_, "at", "want")}
{_same("z", type_, "at", "want")}
{_same("w", "int32", "dim_at", "want_dims")}
subgraph doubled (p: int32[2]) -> (q)
  q: int32[2] = ADD(p, p)
subgraph negated (r: int32[2]) -> (s)
  s: int32[2] = NEG(r)
"""
    runs = runs_of(operands, results, _chosen, X, np.int32)
    return _then_when_true(
        case, tflite(text), runs, why=["rfc-then", "rfc-else", *why], also=["tflite/if/else-when-false"]
    )


def _chosen(truth: bool) -> np.ndarray:
    return X + X if truth else -X


def _type_of(held: np.ndarray) -> str:
    return f"{element_of_dtype(held.dtype).name}[{','.join(map(str, held.shape))}]"


def _listed(calls: Sequence[LiteCall], results: Sequence[np.ndarray], output: str, suffix: str) -> str:
    """The calls, and the list that their results make."""
    lines = []
    for i, (call, held) in enumerate(zip(calls, results, strict=True)):
        names = []
        for j, each in enumerate(call.operands):
            names.append(f"{each}{suffix}" if isinstance(each, str) else f"k{i}_{j}{suffix}")
            if not isinstance(each, str):
                lines.append(f"k{i}_{j}{suffix}: {_type_of(each)} = {literal(each)}")
        made = f"r{i}{suffix}"
        is_boolean = call.result.dtype == np.bool_
        lines.append(
            f"{'b' if is_boolean else ''}{made}: {_type_of(call.result)} = "
            f"{call.operator}({', '.join(names)}) {call.options}"
        )
        if is_boolean:
            lines.append(f"{made}: {_type_of(held)} = CAST(b{made})")
        lines.append(f"f{made}: {element_of_dtype(held.dtype).name}[{held.size}] = RESHAPE({made}, flat)")
    flat = ", ".join(f"fr{i}{suffix}" for i in range(len(calls)))
    total = sum(held.size for held in results)
    return "\n".join(
        [*lines, f"list_{output}: {element_of_dtype(results[0].dtype).name}[{total}] = CONCATENATION({flat}) axis=0"]
    )


def _dims_listed(results: Sequence[np.ndarray]) -> str:
    """The list of the rank and the dims of each result."""
    lines = []
    for i, held in enumerate(results):
        lines.append(f"dims{i}: int32[{held.ndim}] = SHAPE(r{i})")
        lines.append(f"rank{i}: int32[1] = SHAPE(dims{i})")
    names = ", ".join(f"rank{i}, dims{i}" for i in range(len(results)))
    return "\n".join(
        [*lines, f"list_w: int32[{sum(held.ndim + 1 for held in results)}] = CONCATENATION({names}) axis=0"]
    )


def _same(output: str, type_: str, at: str, want: str) -> str:
    """The cond of one output, whether all that is asked of a list is so, and its IF."""
    return f"""found_{output}: {type_}[?] = GATHER(list_{output}, {at}) axis=0
differ_{output}: bool[?] = NOT_EQUAL(found_{output}, {want})
ones_{output}: int32[?] = CAST(differ_{output})
count_{output}: int32[] = SUM(ones_{output}, first)
c_{output}: bool[] = EQUAL(count_{output}, nought)
{output}: int32[2] = IF(c_{output}, x) then=doubled else=negated"""
