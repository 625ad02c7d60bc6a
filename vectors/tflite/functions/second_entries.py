"""A second If or While that enters the subgraphs of a legal first one, with operands or outputs that do not fit them.

A reader that looks at a pair of subgraphs once misses the second operator's faults. It stands beside the first one, or
in a branch of another If.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from ifcert.authoring import Run, Vector, ints
from ifcert.authoring.faults import Faults, fault, with_fault
from ifcert.authoring.tflite import TfliteEdit, replaced, tflite
from ifcert.authoring.values import Writable

WHY = ["rfc-same-semantic", "onert-same-parameters"]

X = ints(3, -4)

# The second operator, which ends with the names of the two subgraphs.
IF, OF_IF = "z: int32[2] = IF(c, x)", " then=one else=other"
LOOP, OF_LOOP = "j: int32[], z: int32[2] = WHILE(n, x)", " cond=more body=step"
FLOATS = "f: float32[2] = [1, 2]"

PAIR_OF_IF = """
subgraph one (p: int32[2]) -> (sum)
  k: int32[2] = [10, 20]
  sum: int32[2] = ADD(p, k)
subgraph other (p: int32[2]) -> (minus)
  minus: int32[2] = NEG(p)
"""
PAIR_OF_LOOP = """
subgraph more (n: int32[], p: int32[2]) -> (positive)
  zero: int32[] = 0
  positive: bool[] = GREATER(n, zero)
subgraph step (n: int32[], p: int32[2]) -> (left, twice)
  one: int32[] = 1
  left: int32[] = SUB(n, one)
  twice: int32[2] = ADD(p, p)
"""

IF_BESIDE = tflite(f"""
subgraph main (c: bool[], x: int32[2]) -> (y, z)
  y: int32[2] = IF(c, x){OF_IF}
  {IF}{OF_IF}{PAIR_OF_IF}""")
IF_IN_BRANCH = tflite(f"""
subgraph main (inner: bool[], c: bool[], x: int32[2]) -> (y, w)
  y: int32[2] = IF(c, x){OF_IF}
  w: int32[2] = IF(inner, c, x) then=second else=without
subgraph second (c: bool[], x: int32[2]) -> (z)
  {IF}{OF_IF}
subgraph without (c: bool[], x: int32[2]) -> (a)
  a: int32[2] = ABS(x){PAIR_OF_IF}""")
LOOP_BESIDE = tflite(f"""
subgraph main (n: int32[], x: int32[2]) -> (i, y, j, z)
  i: int32[], y: int32[2] = WHILE(n, x){OF_LOOP}
  {LOOP}{OF_LOOP}{PAIR_OF_LOOP}""")
LOOP_IN_BRANCH = tflite(f"""
subgraph main (inner: bool[], n: int32[], x: int32[2]) -> (i, y, k, w)
  i: int32[], y: int32[2] = WHILE(n, x){OF_LOOP}
  k: int32[], w: int32[2] = IF(inner, n, x) then=second else=without
subgraph second (n: int32[], x: int32[2]) -> (j, z)
  {LOOP}{OF_LOOP}
