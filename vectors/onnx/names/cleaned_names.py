"""Names that become the same where a tool rewrites what is not a C identifier, in every place of a name."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from ifcert.authoring import Run, Vector, Why, branches, edited, floats, model, says
from ifcert.authoring.models import Edit, respelled
from onnx import ModelProto

SHOULD = says("ir-names-c90", note="so they need not")
VALUES = says("ir-unique-definition", note="other names are other values")

DISTINCT = says("ir-distinct-from-outer", note="which these are")

X = floats(10)

# The exporters of TensorFlow ("x:0"), of PyTorch ("onnx::Add_12", "/m/Add_output_0", "12") and others write such names.
KINDS = {
    "differ-in-punctuation": (
        "names that are one name once punctuation is replaced or removed",
        ["a.b", "a_b", "a:b", "a/b", "a b", "a-b", "a,b", "ab"],
    ),
    "differ-in-part": (
        "names that are one name once they are cut, trimmed, in one case, in ASCII alone, or numbers",
        ["k", "k:0", "/k", "m/k", "m::k", "k ", "K", "k\u00e9", "k\u00e8", "0", "00"],
    ),
}


@dataclass(frozen=True)
class Place:
    """A place of names: the rule, what stands there, the sentences, the model with so many names n0, n1, …, and runs.

    The model returns the values in the order of their names, or else their opposites.
    """

    rule: str
    what: str
    why: Sequence[Why]
    built: Callable[[int], ModelProto]
    runs: Callable[[Sequence[str]], list[Run]] = lambda names: after_x(names)


def numbered(form: str, count: int, by: str = ", ", begin: int = 0) -> str:
    """The form for each number: # is the number, % the one after it."""
    return by.join(form.replace("#", str(i)).replace("%", str(i + 1)) for i in range(begin, count))


def choice(listed: str, count: int) -> str:
    """An If that returns the values one after another, in the given order; else their opposites."""
    return f"""
        y = If (cond) <
            then_branch = then_graph () => (float[{count}] all) {{ all = Concat <axis = 0> ({listed}) }},
            else_branch = else_graph () => (float[{count}] less) {{
                list = Concat <axis = 0> ({listed})
                less = Neg (list)
            }}>"""


def main(count: int, nodes: str, *, inputs: str = "float[1] x", stored: str = "", functions: str = "") -> ModelProto:
    """A main graph with these nodes, and the initializers 1, 2, … under plain names c0, c1, …"""
    constants = numbered("float[1] c# = {%}", count) + (f", {stored}" if stored else "")
    text = f"main_graph (bool cond, {inputs}) => (float[{count}] y) <{constants}> {{ {nodes} }}"
    domains = {"local": 1} if functions else {}
    return model(text + functions, 17, domains=domains)


def sums(count: int, begin: int = 0) -> str:
    """Nodes that add x to the initializers, under the names."""
    return numbered("n# = Add (x, c#)", count, " ", begin)


def graph_inputs(count: int) -> ModelProto:
    """The names are those of the main graph's inputs, which the branches read."""
    inputs = numbered("float[1] n#", count)
    return model(f"main_graph (bool cond, {inputs}) => (float[{count}] y) {{ {choice(listed(count), count)} }}", 17)


def listed(count: int) -> str:
    """The names, separated by commas."""
    return numbered("n#", count)


def initializers(count: int) -> ModelProto:
    """Of initializers."""
    added = numbered("s# = Add (x, n#)", count, " ")
    return model(f"""<opset_import: ["" : 17]>
        main_graph (bool cond, float[1] x) => (float[{count}] y) <{numbered("float[1] n# = {%}", count)}> {{
            y = If (cond) <
                then_branch = then_graph () => (float[{count}] all) {{
                    {added}
                    all = Concat <axis = 0> ({numbered("s#", count)})
                }},
                else_branch = else_graph () => (float[{count}] less) {{
                    list = Concat <axis = 0> ({listed(count)})
                    sum = Add (list, x)
                    less = Neg (sum)
                }}>
        }}""")


