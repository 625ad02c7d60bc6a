"""Sources of the ports of an If: one value twice, constants, and more values than a word has bits."""

from collections.abc import Iterator, Sequence

import numpy as np
from ifcert.authoring import Run, Vector, floats, ints, issue, vectors_of
from ifcert.authoring.ir import IrModel
from ifcert.authoring.ir_bodies import Body, body, gives, if_layer, passed, takes
from ifcert.authoring.ir_text import const, edges, net, operation, parameter, result

PUSHED = issue("openvinotoolkit/openvino", 15250, "constants that lead to an If are moved into its bodies")
CACHED = issue("openvinotoolkit/openvino", 18067, "the same, for a constant that leads to several ports")
HALVES = issue("openvinotoolkit/openvino", 10905, "passes on constants of f16 did not reach into bodies")
ALIKE = issue("openvinotoolkit/openvino", 17695, "the same, for a constant that both bodies read")
TWICE = issue("openvinotoolkit/openvino", 26555, "a value that leads to two ports of an If was removed twice")

every_parameter_mapped = vectors_of("openvino/if/every-parameter-mapped", "if-8-parameters-mapped", PUSHED)

TYPE, BOOLEAN = "i32[2]", "boolean[]"
A, B, K, L = ints(1, -2), ints(30, 40), ints(500, 600), ints(7000, 9000)


def _runs(then_value: np.ndarray, else_value: np.ndarray, fed: str = "ab") -> list[Run]:
    inputs = {name: {"a": A, "b": B}[name] for name in fed}
    return [
        Run({"cond": np.bool_(cond), **inputs}, {"y": then_value if cond else else_value})
        for cond in (True, False, True)
    ]


def _difference(minuend: int, subtrahend: int, *, to: int, operator: str = "Subtract") -> Body:
    """Of the values at these ports, or what another operator makes of them."""
    return body(
        [takes(minuend, 10), takes(subtrahend, 11), gives(to, 13)],
        parameter(10, "p", TYPE),
        parameter(11, "q", TYPE),
        operation(12, operator, [TYPE, TYPE], TYPE),
        result(13, TYPE),
        edges("10:0>12:0 11:0>12:1 12:2>13:0"),
    )


def _fed(into: str, then_body: Body, else_body: Body, *layers: str) -> IrModel:
    """cond, a and b are layers 0, 1 and 2, where `into` leads them to the If, layer 50, as it does `layers`."""
    count, fed = len(into.split()), _inputs(into)
    return net(
        parameter(0, "cond", BOOLEAN),
        *(parameter(i, name, TYPE) for i, name in enumerate("ab", 1) if name in fed),
        *layers,
        if_layer(50, [BOOLEAN, *[TYPE] * (count - 1)], {"y": TYPE}, then_body, else_body),
        result(60, TYPE),
        edges(f"{into} 50:{count}>60:0"),
    )


def _inputs(into: str) -> str:
    """Of a and b, layers 1 and 2, those that are led somewhere."""
    sources = {edge.partition(":")[0] for edge in into.split()}
    return "".join(name for i, name in enumerate("ab", 1) if str(i) in sources)


def _twice() -> Iterator[Vector]:
    """a leads to ports 1 and 3, b to port 2."""
    into = "0:0>50:0 1:0>50:1 2:0>50:2 1:0>50:3"
    each = [_difference(1, 2, to=4), _difference(2, 3, to=4)]
    both = [_difference(1, 3, to=4, operator="Add"), _twice_the_value(2, to=4)]
    for case, title, bodies, then_value, else_value in [
        ("one-each", "then_body reads the first, else_body the second", each, A - B, B - A),
        ("both-by-then", "then_body reads both, else_body neither", both, 2 * A, 2 * B),
    ]:
        yield every_parameter_mapped(
            f"same-value-at-two-ports-{case}: a leads to two ports: {title}",
            _fed(into, *bodies),
            _runs(then_value, else_value),
            why=["if-8-parameters-mapped", "reader-many-takers", TWICE],
        )
    model = net(
        parameter(0, "cond", BOOLEAN),
        parameter(1, "a", TYPE),
        parameter(2, "b", TYPE),
        if_layer(50, [BOOLEAN, BOOLEAN, TYPE], {"y": TYPE}, _plus_one_if(1, 2, to=3), _plus_one_if(1, 2, to=3)),
        operation(55, "Add", [TYPE, TYPE], TYPE, name="sum"),
        result(60, TYPE),
        edges("0:0>50:0 0:0>50:1 1:0>50:2 50:3>55:0 2:0>55:1 55:2>60:0"),
    )
    yield Vector(
        "openvino/if/cond-required/as-data-at-another-port",
        "cond leads to a second port, which both bodies read as a number: 1 or 0",
        ["if-8-external-port-id-range", "reader-many-takers", TWICE],
        model,
        [
            Run({"cond": np.bool_(cond), "a": A, "b": B}, {"sum": A + np.int32(cond) + B})
            for cond in (True, False, True)
        ],
    )


