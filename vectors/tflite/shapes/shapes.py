"""The shape of an If's result is that of the subgraph that ran, whatever is declared."""

from collections.abc import Iterator, Sequence

import numpy as np
from ifcert.authoring import Run, Vector, branches, ints, issue, vectors_of
from ifcert.authoring.tflite import replaced, tflite
from ifcert.authoring.values import Writable

WHY = ["onert-invoked-outputs", "rfc-propagates-shapes"]
OF_RANK = issue(
    "tensorflow/tensorflow",
    124982,
    "a RESHAPE to more dims than its result declares wrote them behind the declared ones",
)
WRAPS = issue(
    "tensorflow/tflite-micro", 3552, "the number of a tensor's elements was counted in 32 bits, and wrapped to 0"
)

shape_of_taken_subgraph = vectors_of(
    "tflite/if/shape-of-taken-subgraph", "onert-invoked-outputs", "rfc-propagates-shapes"
)

NO_ELEMENTS = "no text says that an operator which broadcasts takes tensors without elements"
BINDS = (
    "the RFC propagates shapes that are not static; no text says whether a declared shape that a run does not "
    "keep is binding"
)


def vectors() -> Iterator[Vector]:
    yield _negated_constant()
    yield _computed()
    yield _fixed_beside()


def _constants() -> Iterator[Vector]:
    """Two constants, of each pair of shapes."""
    for case, declared, then_value, else_value in [
        ("lengths", "?", [1, 2], [3, 4, 5]),
        ("length-and-none", "?", [1, 2], []),
        ("scalar-and-length-one", "...", 1, [2]),
        ("scalar-and-matrix", "...", 1, [[2, 3], [4, 5]]),
        ("vector-and-matrix", "...", [1, 2], [[3, 4, 5]]),
        ("matrix-and-its-transpose", "?,?", [[1, 2, 3], [4, 5, 6]], [[1, 4], [2, 5], [3, 6]]),
        ("as-many-elements", "...", [1, 2, 3, 4], [[1, 2], [3, 4]]),
    ]:
        then_array, else_array = np.int32(then_value), np.int32(else_value)
        if else_array.size == 0:
            continue
        yield shape_of_taken_subgraph(
            f"{case}: then returns {then_value}, else {else_value}",
            tflite(f"""
                subgraph main (c: bool[]) -> (y)
                  y: int32[{declared}] = IF(c) then=one else=other
                subgraph one () -> (k)
                  k: int32{list(then_array.shape)} = {then_value}
                subgraph other () -> (k)
                  k: int32{list(else_array.shape)} = {else_value}
            """),
            branches({}, then={"y": then_array}, else_={"y": else_array}, cond="c"),
        )


def _negated_constant() -> Vector:
    """The only run of the session takes else, whose constant is longer than then's."""
    return shape_of_taken_subgraph(
        "longer-constant-negated-in-first-run: "
        "then returns [1, 2], else [3, 4, 5]; the result is negated, and the first run takes else",
        tflite("""
            subgraph main (c: bool[]) -> (z)
              y: int32[?] = IF(c) then=one else=other
              z: int32[?] = NEG(y)
            subgraph one () -> (k)
              k: int32[2] = [1, 2]
            subgraph other () -> (k)
              k: int32[3] = [3, 4, 5]
        """),
        Run({"c": np.False_}, {"z": ints(-3, -4, -5)}),
    )


def _computed() -> Vector:
    """The same; else computes its longer result, and the result is the model's."""
    return shape_of_taken_subgraph(
        "longer-computed-in-first-run: "
        "then returns [1, 2], else the negative of a constant of three, and the first run takes else",
        tflite("""
            subgraph main (c: bool[]) -> (y)
              y: int32[?] = IF(c) then=one else=other
            subgraph one () -> (k)
              k: int32[2] = [1, 2]
            subgraph other () -> (e)
              k: int32[3] = [3, 4, 5]
              e: int32[3] = NEG(k)
        """),
        Run({"c": np.False_}, {"y": ints(-3, -4, -5)}),
    )