def node_outputs(count: int) -> ModelProto:
    """Of nodes' results."""
    return main(count, sums(count) + choice(listed(count), count))


def declared_values(count: int) -> ModelProto:
    """Of values that value_info declares, each with another rank."""
    ones = ", ".join(f"int64[{i + 1}] o{i} = {{{', '.join(['1'] * (i + 1))}}}" for i in range(count))
    shaped = numbered("s# = Add (x, c#)  n# = Reshape (s#, o#)", count, " ")
    flat = numbered("f# = Reshape (n#, o0)", count, " ")
    graph = main(count, f"{shaped} {flat} {choice(numbered('f#', count), count)}", stored=ones)
    for i in range(count):
        info = graph.graph.value_info.add(name=f"n{i}")
        info.type.tensor_type.elem_type = 1
        for _ in range(i + 1):
            info.type.tensor_type.shape.dim.add(dim_value=1)
    return graph


def inside_and_outside(count: int) -> ModelProto:
    """Some of nodes outside, the others of nodes in the branches."""
    half = count // 2
    inner = numbered("n# = Add (x, c#)", count, " ", half)
    return main(
        count,
        f"""
        {sums(half)}
        y = If (cond) <
            then_branch = then_graph () => (float[{count}] all) {{ {inner} all = Concat <axis = 0> ({listed(count)}) }},
            else_branch = else_graph () => (float[{count}] less) {{
                {inner}
                list = Concat <axis = 0> ({listed(count)})
                less = Neg (list)
            }}>""",
    )


def branch_nodes(count: int) -> ModelProto:
    """Of the results of nodes of both branches."""
    return main(
        count,
        f"""
        y = If (cond) <
            then_branch = then_graph () => (float[{count}] all) {{
                {sums(count)}
                all = Concat <axis = 0> ({listed(count)})
            }},
            else_branch = else_graph () => (float[{count}] less) {{
                {sums(count)}
                list = Concat <axis = 0> ({listed(count)})
                less = Neg (list)
            }}>""",
    )


def from_two_levels(count: int) -> ModelProto:
    """A third of nodes outside, a third of nodes in then, the others in a branch of a branch."""
    one, two = count // 3, 2 * count // 3
    return main(
        count,
        f"""
        {sums(one)}
        y = If (go) <
            then_branch = outer_then () => (float[{count}] deep) {{
                {sums(two, one)}
                deep = If (cond) <
                    then_branch = then_graph () => (float[{count}] all) {{
                        {sums(count, two)}
                        all = Concat <axis = 0> ({listed(count)})
                    }},
                    else_branch = else_graph () => (float[{count}] less) {{
                        {sums(count, two)}
                        list = Concat <axis = 0> ({listed(count)})
                        less = Neg (list)
                    }}>
            }},
            else_branch = outer_else () => (float[{count}] never) {{
                never = Concat <axis = 0> ({", ".join(["x"] * count)})
            }}>""",
        inputs="bool go, float[1] x",
    )


def branch_initializers(count: int) -> ModelProto:
    """Of the branches' initializers."""
    held = f"<{numbered('float[1] n# = {%}', count)}>"
    return model(f"""<opset_import: ["" : 17]>
        main_graph (bool cond, float[1] x) => (float[{count}] y) {{
            y = If (cond) <
                then_branch = then_graph () => (float[{count}] all) {held} {{
                    list = Concat <axis = 0> ({listed(count)})
                    all = Add (list, x)
                }},
                else_branch = else_graph () => (float[{count}] less) {held} {{
                    other = Concat <axis = 0> ({listed(count)})
                    sum = Add (other, x)
                    less = Neg (sum)
                }}>
        }}""")


def branch_outputs(count: int) -> ModelProto:
    """Of the branches' outputs; else computes them in the opposite order."""
    opposite = " ".join(f"d{i} = Add (x, c{i}) n{i} = Neg (d{i})" for i in reversed(range(count)))
    outputs = numbered("float[1] n#", count)
    return main(
        count,
        f"""
        {numbered("r#", count)} = If (cond) <
            then_branch = then_graph () => ({outputs}) {{ {sums(count)} }},
            else_branch = else_graph () => ({outputs}) {{ {opposite} }}>
        y = Concat <axis = 0> ({numbered("r#", count)})""",
    )