def _twice_the_value(port: int, *, to: int) -> Body:
    """The value at this port plus itself."""
    return body(
        [takes(port, 10), gives(to, 13)],
        parameter(10, "p", TYPE),
        operation(12, "Add", [TYPE, TYPE], TYPE),
        result(13, TYPE),
        edges("10:0>12:0 10:0>12:1 12:2>13:0"),
    )


def _plus_one_if(flag: int, value: int, *, to: int) -> Body:
    """The value at one port, plus 1 if the boolean at another is true."""
    return body(
        [takes(flag, 10), takes(value, 11), gives(to, 14)],
        parameter(10, "flag", BOOLEAN),
        parameter(11, "p", TYPE),
        operation(12, "Convert", [BOOLEAN], "i32[]", data='destination_type="i32"'),
        operation(13, "Add", [TYPE, "i32[]"], TYPE),
        result(14, TYPE),
        edges("10:0>12:0 11:0>13:0 12:1>13:1 13:2>14:0"),
    )


def _constants() -> Iterator[Vector]:
    """Constants of the main network, k and l, among a and b."""
    k, l = const(30, K), const(31, L)  # noqa: E741 -- k and l, as the titles call them
    for case, (title, into, of_then, of_else, then_value, else_value, layers, why) in {
        "before-others": ("k, a, b", "30:0>50:1 1:0>50:2 2:0>50:3", (1, 2), (2, 3), K - A, A - B, [k], []),
        "among-others": ("a, k, b", "1:0>50:1 30:0>50:2 2:0>50:3", (1, 2), (3, 2), A - K, B - K, [k], [ALIKE]),
        "behind-others": ("a, b, k", "1:0>50:1 2:0>50:2 30:0>50:3", (3, 1), (2, 1), K - A, B - A, [k], []),
        "two-before-others": (
            "k, l, a, b",
            "30:0>50:1 31:0>50:2 1:0>50:3 2:0>50:4",
            (2, 3),
            (4, 1),
            L - A,
            B - K,
            [k, l],
            [],
        ),
        "in-turn-with-others": (
            "k, a, l, b",
            "30:0>50:1 1:0>50:2 31:0>50:3 2:0>50:4",
            (1, 4),
            (3, 2),
            K - B,
            L - A,
            [k, l],
            [],
        ),
        "twice": ("k, a, k, b", "30:0>50:1 1:0>50:2 30:0>50:3 2:0>50:4", (1, 2), (4, 3), K - A, B - K, [k], [CACHED]),
        "alone": ("k, l", "30:0>50:1 31:0>50:2", (1, 2), (2, 1), K - L, L - K, [k, l], []),
    }.items():
        ports = len(into.split()) + 1
        yield every_parameter_mapped(
            f"constant-{case}: "
            f"constants of the main network lead to ports of the If: the inputs behind cond are {title}",
            _fed(f"0:0>50:0 {into}", _difference(*of_then, to=ports), _difference(*of_else, to=ports), *layers),
            _runs(then_value, else_value, _inputs(into)),
            why=["if-8-parameters-mapped", PUSHED, *why],
        )
    returned = [passed(TYPE, to=3), passed(TYPE, to=3, of=2)]
    yield every_parameter_mapped(
        "constant-returned: "
        "then_body returns its first Parameter, to which a constant of the main network leads, else_body its second",
        _fed("0:0>50:0 30:0>50:1 1:0>50:2", *returned, k),
        _runs(K, A, "a"),
    )


def _computed_constants() -> Iterator[Vector]:
    """-k, which no input changes."""
    negative = [const(30, K), operation(31, "Negative", [TYPE], TYPE)]
    yield every_parameter_mapped(
        "constant-computed: the negative of a constant leads to the first port behind cond, a and b to the others",
        _computed(negative),
        _runs(-K - A, B + K),
    )


