"""Subgraphs of an If that differ only in an option of their operator: shared or lost options yield a wrong result.

The operators are specified by TensorFlow Lite's kernels; here an option only distinguishes then from else.
"""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, floats, ints, vectors_of
from ifcert.authoring.tflite import TfliteModel, tflite
from ifcert.authoring.tflite_patterns import both

shape_of_taken_subgraph = vectors_of("tflite/if/shape-of-taken-subgraph", "onert-invoked-outputs", "schema-builtins")


def vectors() -> Iterator[Vector]:
    yield _shape_types()


def _of(declared: str, result: str, one: str, other: str, *, first: str = "# nothing else") -> TfliteModel:
    """An If of the declared operands, whose subgraphs have these lines that compute z, after a line that both have."""
    names = ", ".join(each.partition(":")[0] for each in declared.split(", "))
    return tflite(f"""
subgraph main (c: bool[], {declared}) -> (y)
  y: {result} = IF(c, {names}) then=one else=other
subgraph one ({declared}) -> (z)
  {first}
  z: {result} = {one}
subgraph other ({declared}) -> (z)
  {first}
  z: {result} = {other}
""")


def _shape_types() -> Vector:
    """SHAPE returns int32 in one subgraph, int64 in the other, which an outer If converts nothing of."""
    x = floats([1, 2, 3], [4, 5, 6])
    return shape_of_taken_subgraph(
        "shape-of-64-bits: "
        "then adds [10, 20] to the shape as int64, else returns a constant; beside the If a SHAPE of int32",
        tflite("""
            subgraph main (c: bool[], x: float32[2,3]) -> (y, n)
              y: int64[2] = IF(c, x) then=shape else=held
              n: int32[2] = SHAPE(x)
            subgraph shape (a: float32[2,3]) -> (z)
              k: int64[2] = [10, 20]
              s: int64[2] = SHAPE(a)
              z: int64[2] = ADD(s, k)
            subgraph held (a: float32[2,3]) -> (z)
              z: int64[2] = [-7, 4294967296]
        """),
        branches(
            {"x": x},
            then={"y": np.int64([12, 23]), "n": ints(2, 3)},
            else_={"y": np.int64([-7, 4294967296]), "n": ints(2, 3)},
            cond="c",
        ),
        why=["onert-invoked-outputs", "schema-tensor-type"],
    )


def _activations() -> Iterator[Vector]:
    """The same operator, with an activation in the subgraph that is taken and without one in the other."""
    a, b = floats(1, -4, 12), floats(1, 2, 2)
    for operator, activation, plain, activated in [
        ("ADD", "RELU", [2, -2, 14], [2, 0, 14]),
        ("SUB", "RELU6", [0, -6, 10], [0, 0, 6]),
        ("MUL", "RELU_N1_TO_1", [1, -8, 24], [1, -1, 1]),
        ("DIV", "RELU", [1, -2, 6], [1, 0, 6]),
    ]:
        call = f"{operator}(a, b)"
        for rule, why, cond in [("then-when-true", "rfc-then", True), ("else-when-false", "rfc-else", False)]:
            lines = (f"{call} fused={activation}", call) if cond else (call, f"{call} fused={activation}")
            yield Vector(
                f"tflite/if/{rule}/{operator.lower()}-with-an-activation",
                f"both subgraphs are {operator}, the taken one with {activation.replace('_', ' ')}",
                [why, "schema-builtins"],
                _of("a: float32[3], b: float32[3]", "float32[3]", *lines),
                [
                    Run({"c": np.bool_(cond), "a": a, "b": b}, {"y": np.float32(activated)}),
                    Run({"c": np.bool_(not cond), "a": a, "b": b}, {"y": np.float32(plain)}),
                ],
            )

    yield Vector(
        "tflite/if/then-when-true/add-without-options",
        "both subgraphs are ADD, then without options and else with RELU",
        ["rfc-then", "schema-builtins"],
        _of("a: float32[3], b: float32[3]", "float32[3]", "ADD(a, b) options=none", "ADD(a, b) fused=RELU"),
        both({"y": floats(2, -2, 14)}, {"y": floats(2, 0, 14)}, a=a, b=b),
        doubt="no text says whether an operator may lack options whose fields all have defaults",
    )


