"""One session, run again and again: no run sees another's data."""

from collections.abc import Iterator, Mapping

import numpy as np
from ifcert.authoring import Concurrent, Reread, Run, Vector, codes, floats, ints, issue, strings, vectors_of
from ifcert.authoring.ir import IrModel
from ifcert.authoring.ir_bodies import (
    Body,
    applied,
    applied_to_constant,
    body,
    constant,
    gives,
    if_layer,
    if_model,
    passed,
    takes,
)
from ifcert.authoring.ir_text import const, edges, net, operation, parameter, result
from ifcert.authoring.values import Writable
from ifcert.authoring.vector import Step

STALE = issue("openvinotoolkit/openvino", 20740, "the condition of one plug-in used layouts of an earlier run")
PREALLOCATED = issue("openvinotoolkit/openvino", 18051, "preallocated memory had another run's shape")

no_state_between_runs = vectors_of("openvino/if/no-state-between-runs", "if-8-outputs")


def vectors() -> Iterator[Vector]:
    for sequence in (_lengths(), _matrices(), _constants(), _texts(), _nested(), _wide(), _known(), _known_in_body()):
        yield sequence
        yield from sequence.cold()


def _growing(type_: str = "f32[?]") -> IrModel:
    """x twice, or -x."""
    return if_model(
        {"cond": "boolean[]", "x": type_},
        {"y": type_},
        applied("Concat", type_, to=2),
        applied("Negative", type_, to=2),
    )


def _grown(cond: bool, x: np.ndarray, *, hold: bool = False) -> Run:
    return Run({"cond": np.bool_(cond), "x": x}, {"y": np.concatenate([x, x]) if cond else -x}, hold=hold)


def _counted(*shape: int, first: int = 1) -> np.ndarray:
    return np.arange(first, first + int(np.prod(shape)), dtype=np.float32).reshape(shape)


def _lengths() -> Vector:
    steps = [(True, 2), (False, 5), (True, 1), (False, 1), (True, 0), (False, 3), (True, 3), (False, 2)]
    return no_state_between_runs(
        "lengths-grow-and-shrink: x of [?] in eight lengths, both bodies in turn",
        _growing(),
        [_grown(cond, _counted(length, first=1 + 10 * number)) for number, (cond, length) in enumerate(steps)],
        why=["if-8-outputs", STALE, PREALLOCATED],
    )


def _matrices() -> Vector:
    steps = [(False, (2, 3)), (True, (3, 2)), (False, (1, 6)), (True, (6, 1)), (False, (3, 3)), (True, (1, 1))]
    return no_state_between_runs(
        "shapes-of-as-many-elements: x of [?,?] in other shapes, some with as many elements",
        _growing("f32[?,?]"),
        [_grown(cond, _counted(*shape)) for cond, shape in steps],
        why=["if-8-outputs", STALE],
    )


def _constants() -> Vector:
    """Sums with a constant of the body: if a run overwrote it, a later run would show it."""

    def plus(*numbers: int) -> Body:
        return applied_to_constant("Add", "i64[2]", np.int64(numbers), to=2)

    runs = []
    for number, cond in enumerate([True, True, False, True, False, False]):
        x = np.int64([number, -number])
        runs.append(
            Run({"cond": np.bool_(cond), "x": x}, {"y": x + (np.int64([100, 200]) if cond else np.int64([7, 8]))})
        )
    return no_state_between_runs(
        "constants-stay: sums with constants of the bodies, again and again",
        if_model({"cond": "boolean[]", "x": "i64[2]"}, {"y": "i64[2]"}, plus(100, 200), plus(7, 8)),
        runs,
    )


# The sum of the constant [[1, 2], [3, 4]] over axis 0 is [4, 6]; layers 30 to 32 compute it.
SUM = [
    const(30, np.uint8([[1, 2], [3, 4]])),
    const(31, np.int64([0])),
    operation(32, "ReduceSum", ["u8[2,2]", "i64[1]"], "u8[2]", data='keep_dims="false"'),
    edges("30:0>32:0 31:0>32:1"),
]


def _known() -> Vector:
    """An If that can be computed before the runs, and a sum that could be written over its result."""
    type_ = "i32[2]"
    model = net(
        parameter(0, "x", type_),
        *SUM,
        const(33, np.int64([0])),
        operation(34, "ReduceSum", ["u8[2]", "i64[1]"], "u8[]", data='keep_dims="false"'),
        const(35, np.uint8(10)),
        operation(36, "Equal", ["u8[]", "u8[]"], "boolean[]"),
        if_layer(40, ["boolean[]"], {"": type_}, constant(ints(100, 200), to=1), constant(ints(7, 8), to=1)),
        operation(41, "Add", [type_, type_], type_, name="y"),
        result(50, type_),
        edges("32:2>34:0 33:0>34:1 34:2>36:0 35:0>36:1 36:2>40:0 40:1>41:0 0:0>41:1 41:2>50:0"),
    )
    return no_state_between_runs(
        "known-beforehand: an If of constants alone, whose cond is computed; x is added to its output, again and again",
        model,
        [Run({"x": np.int32(x)}, {"y": np.int32(x) + ints(100, 200)}) for x in ([1, 2], [1, 2], [-30, 5])],
    )


