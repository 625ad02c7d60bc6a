"""Models of every kind as Circle files, which mean the same as TensorFlow Lite files."""

from collections.abc import Iterator, Sequence

import numpy as np
from ifcert.authoring import Run, Vector, branches, codes, floats, ints
from ifcert.authoring.tflite import TfliteModel, as_circle, replaced, tflite
from ifcert.authoring.tflite_patterns import ADDS_OR_NEGATES, RUNS

RULE = "tflite/file/identifier/circle-"
WHY = ["onert-follows-tf-lite", "reader-circle-same"]
A, B = ints(7, -8), ints(20, 30)


def vectors() -> Iterator[Vector]:
    for case, title, model, runs in [
        _version(),
        _swaps(),
        _constants(),
        _shapes(),
        _bits(),
        _two(),
        _nested(),
        _loop(),
    ]:
        yield Vector(RULE + case, title + ", as a Circle file", WHY, model.edited(as_circle), runs)
    for case, title, model, runs in [_choice_in_loop(), _untaken(), _version_of_operator()]:
        yield Vector(RULE + case, title + ", as a Circle file", WHY, model.edited(as_circle), runs)
    sound = Vector(RULE + "sound", "x + [10, 20], else -x", WHY, ADDS_OR_NEGATES.edited(as_circle), RUNS)
    for case, old, new in [
        ("index-99: then's index is 99, of three subgraphs", "then=adds", "then=99"),
        ("no-options: the If has no options", "then=adds else=negates", "options=none"),
        ("operand-missing: the If has only cond, but the subgraphs have one input", "IF(c, x)", "IF(c)"),
    ]:
        yield sound.broken(f"{RULE}{case}, as a Circle file", replaced(old, new))


Case = tuple[str, str, TfliteModel, Sequence[Run]]


def _both(then_values: dict, else_values: dict, **fed: np.ndarray) -> list[Run]:
    return branches(fed, then=then_values, else_=else_values, cond="c")


def _version() -> Case:
    model = ADDS_OR_NEGATES.edited(lambda text: "model tflite version=3\n" + text)
    return "version-3", "a model that declares version 3", model, RUNS


def _swaps() -> Case:
    model = tflite("""
        subgraph main (c: bool[], a: int32[2], b: int32[2]) -> (y, z)
          y: int32[2], z: int32[2] = IF(c, a, b) then=same else=swaps
        subgraph same (p: int32[2], q: int32[2]) -> (p, q)
        subgraph swaps (p: int32[2], q: int32[2]) -> (q, p)
    """)
    return "swaps", "operands pass through or are swapped", model, _both({"y": A, "z": B}, {"y": B, "z": A}, a=A, b=B)


def _constants() -> Case:
    model = tflite("""
        subgraph main (c: bool[]) -> (y)
          y: int32[2] = IF(c) then=one else=other
        subgraph one () -> (k)
          k: int32[2] = [1, 2]
        subgraph other () -> (k)
          k: int32[2] = [3, 4]
    """)
    return "constants", "a constant or another", model, _both({"y": ints(1, 2)}, {"y": ints(3, 4)})


def _shapes() -> Case:
    model = tflite("""
        subgraph main (c: bool[], x: int32[?]) -> (y)
          y: int32[?] = IF(c, x) then=twice else=negates
        subgraph twice (p: int32[?]) -> (q)
          q: int32[?] = CONCATENATION(p, p) axis=0
        subgraph negates (p: int32[?]) -> (q)
          q: int32[?] = NEG(p)
    """)
    x = ints(1, 2, 3)
    return "dynamic-shapes", "x twice, or -x", model, _both({"y": ints(1, 2, 3, 1, 2, 3)}, {"y": -x}, x=x)


def _bits() -> Case:
    model = tflite("""
        subgraph main (c: bool[], a: float32[4], b: float32[4]) -> (y)
          y: float32[4] = IF(c, a, b) then=first else=second
        subgraph first (p: float32[4], q: float32[4]) -> (p)
        subgraph second (p: float32[4], q: float32[4]) -> (q)
    """)
    a = codes("float32", [4], [0x7FC00001, 0x80000000, 0x00000001, 0xFF800000])
    b = codes("float32", [4], [0xFFC54321, 0x7F7FFFFF, 0x80000001, 0x7F800000])
    runs = branches({"a": a, "b": b}, then={"y": a}, else_={"y": b}, cond="c")
    return "bits-kept", "NaNs, -0.0 and subnormals pass", model, runs