def if_outputs(count: int) -> ModelProto:
    """Of the If's outputs."""
    outputs = numbered("float[1] r#", count)
    others = numbered("float[1] s#", count)
    return main(
        count,
        f"""
        {listed(count)} = If (cond) <
            then_branch = then_graph () => ({outputs}) {{ {numbered("r# = Add (x, c#)", count, " ")} }},
            else_branch = else_graph () => ({others}) {{ {numbered("d# = Add (x, c#) s# = Neg (d#)", count, " ")} }}>
        y = Concat <axis = 0> ({listed(count)})""",
    )


def loop_values(count: int) -> ModelProto:
    """Of what a Loop's body carries; it has one trip."""
    inputs, outputs = numbered("float[1] n#", count), numbered("float[1] o#", count)
    return main(
        count,
        f"""
        {numbered("r#", count)} = Loop (trips, yes, {numbered("c#", count)}) <
            body = step (int64 i, bool on, {inputs}) => (bool on_out, {outputs}) {{
                on_out = Identity (on)
                {numbered("o#", count)} = If (cond) <
                    then_branch = then_graph () => ({numbered("float[1] p#", count)}) {{
                        {numbered("p# = Add (n#, x)", count, " ")}
                    }},
                    else_branch = else_graph () => ({numbered("float[1] q#", count)}) {{
                        {numbered("d# = Add (n#, x) q# = Neg (d#)", count, " ")}
                    }}>
            }}>
        y = Concat <axis = 0> ({numbered("r#", count)})""",
        stored="int64 trips = {1}, bool yes = {1}",
    )


def loop_results(count: int) -> ModelProto:
    """Of what a Loop's body returns."""
    body = numbered("s# = Add (v#, x)", count, " ") + numbered("n# = Mul (s#, sign)", count, " ")
    return main(
        count,
        f"""
        sign = If (cond) <
            then_branch = then_graph () => (float[1] plus) {{ plus = Identity (c0) }},
            else_branch = else_graph () => (float[1] minus) {{ minus = Neg (c0) }}>
        {numbered("r#", count)} = Loop (trips, yes, {numbered("c#", count)}) <
            body = step (int64 i, bool on, {numbered("float[1] v#", count)})
                => (bool on_out, {numbered("float[1] n#", count)}) {{ on_out = Identity (on) {body} }}>
        y = Concat <axis = 0> ({numbered("r#", count)})""",
        stored="int64 trips = {1}, bool yes = {1}",
    )


def scan_values(count: int) -> ModelProto:
    """Of what a Scan's body takes: its states, and the elements of the lists that it scans."""
    states = count // 2
    scanned = numbered("t# = Reshape (c#, high)", count, " ", states)
    given = numbered("c#", states) + ", " + numbered("t#", count, begin=states)
    return main(
        count,
        f"""
        {scanned}
        {numbered("r#", states)}, list = Scan <num_scan_inputs = {count - states},
            body = step ({numbered("float[1] n#", count)}) => ({numbered("float[1] o#", states)}, float[{count}] all) {{
                {numbered("o# = Identity (n#)", states, " ")}
                all = If (cond) <
                    then_branch = then_graph () => (float[{count}] plus) {{
                        then_list = Concat <axis = 0> ({listed(count)})
                        plus = Add (then_list, x)
                    }},
                    else_branch = else_graph () => (float[{count}] minus) {{
                        else_list = Concat <axis = 0> ({listed(count)})
                        sum = Add (else_list, x)
                        minus = Neg (sum)
                    }}>
            }}>
            ({given})
        y = Reshape (list, flat)""",
        stored="int64[2] high = {1, 1}, int64[1] flat = {-1}",
    )


def function_inputs(count: int) -> ModelProto:
    """Of a function's formal inputs."""
    call = f"{numbered('s# = Add (x, c#)', count, ' ')} y = local.choose (cond, {numbered('s#', count)})"
    body = f"choose (cond, {listed(count)}) => (y) {{ {choice(listed(count), count)} }}"
    return main(count, call, functions=called(body))