def _halves() -> Iterator[Vector]:
    """A constant of f16, converted to f32 outside of the If or in a body: how IR stores weights in half the size."""
    wide, x = "f32[2]", floats(1, -2)
    held = np.float16([0.5, 0.333])
    converted = operation(31, "Convert", ["f16[2]"], wide, data='destination_type="f32"')
    plus = body(
        [takes(1, 10), takes(2, 11), gives(3, 13)],
        parameter(10, "p", wide),
        parameter(11, "q", wide),
        operation(12, "Add", [wide, wide], wide),
        result(13, wide),
        edges("10:0>12:0 11:0>12:1 12:2>13:0"),
    )
    within = body(
        [takes(1, 10), gives(3, 13)],
        parameter(10, "p", wide),
        const(30, held),
        converted,
        operation(12, "Add", [wide, wide], wide),
        result(13, wide),
        edges("30:0>31:0 10:0>12:0 31:1>12:1 12:2>13:0"),
    )
    yield every_parameter_mapped(
        "constant-converted: "
        "a constant of f16, converted to f32, leads to the If; else_body has the same constant of its own",
        net(
            parameter(0, "cond", BOOLEAN),
            parameter(1, "a", wide),
            const(30, held),
            converted,
            if_layer(50, [BOOLEAN, wide, wide], {"y": wide}, plus, within),
            result(60, wide),
            edges("30:0>31:0 0:0>50:0 1:0>50:1 31:1>50:2 50:3>60:0"),
        ),
        # 0.333 as an f16 is 1364/4096; each sum is exact in f32
        [Run({"cond": np.bool_(cond), "a": x}, {"y": floats(1.5, -2 + 1364 / 4096)}) for cond in (True, False, True)],
        why=["if-8-parameters-mapped", PUSHED, HALVES],
    )


def _computed(layers: Sequence[str]) -> IrModel:
    return net(
        parameter(0, "cond", BOOLEAN),
        parameter(1, "a", TYPE),
        parameter(2, "b", TYPE),
        *layers,
        if_layer(50, [BOOLEAN, TYPE, TYPE, TYPE], {"y": TYPE}, _difference(1, 2, to=4), _difference(3, 1, to=4)),
        result(60, TYPE),
        edges("30:0>31:0 0:0>50:0 31:1>50:1 1:0>50:2 2:0>50:3 50:4>60:0"),
    )


def _constants_two_levels_down() -> Iterator[Vector]:
    """A constant of the main network is passed through the outer body into the inner one, as data and as cond."""
    inner = if_layer(
        13, [BOOLEAN, TYPE, TYPE], {"": TYPE}, _difference(1, 2, to=3), _difference(2, 1, to=3), name="inner"
    )
    for case, inner_cond, values in [
        ("through-two-levels: k leads through then_body into the inner bodies", takes(0, 10), (K - A, B)),
        (
            "into-the-inner-cond: false leads through then_body to the cond of an inner If, and k into its bodies",
            takes(4, 10),
            (A - K, B),
        ),
    ]:
        outer = body(
            [inner_cond, takes(1, 11), takes(2, 12), gives(5, 15)],
            parameter(10, "c", BOOLEAN),
            parameter(11, "p", TYPE),
            parameter(12, "q", TYPE),
            inner,
            result(15, TYPE),
            edges("10:0>13:0 11:0>13:1 12:0>13:2 13:3>15:0"),
        )
        model = net(
            parameter(0, "cond", BOOLEAN),
            parameter(1, "a", TYPE),
            parameter(2, "b", TYPE),
            const(30, K),
            const(31, np.False_),
            if_layer(50, [BOOLEAN, TYPE, TYPE, TYPE, BOOLEAN], {"y": TYPE}, outer, passed(TYPE, to=5, of=3)),
            result(60, TYPE),
            edges("0:0>50:0 30:0>50:1 1:0>50:2 2:0>50:3 31:0>50:4 50:5>60:0"),
        )
        yield every_parameter_mapped(
            f"constant-{case}",
            model,
            _runs(*values),
            why=["if-8-parameters-mapped", "if-8-typical-network", PUSHED],
        )


def _cond_of_one_as_data() -> Iterator[Vector]:
    """Cond is a list of one element, and a body that reads it gets that list: by its own port, or by a second one."""
    flag = "boolean[1]"
    for case, title, port in [("", "", 0), ("-at-another-port", ", which leads to a second port", 1)]:
        outputs = {"y": flag, "z": flag}
        model = net(
            parameter(0, "cond", flag),
            parameter(1, "d", flag),
            if_layer(
                50,
                [flag] * (port + 2),
                outputs,
                _both(flag, [port, port + 1], to=port + 2),
                _both(flag, [port + 1, port], to=port + 2),
            ),
            result(60, flag),
            result(61, flag),
            edges(f"0:0>50:0 {'0:0>50:1 ' if port else ''}1:0>50:{port + 1} 50:{port + 2}>60:0 50:{port + 3}>61:0"),
        )
        true, false = np.bool_([True]), np.bool_([False])
        yield Vector(
            f"openvino/if/cond-required/list-of-one-as-data{case}",
            f"cond is a list of one element{title}; both bodies return it and d, else_body d first",
            ["if-8-cond", "if-8-parameters-mapped", "if-8-external-port-id-range"],
            model,
            [
                Run({"cond": true, "d": false}, {"y": true, "z": false}),
                Run({"cond": false, "d": true}, {"y": true, "z": false}),
                Run({"cond": true, "d": true}, {"y": true, "z": true}),
                Run({"cond": false, "d": false}, {"y": false, "z": false}),
            ],
        )