def _runs(*steps: tuple[bool, Writable, Writable]) -> list[Run]:
    return [Run({"c": np.bool_(c), "x": x}, {"y": y}) for c, x, y in steps]


def _counted(*shape: int) -> np.ndarray:
    return np.arange(1, 1 + int(np.prod(shape)), dtype=np.int32).reshape(shape)


def _of_the_run() -> Iterator[Vector]:
    """x of unknown dims: twice as long, or as it is."""
    grows = tflite("""
        subgraph main (c: bool[], x: int32[?]) -> (y)
          y: int32[?] = IF(c, x) then=twice else=once
        subgraph twice (p: int32[?]) -> (q)
          q: int32[?] = CONCATENATION(p, p) axis=0
        subgraph once (p: int32[?]) -> (q)
          q: int32[?] = NEG(p)
    """)
    for case, length in [("length-one", 1), ("length-five", 5), ("length-zero", 0)]:
        x = _counted(length)
        yield shape_of_taken_subgraph(
            f"dynamic-{case}: x has {length} elements; then returns it twice, else its negative",
            grows,
            _runs((True, x, np.concatenate([x, x])), (False, x, -x)),
        )
    summed = tflite("""
        subgraph main (c: bool[], x: int32[?,?]) -> (y)
          y: int32[...] = IF(c, x) then=rows else=all
        subgraph rows (p: int32[?,?]) -> (q)
          last: int32[1] = [1]
          q: int32[?] = SUM(p, last)
        subgraph all (p: int32[?,?]) -> (q)
          both: int32[2] = [0, 1]
          q: int32[] = SUM(p, both)
    """)
    x = ints([1, 2, 3], [4, 5, 6])
    yield shape_of_taken_subgraph(
        "dynamic-ranks: then returns a sum for each row, else one of all",
        summed,
        _runs((True, x, ints(6, 15)), (False, x, np.int32(21)), (True, _counted(1, 1), ints(1))),
    )
    by_input = tflite("""
        subgraph main (c: bool[], d: int32[?]) -> (y)
          y: int32[...] = IF(c, d) then=filled else=same
        subgraph filled (p: int32[?]) -> (q)
          seven: int32[] = 7
          q: int32[...] = FILL(p, seven)
        subgraph same (p: int32[?]) -> (p)
    """)
    d = ints(2, 1, 3)
    yield shape_of_taken_subgraph(
        "dims-that-an-input-says: then's shape is given by the operand, else's is [3]",
        by_input,
        branches({"d": d}, then={"y": np.full((2, 1, 3), 7, np.int32)}, else_={"y": d}, cond="c"),
    )

    yield shape_of_taken_subgraph(
        "reshaped-by-then-after-a-run-of-else: "
        "then reshapes x to dims that are fed, else returns its negative, and the first run takes else",
        tflite("""
            subgraph main (c: bool[], x: int32[4], d: int32[2]) -> (y)
              y: int32[...] = IF(c, x, d) then=reshapes else=negates
            subgraph reshapes (p: int32[4], d: int32[2]) -> (q)
              q: int32[?,?] = RESHAPE(p, d)
            subgraph negates (p: int32[4], d: int32[2]) -> (q)
              q: int32[4] = NEG(p)
        """),
        [
            Run({"c": np.bool_(c), "x": ints(1, 2, 3, 4), "d": np.int32(d)}, {"y": np.int32(y)})
            for c, d, y in [
                (False, [2, 2], [-1, -2, -3, -4]),
                (True, [2, 2], [[1, 2], [3, 4]]),
                (True, [1, 4], [[1, 2, 3, 4]]),
                (False, [1, 4], [-1, -2, -3, -4]),
            ]
        ],
    )