def called(*functions: str) -> str:
    """Functions of the domain local."""
    return "".join(f'<domain: "local", opset_import: ["" : 17]> {each}' for each in functions)


def function_values(count: int) -> ModelProto:
    """Of a function's inner values."""
    call = f"{numbered('s# = Add (x, c#)', count, ' ')} y = local.choose (cond, {numbered('s#', count)})"
    copies = numbered("n# = Identity (v#)", count, " ")
    body = f"choose (cond, {numbered('v#', count)}) => (y) {{ {copies} {choice(listed(count), count)} }}"
    return main(count, call, functions=called(body))


def function_outputs(count: int) -> ModelProto:
    """Of a function's outputs."""
    results = numbered("r#", count)
    call = f"{results} = local.choose (cond, x, {numbered('c#', count)})  y = Concat <axis = 0> ({results})"
    body = f"""choose (cond, x, {numbered("c#", count)}) => ({listed(count)}) {{
        {listed(count)} = If (cond) <
            then_branch = then_graph () => ({results}) {{ {numbered("r# = Add (x, c#)", count, " ")} }},
            else_branch = else_graph () => ({numbered("s#", count)}) {{
                {numbered("d# = Add (x, c#) s# = Neg (d#)", count, " ")}
            }}>
    }}"""
    return main(count, call, functions=called(body))


def function_attributes(count: int) -> ModelProto:
    """Of a function's attributes."""
    constants = numbered("v# = Constant <value_float: float = @n#> () s# = Add (x, v#)", count, " ")
    given = numbered("n# = %.0", count)
    body = f"choose <{listed(count)}> (cond, x) => (y) {{ {constants} {choice(numbered('s#', count), count)} }}"
    return main(count, f"y = local.choose <{given}> (cond, x)", functions=called(body))


def function_names(count: int) -> ModelProto:
    """Of functions, each of which returns its number."""
    bodies = [f"n{i} (x) => (y) {{ c = Constant <value_float = {i + 1}.0> ()  y = Add (x, c) }}" for i in range(count)]
    return main(count, branches_of_calls("local.n#", count), functions=called(*bodies))


def branches_of_calls(function: str, count: int) -> str:
    """An If whose branches call each function once."""
    then_calls = numbered(f"a# = {function} (x)", count, " ")
    else_calls = numbered(f"b# = {function} (x)", count, " ")
    return f"""
        y = If (cond) <
            then_branch = then_graph () => (float[{count}] all) {{
                {then_calls}
                all = Concat <axis = 0> ({numbered("a#", count)})
            }},
            else_branch = else_graph () => (float[{count}] less) {{
                {else_calls}
                list = Concat <axis = 0> ({numbered("b#", count)})
                less = Neg (list)
            }}>"""


def function_domains(count: int) -> ModelProto:
    """Of domains, each with a function of the same name."""
    bodies = "".join(
        f"""
        <domain: "n{i}", opset_import: ["" : 17]>
        change (x) => (y) {{ c = Constant <value_float = {i + 1}.0> ()  y = Add (x, c) }}"""
        for i in range(count)
    )
    text = f"main_graph (bool cond, float[1] x) => (float[{count}] y) {{ {branches_of_calls('n#.change', count)} }}"
    return model(text + bodies, 17, domains={f"n{i}": 1 for i in range(count)})


def overloads(count: int) -> ModelProto:
    """Of overloads of one function."""
    m = function_names(count)
    m.ir_version = 10
    for function in m.functions:
        function.overload, function.name = function.name, "change"
    for branch in m.graph.node[0].attribute:
        for node in branch.g.node:
            if node.domain:
                node.overload, node.op_type = node.op_type, "change"
    return m


