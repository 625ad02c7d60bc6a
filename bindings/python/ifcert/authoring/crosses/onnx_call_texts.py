"""The models of the cross of calls, as ONNX text.

`choose` is the function that is called. It calls `leading` twice, and has an If in each branch of its If, both with the
same branches: those that the call passes, if it passes some.
"""

from ifcert.authoring.crosses.dimensions import Row

# The attributes of the call, and of the calls of the same function in the graphs that it passes; a default of a.
A, B = 2, 1
INNER_A, INNER_B = 0, 2
DEFAULT = 1

# The numbers in the graphs that are passed, and in the default ones.
WHEN_TRUE, WHEN_FALSE = 3, -2
DEFAULT_TRUE, DEFAULT_FALSE = -4, 5

# What the graphs that call the function again pass to it, and the shapes of these values.
AGAIN_SHAPE, BARE_SHAPE = (1, 2, 4), (3, 1, 2)
AGAIN = (1, -2, 3, 0, -1, 2, -3, 1)
BARE = (2, -1, 0, 3, 1, -2)

# What the call reads in a graph that is passed.
HELD_SHAPE = (2, 2, 2)
HELD = (1, -2, 3, -1, 2, 0, -3, 1)

IMPORTS = {
    "earlier": '"" : 16',
    "older": '"" : 11',
    "function-lower-first": '"" : 12, "" : 17',
    "function-higher-first": '"" : 17, "" : 12',
    "model-lower-first": '"" : 12, "" : 17',
    "model-higher-first": '"" : 17, "" : 12',
}
SAME = '"" : 17'

LEADING = """
<domain: "local", opset_import: ["" : 17]>
leading <{a}> (v) => (w) {{
    at = Constant <value = int64[1] {{0}}> ()
    p = Gather <axis: int = @a> (v, at)
    w = Add (v, p)
}}"""

CHOOSE = """
<domain: "local", opset_import: [{imports}, "local" : 1]>
choose <a, b{graphs}> (c, v) => (r, s, t) {{
    w = local.leading{given} (v)
    u = local.leading <a = {other}> (v)
    at = Constant <value = int64[1] {{0}}> ()
    front = Gather (v, at)
    flat = {squeeze}
    zero = Sub (v, v)
    share = Softmax (zero)
    bias = Add (flat, share)
    r = If (c) <
        then_branch = then_graph () => (y) {{
            p = Neg (w)
            x = If (c) <{in_then}>
            y = Add (p, x)
        }},
        else_branch = else_graph () => (z) {{
            q = Abs (w)
            x = If (c) <{in_else}>
            z = Mul (q, x)
        }}>
    s = Add (r, u)
    t = Sub (r, bias)
}}"""

# How the first axis is dropped where Squeeze has its axes as an attribute, and where both versions must have the node.
SQUEEZES = {
    "older": "Squeeze <axes = [0]> (front)",
    "function-lower-first": "ReduceMax <axes = [0], keepdims = 0> (front)",
    "function-higher-first": "ReduceMax <axes = [0], keepdims = 0> (front)",
}

# The branches of an inner If that are its own; {within} is the branch that the If is in.
OWN = (
    "then_branch = then_in_{within} () => (g) {{ g = Neg (u) }}, "
    "else_branch = else_in_{within} () => (h) {{ h = Abs (u) }}"
)
REFERENCES = "then_branch: graph = @when_true, else_branch: graph = @when_false"

RELAY = """
<domain: "local", opset_import: ["" : 17, "local" : 1]>
relay <a, b, when_true, when_false> (c, v) => (r, s, t) {
    r, s, t = local.choose <
        a: int = @a, b: int = @b, when_true: graph = @when_true, when_false: graph = @when_false> (c, v)
}"""

PICK = """
<domain: "local", opset_import: ["" : 17, "local" : 1]>
pick <when_true, when_false> (c) => (r) {
    r = If (c) <then_branch: graph = @when_true, else_branch: graph = @when_false>
}"""

