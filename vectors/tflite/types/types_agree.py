"""Element types agree where values pass into an If's subgraphs and out of them."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, floats, ints, vectors_of
from ifcert.authoring.tflite import TfliteModel, replaced, tflite

types_agree = vectors_of("tflite/subgraph/types-agree", "reader-types", "if-then-branch")


def _passing(element: str) -> TfliteModel:
    """The operands a and b of a type: then returns the first, else the second."""
    return tflite(f"""
        subgraph main (c: bool[], a: {element}[2], b: {element}[2]) -> (y)
          y: {element}[2] = IF(c, a, b) then=one else=other
        subgraph one (p: {element}[2], q: {element}[2]) -> (p)
        subgraph other (p: {element}[2], q: {element}[2]) -> (q)
    """)


# One subgraph computes, so that its inputs' types and its outputs' types are independent.
COMPUTING = tflite("""
    subgraph main (c: bool[], a: int32[2], b: int32[2]) -> (y)
      y: int32[2] = IF(c, a, b) then=one else=other
    subgraph one (p: int32[2], q: int32[2]) -> (r)
      k: int32[2] = [1, 2]
      r: int32[2] = ADD(q, k)
    subgraph other (p: int32[2], q: int32[2]) -> (r)
      k: int32[2] = [3, 4]
      r: int32[2] = ADD(q, k)