def node_names(count: int) -> ModelProto:
    """Of the nodes of a graph, here of both branches."""
    nodes = numbered("[n#] v# = Add (x, c#)", count, " ")
    values = numbered("v#", count)
    return main(
        count,
        f"""
        y = If (cond) <
            then_branch = then_graph () => (float[{count}] all) {{ {nodes} all = Concat <axis = 0> ({values}) }},
            else_branch = else_graph () => (float[{count}] less) {{
                {nodes}
                list = Concat <axis = 0> ({values})
                less = Neg (list)
            }}>""",
    )


def graph_names(count: int) -> ModelProto:
    """Of graphs: then of each of several Ifs."""
    ifs = numbered(
        """
        [if_#] r# = If (cond) <
            then_branch = n# () => (float[1] a#) { a# = Add (x, c#) },
            else_branch = else# () => (float[1] b#) { d# = Add (x, c#)  b# = Neg (d#) }>""",
        count,
        "",
    )
    return main(count, f"{ifs} y = Concat <axis = 0> ({numbered('r#', count)})")


def dim_variables(count: int) -> ModelProto:
    """Of dimension variables: the I-th input has I + 1 elements."""
    inputs, values = numbered("float[n#] x#", count), numbered("x#", count)
    return model(f"""<opset_import: ["" : 17]>
        main_graph (bool cond, {inputs}) => (float[all] y) {{
            y = If (cond) <
                then_branch = then_graph () => (float[then_all] plus) {{ plus = Concat <axis = 0> ({values}) }},
                else_branch = else_graph () => (float[else_all] less) {{
                    list = Concat <axis = 0> ({values})
                    less = Neg (list)
                }}>
        }}""")


def spelled(names: Sequence[str]) -> Edit:
    """Every n0, n1, … in the model becomes the name with this number."""
    spelling = {f"n{i}": name for i, name in enumerate(names)}
    return respelled(lambda name: spelling.get(name, name))


def after_x(names: Sequence[str]) -> list[Run]:
    """x is 10 and is added to 1, 2, …"""
    values = np.arange(11, 11 + len(names), dtype=np.float32)
    return branches({"x": X}, then={"y": values}, else_={"y": -values})


def under_its_name(names: Sequence[str]) -> list[Run]:
    """1, 2, … are fed under the names."""
    values = np.arange(1, 1 + len(names), dtype=np.float32)
    fed = {name: values[i : i + 1] for i, name in enumerate(names)}
    return [Run({"cond": np.True_} | fed, {"y": values}), Run({"cond": np.False_} | fed, {"y": -values})]


def of_two_levels(names: Sequence[str]) -> list[Run]:
    """Those of x, and one that takes the other branch of the outer If."""
    runs = [Run({"cond": run.inputs["cond"], "go": np.True_, "x": X}, run.expect) for run in after_x(names)]
    return [*runs, Run({"cond": np.True_, "go": np.False_, "x": X}, {"y": np.repeat(X, len(names))})]


def of_lengths(names: Sequence[str]) -> list[Run]:
    """1, 2 twos, 3 threes, …"""
    fed = {f"x{i}": np.full(i + 1, i + 1, np.float32) for i in range(len(names))}
    values = np.concatenate(list(fed.values()))
    return [Run({"cond": np.True_} | fed, {"y": values}), Run({"cond": np.False_} | fed, {"y": -values})]


CAPTURE, INNER, ORDER = "onnx/if/outer-scope-capture", "onnx/if/no-shadowing", "onnx/if/output-order"
IN_FUNCTION, FUNCTIONS = "onnx/if/in-function", "onnx/model/unique-functions"
SIBLINGS = "onnx/if/sibling-names-independent"