LOOP = """
subgraph positive (n: int32[], x: int32[?]) -> (more)
  zero: int32[] = 0
  more: bool[] = GREATER(n, zero)
subgraph appends (n: int32[], x: int32[?]) -> (next, longer)
  one: int32[] = 1
  k: int32[1] = [9]
  next: int32[] = SUB(n, one)
  longer: int32[?] = CONCATENATION(x, k) axis=0
subgraph twice (p: int32[?]) -> (q)
  q: int32[?] = CONCATENATION(p, p) axis=0
subgraph same (p: int32[?]) -> (p)
"""


def _of_a_loop() -> Iterator[Vector]:
    """A length that only the run determines reaches an If from a While, and a While from an If."""
    fed = [(1, 2, [1]), (0, 3, [1]), (1, 0, [1, 2]), (0, 1, [1, 2]), (1, 1, [1, 2])]
    yield shape_of_taken_subgraph(
        "operand-grown-by-a-loop: a While appends to x in each trip, and then returns that twice, else once",
        tflite(
            """subgraph main (c: bool[], n: int32[], x: int32[?]) -> (y, length)
  m: int32[], t: int32[?] = WHILE(n, x) cond=positive body=appends
  y: int32[?] = IF(c, t) then=twice else=same
  length: int32[1] = SHAPE(y)
"""
            + LOOP.lstrip()
        ),
        [
            Run(
                {"c": np.bool_(c), "n": np.int32(n), "x": np.int32(x)},
                {"y": np.int32([*x, *[9] * n] * (1 + c)), "length": ints((len(x) + n) * (1 + c))},
            )
            for c, n, x in fed
        ],
        also=["tflite/while/growing-shape"],
    )
    yield shape_of_taken_subgraph(
        "result-grown-by-a-loop: then returns x twice, else once, and a While appends to that in each trip",
        tflite(
            """subgraph main (c: bool[], n: int32[], x: int32[?]) -> (y)
  t: int32[?] = IF(c, x) then=twice else=same
  m: int32[], y: int32[?] = WHILE(n, t) cond=positive body=appends
"""
            + LOOP.lstrip()
        ),
        [
            Run({"c": np.bool_(c), "n": np.int32(n), "x": np.int32(x)}, {"y": ints(*x * (1 + c), *[9] * n)})
            for c, n, x in fed
        ],
        also=["tflite/while/growing-shape"],
    )


def _fixed_beside() -> Vector:
    """Of two results, one has the same shape in both subgraphs."""
    x = ints(3, 4)
    return shape_of_taken_subgraph(
        "one-fixed-one-of-another-length: "
        "both subgraphs return two elements first; then returns six, else one, after them",
        tflite("""
            subgraph main (c: bool[], x: int32[2]) -> (y, z)
              y: int32[2], z: int32[?] = IF(c, x) then=longer else=shorter
            subgraph longer (p: int32[2]) -> (twice, thrice)
              twice: int32[2] = ADD(p, p)
              thrice: int32[6] = CONCATENATION(p, p, p) axis=0
            subgraph shorter (p: int32[2]) -> (minus, last)
              from: int32[1] = [1]
              one: int32[1] = [1]
              minus: int32[2] = NEG(p)
              last: int32[1] = SLICE(p, from, one)
        """),
        [
            Run({"c": np.bool_(c), "x": x}, {"y": x + x, "z": np.int32([3, 4] * 3)} if c else {"y": -x, "z": ints(4)})
            for c in (1, 0, 1)
        ],
    )


def _used() -> Iterator[Vector]:
    """Operators after the If see the shape of the run."""
    for case, line, declared, then_value, else_value in [
        ("shape-of-it", "z: int32[?] = SHAPE(y)", "z", ints(2, 3), ints(6)),
        ("flattened", "z: int32[?] = RESHAPE(y, all)", "z", ints(1, 2, 3, 4, 5, 6), ints(-1, -2, -3, -4, -5, -6)),
        ("negated", "z: int32[...] = NEG(y)", "z", -_counted(2, 3), _counted(6)),
    ]:
        yield shape_of_taken_subgraph(
            f"{case}: then returns [2,3], else [6]; an operator reads it",
            tflite(f"""
                subgraph main (c: bool[], x: int32[2,3]) -> ({declared})
                  all: int32[1] = [-1]
                  y: int32[...] = IF(c, x) then=same else=flat
                  {line}
                subgraph same (p: int32[2,3]) -> (p)
                subgraph flat (p: int32[2,3]) -> (q)
                  all: int32[1] = [-1]
                  minus: int32[2,3] = NEG(p)
                  q: int32[6] = RESHAPE(minus, all)
            """),
            branches({"x": _counted(2, 3)}, then={declared: then_value}, else_={declared: else_value}, cond="c"),
        )