def _both(type_: str, ports: list[int], *, to: int) -> Body:
    """The values at these two ports, in order."""
    return body(
        [takes(ports[0], 10), takes(ports[1], 11), gives(to, 13), gives(to + 1, 14)],
        parameter(10, "p", type_),
        parameter(11, "q", type_),
        result(13, type_),
        result(14, type_),
        edges("10:0>13:0 11:0>14:0"),
    )


def _constant_cond_as_data() -> Iterator[Vector]:
    """Cond is a constant, which the bodies read, too: by its own port, or by a second one."""
    for held in (True, False):
        for case, title, port in [("", "", 0), ("-at-another-port", ", which leads to a second port", 1)]:
            ports = [BOOLEAN, *[BOOLEAN] * port, TYPE]
            flag_into = "3:0>50:1 " if port else ""
            model = net(
                const(3, np.bool_(held)),
                parameter(1, "a", TYPE),
                if_layer(
                    50,
                    ports,
                    {"y": TYPE},
                    _plus_one_if(port, port + 1, to=port + 2),
                    _plus_one_if(port, port + 1, to=port + 2),
                ),
                result(60, TYPE),
                edges(f"3:0>50:0 {flag_into}1:0>50:{port + 1} 50:{port + 2}>60:0"),
            )
            yield Vector(
                f"openvino/if/cond-required/constant-as-data{case}-{str(held).lower()}",
                f"cond is a Const, {held}{title}; both bodies read it as a number",
                ["if-8-external-port-id-range", PUSHED],
                model,
                [Run({"a": A}, {"y": A + np.int32(held)}), Run({"a": B}, {"y": B + np.int32(held)})],
            )


def _many_ports() -> Iterator[Vector]:
    """Forty inputs behind cond: a leads to all but three of them, b to one, constants to two."""
    for case, (constants, b_port, of_then, of_else, then_value, else_value) in {
        "forty-inputs: a leads to forty ports but one, b to port 33": ({}, 33, (1, 33), (33, 40), A - B, B - A),
        "constant-at-port-32: of forty ports behind cond, a constant leads to 32, b to 33, a to the others": (
            {32: 30},
            33,
            (1, 32),
            (33, 32),
            A - K,
            B - K,
        ),
        "constant-at-port-33: of forty ports behind cond, a constant leads to 33, b to 32, a to the others": (
            {33: 30},
            32,
            (1, 33),
            (32, 1),
            A - K,
            B - A,
        ),
        (
            "constants-at-ports-2-and-34: "
            "of forty ports behind cond, constants lead to 2 and 34, b to 1, a to the others"
        ): ({2: 30, 34: 31}, 1, (2, 1), (34, 3), K - B, L - A),
    }.items():
        sources = dict.fromkeys(range(1, 41), 1) | {b_port: 2} | constants
        into = " ".join(["0:0>50:0", *(f"{source}:0>50:{port}" for port, source in sources.items())])
        layers = [layer for number, layer in [(30, const(30, K)), (31, const(31, L))] if number in constants.values()]
        yield every_parameter_mapped(
            case,
            _fed(into, _difference(*of_then, to=41), _difference(*of_else, to=41), *layers),
            _runs(then_value, else_value),
            why=["if-8-any-number-of-parameters", "if-8-external-port-id", *([PUSHED] if constants else [])],
        )
    yield _seventy_parameters()


def _seventy_parameters() -> Vector:
    """Each body has seventy Parameters and returns the difference of two of them."""
    count = 70

    def of(minuend: int, subtrahend: int) -> Body:
        return body(
            [*(takes(port, 100 + port) for port in range(1, count + 1)), gives(count + 1, 301)],
            *(parameter(100 + port, f"p{port}", TYPE) for port in range(1, count + 1)),
            operation(300, "Subtract", [TYPE, TYPE], TYPE),
            result(301, TYPE),
            edges(f"{100 + minuend}:0>300:0 {100 + subtrahend}:0>300:1 300:2>301:0"),
        )

    sources = dict.fromkeys(range(1, count + 1), 1) | {3: 2, 67: 30}
    into = " ".join(["0:0>50:0", *(f"{source}:0>50:{port}" for port, source in sources.items())])
    return every_parameter_mapped(
        "seventy-parameters: "
        "each body has seventy Parameters, of which it reads two: b leads to port 3, a constant to 67, a to the others",
        _fed(into, of(67, 66), of(3, 67), const(30, K)),
        _runs(K - A, B - K),
        why=["if-8-any-number-of-parameters", "if-8-external-port-id", PUSHED],
        about=["unread-parameters"],
    )