PLACES = {
    "graph-inputs": Place(CAPTURE, "the main graph's inputs", [VALUES, "ir-outer-scope"], graph_inputs, under_its_name),
    "initializers": Place(CAPTURE, "initializers that the branches read", [VALUES, "ir-outer-scope"], initializers),
    "node-outputs": Place(CAPTURE, "nodes' results that the branches read", [VALUES, "ir-outer-scope"], node_outputs),
    "declared-values": Place(
        CAPTURE, "values of different ranks that value_info declares", [VALUES, "ir-value-info"], declared_values
    ),
    "from-two-levels": Place(
        CAPTURE,
        "values of the main graph, of then and of its branches",
        [DISTINCT, "ir-outer-scope"],
        from_two_levels,
        of_two_levels,
    ),
    "inside-and-outside": Place(INNER, "values of the main graph and of both branches", [DISTINCT], inside_and_outside),
    "branch-nodes": Place(INNER, "nodes' results in each branch", [VALUES], branch_nodes),
    "branch-initializers": Place(INNER, "initializers of each branch", [VALUES], branch_initializers),
    "branch-outputs": Place(ORDER, "the outputs of both branches", ["if-then-branch-outputs", VALUES], branch_outputs),
    "if-outputs": Place(ORDER, "the If's outputs", ["ir-node-positional", VALUES], if_outputs),
    "loop-values": Place(
        "onnx/if/in-loop", "what a Loop's body takes", ["operators-loop-inputs-defined", VALUES], loop_values
    ),
    "loop-results": Place(
        "onnx/if/in-loop", "what a Loop's body returns", ["operators-loop-inputs-defined", VALUES], loop_results
    ),
    "scan-values": Place(
        "onnx/if/in-scan", "what a Scan's body takes", ["operators-scan-iteration", VALUES], scan_values
    ),
    "function-inputs": Place(IN_FUNCTION, "a function's inputs", ["ir-node-positional", VALUES], function_inputs),
    "function-values": Place(IN_FUNCTION, "values within a function", [VALUES], function_values),
    "function-outputs": Place(IN_FUNCTION, "a function's outputs", ["ir-node-positional", VALUES], function_outputs),
    "function-attributes": Place(
        IN_FUNCTION, "a function's attributes", ["ir-node-attributes-by-name"], function_attributes
    ),
    "function-names": Place(FUNCTIONS, "functions of one domain", ["ir-function-unique-id"], function_names),
    "function-domains": Place(FUNCTIONS, "domains with a function each", ["ir-function-unique-id"], function_domains),
    "overloads": Place(FUNCTIONS, "overloads of a function", ["ir-function-unique-id"], overloads),
    "node-names": Place(SIBLINGS, "nodes of each branch", ["ir-node-name"], node_names),
    "graph-names": Place(SIBLINGS, "then of several Ifs", ["ir-names-graph"], graph_names),
    "dim-variables": Place(
        "onnx/if/shape-union",
        "the variables of the inputs' lengths",
        ["ir-names-shape", "ir-dimension-variables"],
        dim_variables,
        of_lengths,
    ),
}


def vectors() -> Iterator[Vector]:
    for kind, (what, names) in KINDS.items():
        for case, place in PLACES.items():
            yield Vector(
                f"{place.rule}/{case}-that-{kind}",
                f"{place.what} have {what}",
                [SHOULD, *place.why],
                edited(place.built(len(names)), spelled(names)),
                place.runs(names),
            )
        yield graph_outputs(kind, what, names)


def graph_outputs(kind: str, what: str, names: Sequence[str]) -> Vector:
    """The names are those of the main graph's outputs, which the If returns."""
    count = len(names)
    outputs, results = numbered("float[1] n#", count), numbered("float[1] r#", count)
    m = model(f"""<opset_import: ["" : 17]>
        main_graph (bool cond, float[1] x) => ({outputs}) <{numbered("float[1] c# = {%}", count)}> {{
            {listed(count)} = If (cond) <
                then_branch = then_graph () => ({results}) {{ {numbered("r# = Add (x, c#)", count, " ")} }},
                else_branch = else_graph () => ({numbered("float[1] s#", count)}) {{
                    {numbered("d# = Add (x, c#) s# = Neg (d#)", count, " ")}
                }}>
        }}""")
    values = {name: floats(11 + i) for i, name in enumerate(names)}
    return Vector(
        f"{ORDER}/graph-outputs-that-{kind}",
        f"the main graph's outputs have {what}",
        [SHOULD, "ir-node-positional", VALUES],
        edited(m, spelled(names)),
        branches({"x": X}, then=values, else_={name: -value for name, value in values.items()}),
    )