# The graphs that call the function again, each into the branch of it that the graph runs in; {i} tells two calls apart.
CALLS_AGAIN = """when_true = bare{i} () => (float g{i}) {{
        yes{i} = Constant <value = bool {{1}}> ()
        j{i} = Constant <value = float[{bare_shape}] {{{bare}}}> ()
        x{i}, y{i}, z{i} = local.choose <a = {a}, b = {b}> (yes{i}, j{i})
        xy{i} = Add (x{i}, y{i})
        xyz{i} = Sub (xy{i}, z{i})
        g{i} = ReduceSum <keepdims = 0> (xyz{i})
    }},
    when_false = again{i} () => (float h{i}) {{
        no{i} = Constant <value = bool {{0}}> ()
        k{i} = Constant <value = double[{again_shape}] {{{again}}}> ()
        l{i}, m{i}, n{i} = local.choose <
            a = {a}, b = {b},
            when_true = again_true{i} () => (double[1] o{i}) {{ o{i} = Constant <value = double[1] {{{true}}}> () }},
            when_false = again_false{i} () => (double[1] p{i}) {{ p{i} = Constant <value = double[1] {{{false}}}> () }}
        > (no{i}, k{i})
        lm{i} = Add (l{i}, m{i})
        lmn{i} = Sub (lm{i}, n{i})
        sum{i} = ReduceSum <keepdims = 0> (lmn{i})
        h{i} = Cast <to = 1> (sum{i})
    }}"""

# What the call takes, and the nodes that compute `{y}` from it.
TAKEN = {
    "all": ("{r}, {s}, {t}", "{m} = Add ({r}, {s})  {y} = Sub ({m}, {t})"),
    "trailing": ("{r}, {s}", "{y} = Add ({r}, {s})"),
    "first": ('"", {s}, {t}', "{y} = Add ({s}, {t})"),
    "middle": ('{r}, "", {t}', "{y} = Add ({r}, {t})"),
}

# What holds the call; the text computes z. {first} and {second} compute y1 and y2.
HOLDERS = {
    "main": "{first}  z = Identity (y1)",
    "branches": """z = If (e) <
        then_branch = holding_then () => ({type} y1) {{ {first} }},
        else_branch = holding_else () => ({type} y2) {{ minus = Neg (v)  {second} }}>""",
    "loop": """z = Loop (trips, on, v) <
        body = holding (int64 i, bool more, {type} carried) => (bool go, {type} next) {{
            go = Identity (more)
            number = Cast <to = 1> (i)
            element = Add (v, number)
            {first}
            next = Add (carried, y1)
        }}>""",
    "scan": """z = Scan <
        num_scan_inputs = 1,
        body = holding ({type} carried, {type} element) => ({type} next) {{
            {first}
            next = Add (carried, y1)
        }}> (v, rows)""",
    "function": "z = local.holder (e, c, v)",
    "passed": """z = local.pick <
        when_true = holding_true () => ({type} y1) {{
            yes = Constant <value = bool {{1}}> ()
            v1 = Constant <value = {type} {{{held}}}> ()
            {first}
        }},
        when_false = holding_false () => ({type} y2) {{
            no = Constant <value = bool {{0}}> ()
            v2 = Constant <value = {type} {{{held}}}> ()
            {second}
        }}> (c)""",
}
# What the first and the second call are passed.
OPERANDS = {
    "main": ("c, v", ""),
    "branches": ("c, v", "c, minus"),
    "loop": ("c, element", ""),
    "scan": ("c, element", ""),
    "function": ("c, v", "c, minus"),
    "passed": ("yes, v1", "no, v2"),
}

HOLDER = """
<domain: "local", opset_import: ["" : 17, "local" : 1]>
holder (e, c, v) => (z) {{
    z = If (e) <
        then_branch = holding_then () => (y1) {{ {first} }},
        else_branch = holding_else () => (y2) {{ minus = Neg (v)  {second} }}>
}}"""

INPUTS = {"e": "bool", "c": "bool", "trips": "int64", "on": "bool", "v": "{type}", "rows": "float[?,{dims}]"}
# The inputs of the main graph by what holds the call.
READ = {
    "main": "c v",
    "branches": "e c v",
    "loop": "c trips on v",
    "scan": "c v rows",
    "function": "e c v",
    "passed": "c",
}