def _declared() -> Iterator[Vector]:
    """Static shapes that are declared inside and differ from those of the run."""
    model = tflite("""
        subgraph main (c: bool[], x: int32[3]) -> (y)
          y: int32[3] = IF(c, x) then=doubles else=negates
        subgraph doubles (p: int32[3]) -> (q)
          q: int32[3] = ADD(p, p)
        subgraph negates (p: int32[3]) -> (q)
          q: int32[3] = NEG(p)
    """)
    x = ints(1, 2, 3)
    cases: Sequence[tuple] = [
        (
            "input-of-then-declared-longer",
            "then's input is declared with 5 elements",
            [("p: int32[3]", "p: int32[5]", "doubles")],
        ),
        (
            "input-of-then-declared-scalar",
            "then's input is declared as a scalar",
            [("p: int32[3]", "p: int32[]", "doubles")],
        ),
        (
            "input-of-then-declared-too-long-to-count",
            "then's input is declared with 2^32 elements, a number that wraps to 0",
            [("p: int32[3]", "p: int32[65536,65536]", "doubles")],
        ),
        (
            "output-of-else-declared-shorter",
            "else's output is declared with 1 element",
            [("q: int32[3]", "q: int32[1]", "negates")],
        ),
        (
            "bodies-declared-otherwise",
            "both subgraphs are declared for [2,2]",
            [(f"{label}: int32[3]", f"{label}: int32[2,2]", body) for body in ("doubles", "negates") for label in "pq"],
        ),
        (
            "output-of-if-declared-longer",
            "the If's output is declared with 4 elements",
            [("y: int32[3]", "y: int32[4]", "main")],
        ),
    ]
    for case, title, edits in cases:
        yield shape_of_taken_subgraph(
            f"{case}: {title}, and a run has 3",
            model.edited(*(replaced(old, new, within=body) for old, new, body in edits)),
            _runs((True, x, ints(2, 4, 6)), (False, x, ints(-1, -2, -3))),
            why=[*WHY, "reader-hints", WRAPS] if "too-long" in case else [*WHY, "reader-hints"],
            doubt=BINDS,
        )
    yield shape_of_taken_subgraph(
        "one-declared-for-both: the If's output is declared with 2 elements, as then returns; else returns 3",
        tflite("""
            subgraph main (c: bool[]) -> (y)
              y: int32[2] = IF(c) then=one else=other
            subgraph one () -> (k)
              k: int32[2] = [1, 2]
            subgraph other () -> (k)
              k: int32[3] = [3, 4, 5]
        """),
        branches({}, then={"y": ints(1, 2)}, else_={"y": ints(3, 4, 5)}, cond="c"),
        why=[*WHY, "reader-hints"],
        doubt=BINDS,
    )
    yield shape_of_taken_subgraph(
        "as-many-elements-declared-for-both: "
        "the If's output is declared with 4 elements, as then returns; else returns as many, as a matrix",
        tflite("""
            subgraph main (c: bool[]) -> (y)
              y: int32[4] = IF(c) then=one else=other
            subgraph one () -> (k)
              k: int32[4] = [1, 2, 3, 4]
            subgraph other () -> (k)
              k: int32[2,2] = [[1, 2], [3, 4]]
        """),
        branches({}, then={"y": ints(1, 2, 3, 4)}, else_={"y": ints([1, 2], [3, 4])}, cond="c"),
        why=[*WHY, "reader-hints"],
        doubt=BINDS,
    )