def _known_in_body() -> Vector:
    """The same of a sum of constants in a body."""
    sums = body(
        [takes(1, 0), gives(2, 3)],
        parameter(0, "a", "f32[2]"),
        *SUM,
        operation(33, "Convert", ["u8[2]"], "f32[2]", data='destination_type="f32"'),
        operation(2, "Add", ["f32[2]", "f32[2]"], "f32[2]"),
        result(3, "f32[2]"),
        edges("32:2>33:0 33:1>2:0 0:0>2:1 2:2>3:0"),
    )
    runs = []
    for cond, numbers in [(True, [1, 2]), (False, [3, 4]), (True, [1, 2]), (True, [-30, 5])]:
        x = np.float32(numbers)
        runs.append(Run({"cond": np.bool_(cond), "x": x}, {"y": x + floats(4, 6) if cond else -x}))
    return no_state_between_runs(
        "known-beforehand-in-body: then_body adds its input to a sum of constants, again and again",
        if_model({"cond": "boolean[]", "x": "f32[2]"}, {"y": "f32[2]"}, sums, applied("Negative", "f32[2]", to=2)),
        runs,
    )


def _texts() -> Vector:
    """Strings have memory of their own: short after long, none after some."""
    lists = [[b"a" * 100, b"b"], [b""], [], [b"caf\xc3\xa9", b"", b"c" * 30]]
    runs = []
    for number, texts in enumerate(lists * 2):
        given = strings([len(texts)], texts)
        held = strings([1], [b"a constant that isn't short text"])
        runs.append(Run({"cond": np.bool_(number % 3), "x": given}, {"y": given if number % 3 else held}))
    held = strings([1], [b"a constant that isn't short text"])
    return no_state_between_runs(
        "texts: strings of other lengths and numbers",
        if_model(
            {"cond": "boolean[]", "x": "string[?]"}, {"y": "string[?]"}, passed("string[?]", to=2), constant(held, to=2)
        ),
        runs,
    )


def _nested() -> Vector:
    """Two conds in all orders, with lengths that change."""
    inner = if_layer(
        2,
        ["boolean[]", "f32[?]"],
        {"": "f32[?]"},
        applied("Concat", "f32[?]", to=2),
        applied("Negative", "f32[?]", to=2),
        name="inner",
    )
    then_body = body(
        [takes(1, 0), takes(2, 1), gives(3, 3)],
        parameter(0, "c", "boolean[]"),
        parameter(1, "a", "f32[?]"),
        inner,
        result(3, "f32[?]"),
        edges("0:0>2:0 1:0>2:1 2:2>3:0"),
    )
    runs = []
    for number, (p, q) in enumerate([(1, 1), (0, 1), (1, 0), (0, 0), (1, 1), (1, 0)]):
        x = _counted(1 + number * 2 % 5, first=number)
        of_inner = np.concatenate([x, x]) if q else -x
        runs.append(Run({"p": np.bool_(p), "q": np.bool_(q), "x": x}, {"y": of_inner if p else x + x}))
    return no_state_between_runs(
        "nested: an If in an If, with conds and lengths that change",
        if_model(
            {"p": "boolean[]", "q": "boolean[]", "x": "f32[?]"},
            {"y": "f32[?]"},
            then_body,
            applied("Add", "f32[?]", to=3, of=2),
        ),
        runs,
    )


def _wide() -> Vector:
    """Many elements, then few: a later run must not see the rest of the earlier one."""
    runs = [
        _grown(True, _counted(1000)),
        _grown(False, _counted(2)),
        _grown(True, _counted(3)),
        _grown(False, _counted(1000)),
    ]
    return no_state_between_runs(
        "thousand-and-two: a thousand elements, then two", _growing(), runs, why=["if-8-outputs", PREALLOCATED]
    )