def text_of(row: Row) -> str:
    """The model: the main graph, and the functions.

    The main graph adds to z its own Softmax of zeros, as the function does: each version of Softmax has other shares.
    """
    holder, passes = row["holder"], row["passes"]
    dims = "?,2,2" if row["runs"] == "shapes" else "2,2,2"
    type_ = f"float[{dims}]"
    imports = IMPORTS[row["imports"]] if row["imports"].startswith("model") else SAME
    read = {name: INPUTS[name].format(type=type_, dims=dims) for name in READ[holder].split()}
    given = ", ".join(f"{of_input} {name}" for name, of_input in read.items())
    first, second = OPERANDS[holder]
    calls = {"first": _call(row, first, "1"), "second": _call(row, second, "2")}
    held = HOLDERS[holder].format(type=type_, held=_numbers(HELD), **calls)
    functions = [_leading(row), _choose(row)]
    if passes == "handed-on":
        functions.append(RELAY)
    if holder == "passed":
        functions.append(PICK)
    if holder == "function":
        functions.append(HOLDER.format(**calls))
    return f"""<ir_version: 9, opset_import: [{imports}, "local" : 1]>
called ({given}) => ({type_} result) {{
    {held}
    zeros = Sub (z, z)
    shares = Softmax (zeros)
    result = Add (z, shares)
}}{"".join(functions)}"""


def _call(row: Row, operands: str, i: str) -> str:
    """The call, and the nodes that compute y of what it takes; the names end in `i`."""
    outputs, nodes = TAKEN[row["taken"]]
    names = {name: f"{name}{i}" for name in ("r", "s", "t", "m", "y")}
    function = "relay" if row["passes"] == "handed-on" else "choose"
    attributes = ", ".join([f"a = {A}, b = {B}", *_passed(row, i)])
    return f"{outputs.format(**names)} = local.{function} <{attributes}> ({operands})\n    {nodes.format(**names)}"


def _passed(row: Row, i: str) -> list[str]:
    """The graphs that the call passes."""
    match row["passes"]:
        case "handed-on":
            return [_graph("when_true", f"f{i}", WHEN_TRUE), _graph("when_false", f"g{i}", WHEN_FALSE)]
        case "one":
            return [_graph("when_false", f"g{i}", WHEN_FALSE)]
        case "again":
            return [
                CALLS_AGAIN.format(
                    i=f"_{i}",
                    a=INNER_A,
                    b=INNER_B,
                    true=WHEN_TRUE,
                    false=WHEN_FALSE,
                    again_shape=_numbers(AGAIN_SHAPE),
                    again=_numbers(AGAIN),
                    bare_shape=_numbers(BARE_SHAPE),
                    bare=_numbers(BARE),
                )
            ]
        case _:
            return []


def _graph(attribute: str, name: str, number: int, colon: str = "") -> str:
    """A graph that computes the number, of shape [1], as an attribute."""
    return (
        f"{attribute}{colon} = {attribute}_{name} () => (float[1] {name}) "
        f"{{ minus_{name} = Constant <value = float[1] {{{-number}}}> ()  {name} = Neg (minus_{name}) }}"
    )


def _numbers(numbers: tuple[int, ...]) -> str:
    return ",".join(map(str, numbers))


def _leading(row: Row) -> str:
    return LEADING.format(a=f"a: int = {DEFAULT}" if row["attribute"] == "default" else "a")


def _choose(row: Row) -> str:
    given = {"handed-on": " <a: int = @a>", "renamed": " <a: int = @b>"}
    graphs = "" if row["passes"] == "none" else ", when_true, when_false"
    in_then, in_else = (OWN.format(within=each) if graphs == "" else REFERENCES for each in ("then", "else"))
    if row["passes"] in ("one", "again"):
        defaults = [
            _graph("when_true", "d", DEFAULT_TRUE, ": graph"),
            _graph("when_false", "e", DEFAULT_FALSE, ": graph"),
        ]
        graphs = "".join(f", {each}" for each in defaults)
    return CHOOSE.format(
        imports=SAME if row["imports"].startswith("model") else IMPORTS.get(row["imports"], SAME),
        graphs=graphs,
        given=given.get(row["attribute"], ""),
        other=other(row),
        squeeze=SQUEEZES.get(row["imports"], "Squeeze (front, at)"),
        in_then=in_then,
        in_else=in_else,
    )


def other(row: Row) -> int:
    """The attribute a of the call of `leading` that gives it as a number: another than that of the first call."""
    return 1 if row["attribute"] == "omitted" else 0