def _axes() -> Iterator[Vector]:
    """The same operator along the first axis and along the second."""
    x = ints([1, 2], [3, 4])
    for case, (one, other, first, second) in {
        "concatenated": (
            "CONCATENATION(x, x) axis=0",
            "CONCATENATION(x, x) axis=1",
            np.concatenate([x, x], 0),
            np.concatenate([x, x], 1),
        ),
        "concatenated-along-the-last-axis": (
            "CONCATENATION(x, x) axis=-1",
            "CONCATENATION(x, x) axis=-2",
            np.concatenate([x, x], 1),
            np.concatenate([x, x], 0),
        ),
        "packed": ("PACK(x, x) axis=0", "PACK(x, x) axis=1", np.stack([x, x], 0), np.stack([x, x], 1)),
    }.items():
        rank = "?,?,?" if case == "packed" else "?,?"
        yield shape_of_taken_subgraph(
            f"{case}: then is {one}, else {other}",
            _of("x: int32[2,2]", f"int32[{rank}]", one, other),
            both({"y": first}, {"y": second}, x=x),
            doubt="the schema does not say from where a negative axis counts" if "=-1" in one else "",
        )
    yield shape_of_taken_subgraph(
        "gathered-along-either-axis: then takes row 1, else column 1",
        _of("x: int32[2,3], i: int32[1]", "int32[?,?]", "GATHER(x, i) axis=0", "GATHER(x, i) axis=1"),
        both({"y": ints([4, 5, 6])}, {"y": ints([2], [5])}, x=ints([1, 2, 3], [4, 5, 6]), i=ints(1)),
    )
    yield shape_of_taken_subgraph(
        "gathered-from-its-own-row: "
        "then takes from each row what the same row of i says, else from both rows what j says",
        _of(
            "x: int32[2,3], i: int32[2,2], j: int32[2]",
            "int32[2,2]",
            "GATHER(x, i) axis=1 batch_dims=1 version=5",
            "GATHER(x, j) axis=1",
        ),
        both(
            {"y": ints([1, 3], [5, 5])},
            {"y": ints([1, 3], [4, 6])},
            x=ints([1, 2, 3], [4, 5, 6]),
            i=ints([0, 2], [1, 1]),
            j=ints(0, 2),
        ),
    )
    yield shape_of_taken_subgraph(
        "summed-with-its-dim: then keeps the dim that it sums over, else does not",
        _of(
            "x: int32[2,3]",
            "int32[...]",
            "SUM(x, along) keep_dims=true",
            "SUM(x, along)",
            first="along: int32[1] = [1]",
        ),
        both({"y": ints([6], [15])}, {"y": ints(6, 15)}, x=ints([1, 2, 3], [4, 5, 6])),
    )


def _reshaped() -> Iterator[Vector]:
    """RESHAPE has the new shape in its options, without an operand for it or in addition to one."""
    x = ints(1, 2, 3, 4, 5, 6)
    why = ["onert-invoked-outputs", "schema-new-shape"]
    for case, title, one, other, first, second in [
        ("by-options", "then to [2, 3], else to [3, 2]", "[2,3]", "[3,2]", (2, 3), (3, 2)),
        ("by-options-with-an-unknown-dim", "then to [-1, 2], else to [1, -1]", "[-1,2]", "[1,-1]", (3, 2), (1, 6)),
    ]:
        yield shape_of_taken_subgraph(
            f"reshaped-{case}: RESHAPE has one operand and reads the new shape from its options: {title}",
            _of("x: int32[6]", "int32[?,?]", f"RESHAPE(x) new_shape={one}", f"RESHAPE(x) new_shape={other}"),
            both({"y": x.reshape(first)}, {"y": x.reshape(second)}, x=x),
            why=why,
            doubt="the options have the shape; the schema does not say whether the operand may then be missing",
        )
    yield shape_of_taken_subgraph(
        "reshaped-by-options-beside-an-absent-operand: "
        "the operand of the new shape is index -1, and the options have the shape",
        _of("x: int32[6]", "int32[?,?]", "RESHAPE(x, -) new_shape=[2,3]", "RESHAPE(x, -) new_shape=[3,2]"),
        both({"y": x.reshape(2, 3)}, {"y": x.reshape(3, 2)}, x=x),
        why=[*why, "schema-optional-input"],
        doubt="the schema does not say whether the second operand of RESHAPE is optional",
        about=["absent-operands"],
    )
    yield shape_of_taken_subgraph(
        "reshaped-by-an-operand-without-options: the operand specifies [2, 3] and [3, 2], and there are no options",
        _of(
            "x: int32[6], a: int32[2], b: int32[2]",
            "int32[?,?]",
            "RESHAPE(x, a) options=none",
            "RESHAPE(x, b) options=none",
        ),
        both({"y": x.reshape(2, 3)}, {"y": x.reshape(3, 2)}, x=x, a=ints(2, 3), b=ints(3, 2)),
        why=why,
        doubt="no text says whether RESHAPE may lack options where an operand has the new shape",
    )
    yield shape_of_taken_subgraph(
        "reshaped-by-an-operand-beside-options: the operand specifies [2, 3] and [3, 2], and the options the opposite",
        _of(
            "x: int32[6], a: int32[2], b: int32[2]",
            "int32[?,?]",
            "RESHAPE(x, a) new_shape=[3,2]",
            "RESHAPE(x, b) new_shape=[2,3]",
        ),
        both({"y": x.reshape(2, 3)}, {"y": x.reshape(3, 2)}, x=x, a=ints(2, 3), b=ints(3, 2)),
        why=why,
        doubt="the schema does not say which of the two counts where they disagree",
    )