def _declared_of_lower_rank() -> Iterator[Vector]:
    """RESHAPE gives its result more dims than the tensor declares: what a reader set aside for them is too short."""
    x, shape = ints(1, 2, 3, 4, 5, 6), (1, 2, 1, 3, 1, 1)
    for case, (line, value) in {
        "reshaped-declared-as-a-list: a RESHAPE of then's input": ("q: int32[6] = RESHAPE(p, to)", x),
        "constant-reshaped-declared-as-a-list: a RESHAPE of a constant": (
            "k: int32[6] = [7, 8, 9, 10, 11, 12]\n              q: int32[6] = RESHAPE(k, to)",
            ints(7, 8, 9, 10, 11, 12),
        ),
        "constant-reshaped-declared-as-a-scalar: a RESHAPE of a constant, declared without dims": (
            "k: int32[6] = [7, 8, 9, 10, 11, 12]\n              q: int32[] = RESHAPE(k, to)",
            ints(7, 8, 9, 10, 11, 12),
        ),
    }.items():
        yield shape_of_taken_subgraph(
            f"{case} to six dims, whose result is declared with fewer, in then",
            tflite(f"""
            subgraph main (c: bool[], x: int32[6]) -> (y)
              y: int32[...] = IF(c, x) then=deep else=same
            subgraph deep (p: int32[6]) -> (q)
              to: int32[6] = {list(shape)}
              {line}
            subgraph same (p: int32[6]) -> (p)
            """),
            branches({"x": x}, then={"y": value.reshape(shape)}, else_={"y": x}, cond="c"),
            why=[*WHY, "reader-hints", OF_RANK],
            doubt=BINDS,
        )


def _without_elements() -> Iterator[Vector]:
    """A matrix without rows or columns and a stored operand that is broadcast; then the same with one of them."""
    for case, (what, operator, of_x, k) in {
        "no-rows-times-a-row": (
            "each row of a matrix without rows, multiplied element by element by a stored row",
            "MUL",
            [0, 2],
            [3, 4],
        ),
        "one-row-times-a-row": (
            "the row of a matrix of one row, multiplied element by element by a stored row",
            "MUL",
            [1, 2],
            [3, 4],
        ),
        "no-columns-times-nothing": (
            "each row of a matrix without columns, multiplied element by element by an empty row",
            "MUL",
            [2, 0],
            [],
        ),
        "one-column-times-one": (
            "each row of a matrix of one column, multiplied by a stored row of one element",
            "MUL",
            [2, 1],
            [3],
        ),
        "no-columns-plus-nothing": (
            "each row of a matrix without columns, added element by element to an empty row",
            "ADD",
            [2, 0],
            [],
        ),
        "one-column-plus-one": (
            "each row of a matrix of one column, added to a stored row of one element",
            "ADD",
            [2, 1],
            [3],
        ),
    }.items():
        x = np.arange(1, np.prod(of_x) + 1, dtype=np.float32).reshape(of_x)
        row = np.float32(k)
        dims = ",".join(str(dim) for dim in of_x)
        yield shape_of_taken_subgraph(
            f"{case}: then returns {what}",
            tflite(f"""
                subgraph main (c: bool[], x: float32[{dims}]) -> (y)
                  y: float32[{dims}] = IF(c, x) then=broadcasts else=minus
                subgraph broadcasts (x: float32[{dims}]) -> (y)
                  row: float32[{len(k)}] = {k}
                  y: float32[{dims}] = {operator}(x, row)
                subgraph minus (x: float32[{dims}]) -> (y)
                  y: float32[{dims}] = NEG(x)
            """),
            [
                Run({"c": np.bool_(c), "x": x}, {"y": (x * row if operator == "MUL" else x + row) if c else -x})
                for c in (True, False, True)
            ],
            doubt=NO_ELEMENTS if x.size == 0 else "",
            about=[] if k else ["empty-constants"],
        )