def _two() -> Case:
    model = tflite("""
        subgraph main (c: bool[], a: int32[2], b: int32[2]) -> (y, z)
          y: int32[2] = IF(c, a) then=doubles else=negates
          z: int32[2] = IF(c, b) then=negates else=doubles
        subgraph doubles (p: int32[2]) -> (q)
          q: int32[2] = ADD(p, p)
        subgraph negates (p: int32[2]) -> (q)
          q: int32[2] = NEG(p)
    """)
    runs = _both({"y": A + A, "z": -B}, {"y": -A, "z": B + B}, a=A, b=B)
    return "shared-subgraphs", "two Ifs share two subgraphs", model, runs


def _nested() -> Case:
    model = tflite("""
        subgraph main (a: bool[], b: bool[], d: bool[]) -> (y)
          y: float32[1] = IF(a, b, d) then=left else=right
        subgraph left (b: bool[], d: bool[]) -> (y)
          y: float32[1] = IF(b) then=eight else=six
        subgraph right (b: bool[], d: bool[]) -> (y)
          y: float32[1] = IF(d) then=four else=two
        subgraph eight () -> (k)
          k: float32[1] = [8]
        subgraph six () -> (k)
          k: float32[1] = [6]
        subgraph four () -> (k)
          k: float32[1] = [4]
        subgraph two () -> (k)
          k: float32[1] = [2]
    """)
    runs = [
        Run({"a": np.bool_(a), "b": np.bool_(b), "d": np.bool_(d)}, {"y": floats(y)})
        for a, b, d, y in [(1, 1, 0, 8), (1, 0, 1, 6), (0, 0, 1, 4), (0, 1, 0, 2)]
    ]
    return "nested", "if(a){if(b)8 else 6}{if(d)4 else 2}", model, runs


LOOP_BODIES = """
        subgraph small (x: int32[]) -> (c)
          k: int32[] = 50
          c: bool[] = LESS(x, k)
        subgraph doubles (x: int32[]) -> (y)
          y: int32[] = ADD(x, x)
"""


def _loop() -> Case:
    model = tflite(f"""
        subgraph main (x: int32[]) -> (y)
          y: int32[] = WHILE(x) cond=small body=doubles
        {LOOP_BODIES}""")
    return "while", "x is doubled while it is less than 50", model, [Run({"x": np.int32(3)}, {"y": np.int32(96)})]


def _choice_in_loop() -> Case:
    """9, 10, 11, 22, 44, 88; and 12, 24, 48, 96."""
    model = tflite(f"""
        subgraph main (x: int32[]) -> (y)
          y: int32[] = WHILE(x) cond=small body=steps
        {LOOP_BODIES}
        subgraph steps (x: int32[]) -> (z)
          ten: int32[] = 10
          c: bool[] = GREATER(x, ten)
          z: int32[] = IF(c, x) then=doubles else=adds
        subgraph adds (x: int32[]) -> (y)
          one: int32[] = 1
          y: int32[] = ADD(x, one)
    """)
    runs = [Run({"x": np.int32(9)}, {"y": np.int32(88)}), Run({"x": np.int32(12)}, {"y": np.int32(96)})]
    return "if-in-while", "1 is added to x up to 11, then it is doubled up to 50", model, runs


def _untaken() -> Case:
    model = tflite("""
        subgraph main (c: bool[], x: int32[3], i: int32[2]) -> (y)
          y: int32[?] = IF(c, x, i) then=gathers else=negates
        subgraph gathers (x: int32[3], i: int32[2]) -> (y)
          y: int32[2] = GATHER(x, i) axis=0
        subgraph negates (x: int32[3], i: int32[2]) -> (y)
          y: int32[3] = NEG(x)
    """)
    x = ints(7, 8, 9)
    runs = [
        Run({"c": np.False_, "x": x, "i": ints(99, -5)}, {"y": -x}),
        Run({"c": np.True_, "x": x, "i": ints(2, 0)}, {"y": ints(9, 7)}),
    ]
    return "untaken-gather", "GATHER at 99 in then, which is not taken", model, runs


def _version_of_operator() -> Case:
    model = ADDS_OR_NEGATES.edited(replaced("ADD(a, k)", "ADD(a, k) version=2"))
    return "operator-version-2", "ADD of version 2", model, RUNS
