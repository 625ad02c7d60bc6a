"""While: the result of its condition, one boolean, and how runtimes and texts treat other results."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, floats, ints, vectors_of
from ifcert.authoring.tflite import TfliteModel, as_in, replaced, tflite
from ifcert.authoring.tflite_loops import DOUBLED, DOUBLES, X

cond_output = vectors_of("tflite/while/cond-output", "while-cond-emptiness")

CONVERTED = "TensorFlow's While, whose semantics the RFC adopts, converts; kernels require a boolean"
EMPTY_IS_FALSE = (
    "TensorFlow's While, whose semantics the RFC adopts, tests whether there are elements; kernels require one"
)
RANK = "it is one boolean, yet TensorFlow's text tests whether a value that is not a scalar has elements"

ENDS = "more: bool[] = LESS(j, n)"
HEAD = "subgraph below (j: int32[], n: int32[], x: float32[2]) -> (more)"


def vectors() -> Iterator[Vector]:
    scalar = cond_output(
        "scalar: the condition returns a boolean of rank 0", DOUBLES, DOUBLED, why=["onert-while-cond", "while-cond"]
    )
    yield scalar
    yield scalar.varied(
        "list-of-one: the condition returns a boolean in a list of one",
        replaced(ENDS, "limit: int32[1] = PACK(n) axis=0\n  more: bool[1] = LESS(j, limit)"),
    )
    yield scalar.varied(
        "reshaped-when-it-runs: the condition reshapes its boolean to [1], as a loop variable specifies",
        as_in(_reshaped()),
        runs=[Run({"n": run.inputs["n"], "s": ints(1), "x": X}, run.expect) for run in DOUBLED],
    )
    yield from counts(scalar)
    yield from other_shapes(scalar)


def _reshaped() -> TfliteModel:
    return tflite("""
        subgraph main (n: int32[], s: int32[1], x: float32[2]) -> (i, y)
          zero: int32[] = 0
          i: int32[], m: int32[], t: int32[1], y: float32[2] = WHILE(zero, n, s, x) cond=below body=step
        subgraph below (j: int32[], n: int32[], s: int32[1], x: float32[2]) -> (more)
          less: bool[] = LESS(j, n)
          more: bool[?] = RESHAPE(less, s)
        subgraph step (j: int32[], n: int32[], s: int32[1], x: float32[2]) -> (next, n, s, doubled)
          one: int32[] = 1
          next: int32[] = ADD(j, one)
          doubled: float32[2] = ADD(x, x)
    """)


def counts(scalar: Vector) -> Iterator[Vector]:
    """The condition returns one value: not none, and not two."""
    yield scalar.broken(
        "none: the condition has no outputs",
        replaced(HEAD, HEAD.replace("(more)", "()")),
        why=["while-cond", "reader-while-counts"],
    )
    yield scalar.broken(
        "two: the condition has two outputs, the second of which is another boolean",
        replaced(HEAD, HEAD.replace("(more)", "(more, also)")),
        replaced(ENDS, f"{ENDS}\n  also: bool[] = LESS(j, n)"),
        why=["while-cond", "reader-while-counts"],
    )
    yield scalar.broken(
        "same-twice: the condition returns its boolean twice",
        replaced(HEAD, HEAD.replace("(more)", "(more, more)")),
        why=["while-cond", "reader-while-counts"],
    )
    yield scalar.broken(
        "variable-behind-it: the condition returns the boolean and the variable after it",
        replaced(HEAD, HEAD.replace("(more)", "(more, x)")),
        why=["while-cond", "reader-while-counts"],
    )


def other_types() -> Iterator[Vector]:
    """Scalars that are not booleans: 0 is false."""
    for element, one in [("int32", "1"), ("float32", "1"), ("int64", "1")]:
        yield cond_output(
            f"scalar-of-{element}: the condition returns a {element}, which the body counts down to 0",
            tflite(f"""
                subgraph main (n: {element}[], x: float32[2]) -> (left, y)
                  left: {element}[], y: float32[2] = WHILE(n, x) cond=number body=doubles
                subgraph number (n: {element}[], x: float32[2]) -> (n)
                subgraph doubles (n: {element}[], x: float32[2]) -> (less, twice)
                  one: {element}[] = {one}
                  less: {element}[] = SUB(n, one)
                  twice: float32[2] = ADD(x, x)
            """),
            [
                Run({"n": np.dtype(element).type(n), "x": X}, {"left": np.dtype(element).type(0), "y": y})
                for n, y in [(2, floats(4, -8)), (0, X)]
            ],
            why=["while-cond-scalar"],
            doubt=CONVERTED,
        )


def other_shapes(scalar: Vector) -> Iterator[Vector]:
    """Several elements, none, and one in two dims."""
    yield cond_output(
        "several-elements: "
        "the condition returns as many booleans as x has elements, all false; each trip drops one element",
        tflite("""
            subgraph main (x: float32[?]) -> (y)
              y: float32[?] = WHILE(x) cond=elements body=drops
            subgraph elements (x: float32[?]) -> (each)
              each: bool[?] = LESS(x, x)
            subgraph drops (x: float32[?]) -> (shorter)
              from: int32[1] = [1]
              rest: int32[1] = [-1]
              shorter: float32[?] = SLICE(x, from, rest)
        """),
        Run({"x": floats(1, 2, 3)}, {"y": np.zeros(0, np.float32)}),
        doubt=EMPTY_IS_FALSE,
    )
    yield cond_output(
        "no-elements: the condition returns no booleans: no trip is made",
        tflite("""
            subgraph main (x: float32[2]) -> (y)
              y: float32[2] = WHILE(x) cond=nothing body=doubles
            subgraph nothing (x: float32[2]) -> (none)
              from: int32[1] = [2]
              zero: int32[1] = [0]
              part: float32[0] = SLICE(x, from, zero)
              none: bool[0] = LESS(part, part)
            subgraph doubles (x: float32[2]) -> (twice)
              twice: float32[2] = ADD(x, x)
        """),
        Run({"x": X}, {"y": X}),
        doubt=EMPTY_IS_FALSE,
    )
    yield scalar.varied(
        "one-by-one: the condition returns a boolean of shape [1, 1]",
        replaced(
            ENDS,
            "row: int32[1] = PACK(n) axis=0\n"
            "  limit: int32[1,1] = PACK(row) axis=0\n"
            "  more: bool[1,1] = LESS(j, limit)",
        ),
        doubt=RANK,
    )