def _steady() -> IrModel:
    """x + x, or x unchanged, beside a constant."""
    doubled = body(
        [takes(1, 0), gives(2, 3), gives(3, 4)],
        parameter(0, "a", "f32[2]"),
        operation(1, "Add", ["f32[2]", "f32[2]"], "f32[2]"),
        const(2, floats(1, 2)),
        result(3, "f32[2]"),
        result(4, "f32[2]"),
        edges("0:0>1:0 0:0>1:1 1:2>3:0 2:0>4:0"),
    )
    given = body(
        [takes(1, 0), gives(2, 3), gives(3, 4)],
        parameter(0, "a", "f32[2]"),
        operation(1, "Negative", ["f32[2]"], "f32[2]"),
        result(3, "f32[2]"),
        result(4, "f32[2]"),
        edges("0:0>1:0 0:0>3:0 1:1>4:0"),
    )
    return if_model({"cond": "boolean[]", "x": "f32[2]"}, {"y": "f32[2]", "z": "f32[2]"}, doubled, given)


def _steady_run(cond: bool, x: np.ndarray, *, hold: bool = False) -> Run:
    expected: Mapping[str, Writable] = {"y": x + x, "z": floats(1, 2)} if cond else {"y": x, "z": -x}
    return Run({"cond": np.bool_(cond), "x": x}, expected, hold=hold)


def _held() -> Iterator[Vector]:
    """Results are kept as the runtime returned them, and read again after later runs."""
    for case, conds in [
        ("held-other-body: the result of then_body has not changed after else_body has run", [True, False]),
        ("held-other-body-of-else: the result of else_body has not changed after then_body has run", [False, True]),
        ("held-same-body: the result of then_body has not changed after it has run again", [True, True]),
        ("held-same-body-of-else: the result of else_body has not changed after it has run again", [False, False]),
    ]:
        first, second = conds
        yield no_state_between_runs(
            case,
            _steady(),
            _steady_run(first, floats(1, -2), hold=True),
            _steady_run(second, floats(30, 40)),
            Reread(of=0),
        )
    steps: list[Step] = [_grown(bool(i % 2), _counted(1 + i, first=1 + 10 * i), hold=True) for i in range(6)]
    yield no_state_between_runs(
        "held-of-growing-lengths: six results of other lengths, each unchanged after all have run",
        _growing(),
        [*steps, *(Reread(of=i) for i in range(6))],
    )
    yield _held_and_joined()
    payload = codes("float32", [2], [0x7FC00001, 0x80000000])
    yield no_state_between_runs(
        "held-input-passed: a value that passed through is held while other values pass",
        if_model({"cond": "boolean[]", "x": "f32[2]"}, {"y": "f32[2]"}, passed("f32[2]", to=2), passed("f32[2]", to=2)),
        Run({"cond": np.True_, "x": payload}, {"y": payload}, hold=True),
        Run({"cond": np.True_, "x": floats(3, 4)}, {"y": floats(3, 4)}),
        Run({"cond": np.False_, "x": floats(5, 6)}, {"y": floats(5, 6)}),
        Reread(of=0),
    )


def _held_and_joined() -> Vector:
    """The If's result is put below x, and the matrix is held while a wider one is computed."""
    wide = "f32[1,?]"
    model = net(
        parameter(0, "cond", "boolean[]"),
        parameter(1, "x", wide),
        if_layer(2, ["boolean[]", wide], {"": wide}, applied("Add", wide, to=2), applied("Negative", wide, to=2)),
        operation(3, "Concat", [wide, wide], "f32[2,?]", data='axis="0"', name="y"),
        result(4, "f32[2,?]"),
        edges("0:0>2:0 1:0>2:1 1:0>3:0 2:2>3:1 3:2>4:0"),
    )
    return no_state_between_runs(
        "held-and-joined: a matrix of x and the If's result has not changed after a wider one has been computed",
        model,
        Run({"cond": np.True_, "x": floats([1, -2])}, {"y": floats([1, -2], [2, -4])}, hold=True),
        Run({"cond": np.False_, "x": floats([30, 40, 50])}, {"y": floats([30, 40, 50], [-30, -40, -50])}, hold=True),
        Reread(of=0),
        Reread(of=1),
    )


THREADS = 8


def _concurrent() -> Iterator[Vector]:
    """As many runs as there are threads, among them the session's first, and the results of each alone."""
    for case, (title, model, run) in {
        "threads": (
            "eight runs at the same time, both bodies",
            _steady(),
            lambda i: _steady_run(i % 2 == 0, floats(i, -i)),
        ),
        "threads-of-other-lengths": (
            "eight runs at the same time, of eight lengths",
            _growing(),
            lambda i: _grown(i % 2 == 0, _counted(1 + i, first=100 * i)),
        ),
    }.items():
        runs = [run(i) for i in range(THREADS)]
        yield no_state_between_runs(f"{case}: {title}", model, Concurrent(runs))
        yield no_state_between_runs(f"{case}-after-a-run: {title}, after one alone", model, [run(3), Concurrent(runs)])
        yield no_state_between_runs(f"{case}-one-by-one: the same runs, one after the other", model, runs)