subgraph without (n: int32[], x: int32[2]) -> (n, a)
  a: int32[2] = ABS(x){PAIR_OF_LOOP}""")


def _if(call: str, *, before: str = "", after: str = "") -> TfliteEdit:
    """The second If reads so, with lines before it and after it."""
    return replaced(f"{IF}{OF_IF}", _lines(before, f"{call}{OF_IF}", after))


def _loop(call: str, *, before: str = "", after: str = "") -> TfliteEdit:
    """The second While reads so, with lines before it and after it."""
    return replaced(f"{LOOP}{OF_LOOP}", _lines(before, f"{call}{OF_LOOP}", after))


def _lines(*lines: str) -> str:
    return "\n  ".join(line for line in lines if line)


# What the subgraph returns in place of an output that does not fit.
Z = "z: int32[2] = ABS(x)"

OF_SECOND_IF: Faults = {
    "if/inputs-positional/operand-missing: the second If passes nothing, and the subgraphs take one value": fault(
        _if("z: int32[2] = IF(c)"), "onert-passing-in"
    ),
    "if/inputs-positional/surplus-operand: the second If passes two values, and the subgraphs take one": fault(
        _if("z: int32[2] = IF(c, x, x)"), "reader-if-counts"
    ),
    "if/outputs-positional/output-missing: the second If has no output, and the subgraphs return one value": fault(
        _if("() = IF(c, x)", after=Z), "onert-passing-out"
    ),
    "if/outputs-positional/surplus-output: the second If has two outputs, and the subgraphs return one value": fault(
        _if("z: int32[2], u: int32[2] = IF(c, x)"), "onert-passing-out"
    ),
    "subgraph/types-agree/operand-type: the second If passes float32, and the subgraphs take int32": fault(
        _if("z: int32[2] = IF(c, f)", before=FLOATS), "if-then-branch", "reader-types"
    ),
    "subgraph/types-agree/output-type: the second If has an output of float32, and the subgraphs return int32": fault(
        _if("u: float32[2] = IF(c, x)", after=Z), "if-then-branch", "reader-types"
    ),
    (
        "subgraph/types-agree/both-types: "
        "the second If passes float32 and has an output of it, and the subgraphs take and return int32"
    ): fault(_if("u: float32[2] = IF(c, f)", before=FLOATS, after=Z), "if-then-branch", "reader-types"),
    "if/cond-required/cond-absent: the second If's condition is index -1": fault(
        _if("z: int32[2] = IF(-, x)"), "reader-absent"
    ),
    "subgraph/operand-required/operand-absent: the second If's operand is index -1": fault(
        _if("z: int32[2] = IF(c, -)"), "reader-absent"
    ),
}
OF_SECOND_LOOP: Faults = {
    "while/counts-agree/operand-missing: the second While has one operand and two outputs": fault(
        _loop("j: int32[], z: int32[2] = WHILE(n)"), "while-input"
    ),
    "while/counts-agree/surplus-operand: the second While has three operands and two outputs": fault(
        _loop("j: int32[], z: int32[2] = WHILE(n, x, x)"), "while-input"
    ),
    "while/counts-agree/output-missing: the second While has one output and two operands": fault(
        _loop("j: int32[] = WHILE(n, x)", after=Z), "while-output"
    ),
    "while/counts-agree/surplus-output: the second While has three outputs and two operands": fault(
        _loop("j: int32[], z: int32[2], u: int32[2] = WHILE(n, x)"), "while-output"
    ),
    "while/counts-agree/less-of-both: the second While has one operand and one output, and the subgraphs take two": (
        fault(_loop("j: int32[] = WHILE(n)", after=Z), "while-cond", "while-body")
    ),
    "while/counts-agree/more-of-both: the second While has three operands and outputs, and the subgraphs take two": (
        fault(_loop("j: int32[], z: int32[2], u: int32[2] = WHILE(n, x, x)"), "while-cond", "while-body")
    ),
    "subgraph/types-agree/operand-type: the second While passes float32, and the subgraphs take int32": fault(
        _loop("j: int32[], z: int32[2] = WHILE(n, f)", before=FLOATS), "while-cond", "while-body"
    ),
    "subgraph/types-agree/output-type: the second While has an output of float32, and its body returns int32": fault(
        _loop("j: int32[], u: float32[2] = WHILE(n, x)", after=Z), "while-output", "while-body"
    ),
    (
        "subgraph/types-agree/both-types: "
        "the second While passes float32 and has an output of it, and the subgraphs take and return int32"
    ): fault(_loop("j: int32[], u: float32[2] = WHILE(n, f)", before=FLOATS, after=Z), "while-cond", "while-body"),
    "subgraph/operand-required/operand-absent: the second While's second operand is index -1": fault(
        _loop("j: int32[], z: int32[2] = WHILE(n, -)"), "reader-absent"
    ),
}


def _runs(outputs: str, values: Sequence[tuple[dict[str, Writable], Sequence[Writable]]]) -> list[Run]:
    return [Run(fed, dict(zip(outputs, of_run, strict=True))) for fed, of_run in values]


def _of_if() -> Iterator[Vector]:
    sums = X + ints(10, 20)
    yes, no = np.True_, np.False_
    beside = Vector(
        "tflite/if/inputs-positional/second-if",
        "two Ifs enter the same two subgraphs",
        WHY,
        IF_BESIDE,
        _runs("yz", [({"c": yes, "x": X}, (sums, sums)), ({"c": no, "x": X}, (-X, -X))]),
    )
    in_branch = Vector(
        "tflite/if/inputs-positional/second-if-in-branch",
        "an If, and another one in a branch, enter the same two subgraphs",
        WHY,
        IF_IN_BRANCH,
        _runs(
            "yw",
            [
                ({"inner": yes, "c": yes, "x": X}, (sums, sums)),
                ({"inner": no, "c": yes, "x": X}, (sums, abs(X))),
                ({"inner": yes, "c": no, "x": X}, (-X, -X)),
            ],
        ),
    )
    for twin, where in [(beside, "beside the first: "), (in_branch, "in a branch of a third If: ")]:
        yield twin
        for written, made in OF_SECOND_IF.items():
            yield with_fault(twin, where, written, made)


def _of_loop() -> Iterator[Vector]:
    two, zero = np.int32(2), np.int32(0)
    beside = Vector(
        "tflite/while/counts-agree/second-while",
        "two Whiles enter the same two subgraphs",
        WHY,
        LOOP_BESIDE,
        _runs("iyjz", [({"n": two, "x": X}, (zero, 4 * X, zero, 4 * X)), ({"n": zero, "x": X}, (zero, X, zero, X))]),
    )
    in_branch = Vector(
        "tflite/while/counts-agree/second-while-in-branch",
        "a While, and another one in a branch, enter the same two subgraphs",
        WHY,
        LOOP_IN_BRANCH,
        _runs(
            "iykw",
            [
                ({"inner": np.True_, "n": two, "x": X}, (zero, 4 * X, zero, 4 * X)),
                ({"inner": np.False_, "n": two, "x": X}, (zero, 4 * X, two, abs(X))),
            ],
        ),
    )
    for twin, where in [(beside, "beside the first: "), (in_branch, "in a branch of an If: ")]:
        yield twin
        for written, made in OF_SECOND_LOOP.items():
            yield with_fault(twin, where, written, made)