""")


def _of_if() -> Iterator[Vector]:
    a, b = ints(7, -8), ints(20, 30)
    sound = types_agree(
        "if: operands, inputs and outputs are of int32",
        COMPUTING,
        branches({"a": a, "b": b}, then={"y": ints(21, 32)}, else_={"y": ints(23, 34)}, cond="c"),
    )
    for branch, label in [("then", "one"), ("else", "other")]:
        for element in ("float32", "int64", "bool"):
            yield sound.broken(
                f"input-of-{branch}-{element}: {branch}'s first input is {element}, the operand int32",
                replaced("p: int32[2]", f"p: {element}[2]", within=label),
            )
        for element in ("float32", "int64", "uint8"):
            k, r = "1, 2" if label == "one" else "3, 4", "r: int32[2] = ADD(q, k)"
            yield sound.broken(
                f"output-of-{branch}-{element}: {branch}'s output is {element}, the If's int32",
                replaced(f"k: int32[2] = [{k}]", f"k: {element}[2] = [{k}]", within=label),
                replaced(r, f"s: int32[2] = ADD(q, q)\n  r: {element}[2] = ADD(k, k)", within=label),
            )
    for element in ("float32", "int64"):
        yield sound.broken(
            f"output-of-if-{element}: the If's output is declared {element}, the subgraphs return int32",
            replaced("y: int32[2] = IF", f"y: {element}[2] = IF"),
        )
        yield sound.broken(
            f"inputs-of-both-{element}: the first input of both subgraphs is {element}, the operand int32",
            replaced("p: int32[2]", f"p: {element}[2]", within="one"),
            replaced("p: int32[2]", f"p: {element}[2]", within="other"),
        )


def _whole_lists() -> Iterator[Vector]:
    """Types of the same width: a runtime that only copies bytes does not notice the difference."""
    for element, other, a, b in [
        ("uint8", "int8", np.uint8([1, 200]), np.uint8([3, 4])),
        ("int8", "bool", np.int8([1, -2]), np.int8([3, 4])),
        ("float32", "int32", floats(1, -2), floats(3, 4)),
        ("int64", "float64", np.int64([1, -2]), np.int64([3, 4])),
        ("float16", "int16", np.float16([1, -2]), np.float16([3, 4])),
        ("bool", "uint8", np.bool_([1, 0]), np.bool_([0, 0])),
        ("complex64", "float64", np.complex64([1 + 2j, -3]), np.complex64([4, 5j])),
    ]:
        sound = types_agree(
            f"if-passing-{element}: operands, inputs and outputs are {element}",
            _passing(element),
            branches({"a": a, "b": b}, then={"y": a}, else_={"y": b}, cond="c"),
        )
        yield sound.broken(
            f"else-is-of-{other}-not-{element}: else is declared for {other}, which is as wide, the rest for {element}",
            replaced(f"(p: {element}[2], q: {element}[2])", f"(p: {other}[2], q: {other}[2])", within="other"),
        )
        if element in ("bool", "complex64"):
            yield sound.broken(
                f"unread-input-of-{other}-not-{element}: "
                f"else's first input, which it does not read, is declared for {other}, the rest for {element}",
                replaced(f"p: {element}[2]", f"p: {other}[2]", within="other"),
            )


def _behind_the_first() -> Iterator[Vector]:
    """The first of two operands and of two outputs agree everywhere, the second in all places but one."""
    a, b = ints(7, -8), ints(20, 30)
    sound = types_agree(
        "if-of-two: two operands and two outputs of int32; each subgraph returns its first input and a constant",
        tflite("""
            subgraph main (c: bool[], a: int32[2], b: int32[2]) -> (y, z)
              y: int32[2], z: int32[2] = IF(c, a, b) then=one else=other
            subgraph one (p: int32[2], q: int32[2]) -> (p, k)
              k: int32[2] = [1, 2]
            subgraph other (p: int32[2], q: int32[2]) -> (p, k)
              k: int32[2] = [3, 4]
        """),
        branches({"a": a, "b": b}, then={"y": a, "z": ints(1, 2)}, else_={"y": a, "z": ints(3, 4)}, cond="c"),
    )
    for branch, label in [("then", "one"), ("else", "other")]:
        for case, title, tensor in [
            ("input", "has a second input of float32, the operand is int32", "q: "),
            ("output", "returns a second output of float32, the If's is int32", "k: "),
        ]:
            yield sound.broken(
                f"second-{case}-of-{branch}: {branch} {title}",
                replaced(f"{tensor}int32", f"{tensor}float32", within=label),
            )
    yield sound.broken(
        "second-output-of-if: the If's second output is float32, the subgraphs return int32",
        replaced("z: int32", "z: float32"),
    )


def _third() -> Iterator[Vector]:
    """Of three operands and of three outputs, the last disagrees in one place."""
    a, b, d = ints(7, -8), ints(20, 30), ints(5, 6)
    sound = types_agree(
        "if-of-three: "
        "three operands and three outputs of int32; each subgraph returns its first two inputs and a constant",
        tflite("""
            subgraph main (c: bool[], a: int32[2], b: int32[2], d: int32[2]) -> (x, y, z)
              x: int32[2], y: int32[2], z: int32[2] = IF(c, a, b, d) then=one else=other
            subgraph one (p: int32[2], q: int32[2], r: int32[2]) -> (p, q, k)
              k: int32[2] = [1, 2]
            subgraph other (p: int32[2], q: int32[2], r: int32[2]) -> (q, p, k)
              k: int32[2] = [3, 4]
        """),
        branches(
            {"a": a, "b": b, "d": d},
            then={"x": a, "y": b, "z": ints(1, 2)},
            else_={"x": b, "y": a, "z": ints(3, 4)},
            cond="c",
        ),
    )
    for branch, label in [("then", "one"), ("else", "other")]:
        for case, title, tensor in [
            ("input", "has a third input of float32, the operand is int32", "r: "),
            ("output", "returns a third output of float32, the If's is int32", "k: "),
        ]:
            yield sound.broken(
                f"third-{case}-of-{branch}: {branch} {title}",
                replaced(f"{tensor}int32", f"{tensor}float32", within=label),
            )
    yield sound.broken(
        "third-output-of-if: the If's third output is float32, the subgraphs return int32",
        replaced("z: int32", "z: float32"),
    )


def _deep() -> Iterator[Vector]:
    """An If in a subgraph of an If in a subgraph of an If."""
    a = ints(7, -8)
    sound = types_agree(
        "three-levels-down: "
        "an If in the subgraph of an If in the subgraph of an If: operands, inputs and outputs are of int32",
        tflite("""
            subgraph main (c: bool[], d: bool[], a: int32[2]) -> (y)
              y: int32[2] = IF(c, d, a) then=outer else=plain
            subgraph plain (e: bool[], p: int32[2]) -> (m)
              m: int32[2] = NEG(p)
            subgraph outer (e: bool[], p: int32[2]) -> (m)
              m: int32[2] = IF(e, e, p) then=inner else=same
            subgraph inner (e: bool[], p: int32[2]) -> (m)
              m: int32[2] = IF(e, p, p) then=one else=other
            subgraph same (e: bool[], p: int32[2]) -> (p)
            subgraph one (p: int32[2], q: int32[2]) -> (r)
              r: int32[2] = ADD(q, q)
            subgraph other (p: int32[2], q: int32[2]) -> (q)
        """),
        Run({"c": np.True_, "d": np.True_, "a": a}, {"y": a + a}),
        Run({"c": np.True_, "d": np.False_, "a": a}, {"y": a}),
        Run({"c": np.False_, "d": np.True_, "a": a}, {"y": -a}),
        also=["tflite/nested/if-in-if"],
    )
    for branch, label in [("then", "one"), ("else", "other")]:
        yield sound.broken(
            f"three-levels-down-input-of-{branch}: "
            f"the first input of {branch} of the innermost If is float32, the operand int32",
            replaced("p: int32", "p: float32", within=label),
        )
