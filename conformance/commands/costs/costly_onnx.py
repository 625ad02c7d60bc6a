"""Models of ONNX that would cost more than a modest multiple of their size: each kind as a generator of size n."""

import os
from array import array
from pathlib import Path

from onnx_wire import (
    BOOL,
    FLOAT,
    INT64,
    attribute,
    branch,
    external_tensor,
    field,
    function,
    graph,
    graph_attribute,
    int_attribute,
    ints_attribute,
    model,
    node,
    reference,
    sequence_type,
    tensor,
    tensor_attribute,
    tensor_type,
    value,
)

COND = value("c", tensor_type([], BOOL))


def save(path: Path, graph_: bytes, *functions: bytes, version: int = 16) -> Path:
    """Writes the model."""
    path.write_bytes(model(graph_, functions, version))
    return path


def plain(path: Path, size: int) -> Path:
    """A model of that many bytes that is harmless: a chain of ordinary nodes."""
    count = max(1, size // 32)
    nodes = [node("Neg", [f"x{i}"], [f"x{i + 1}"], name=f"n{i}") for i in range(count)]
    return save(path, graph(nodes, [value("x0")], [value(f"x{count}")]))


def deep_type(path: Path, n: int) -> Path:
    """A type n deep, declared and passed on."""
    return save(path, graph([node("Identity", ["x"], ["y"])], [value("x", sequence_type(n))], [value("y")]))


def deep_attribute_type(path: Path, n: int) -> Path:
    """A type n deep that an attribute holds."""
    made = attribute("type", field(14, sequence_type(n)), 13)
    return save(path, graph([node("Optional", [], ["y"], made)], [], [value("y", sequence_type(1))]))


def deep_operands(path: Path, n: int) -> Path:
    """An operand's type n deep, for n nodes that do not accept such a type: each reports it."""
    nodes = [node("Neg", ["x"], [f"y{i}"]) for i in range(n)]
    return save(path, graph(nodes, [value("x", sequence_type(min(n, 3900)))]))


def wrapped_types(path: Path, n: int) -> Path:
    """Each node wraps its operand's type once more: the body returns an outer value."""
    nodes = [node("SequenceConstruct", ["x"], ["y0"])]
    for i in range(n):
        body = graph([node("Identity", [f"y{i}"], ["o"])], [value("i", tensor_type(None))], [field(1, "o")])
        nodes.append(node("SequenceMap", ["y0"], [f"y{i + 1}"], graph_attribute("body", body)))
    return save(path, graph(nodes, [value("x")]), version=17)


def wrapped_options(path: Path, n: int) -> Path:
    """The same with optionals."""
    nodes = [node("Optional", [f"x{i}"], [f"x{i + 1}"]) for i in range(n)]
    return save(path, graph(nodes, [value("x0")]))


def redeclared_symbols(path: Path, n: int) -> Path:
    """A value of long dim_params, declared again and again, differently each time."""
    long = tensor_type(["s" * (n // 2), 1])
    again = [value("x", tensor_type([2, 2, 2])) for _ in range(n // 100)]
    return save(path, graph([], [value("x", long)], infos=[value("x", long), *again]))


def redeclared_in_branches(path: Path, n: int) -> Path:
    """The same: long symbols of a value that the branches declare again."""
    long = tensor_type(["s" * (n // 2), 1])
    other = value("x", tensor_type([2, 2, 2]))
    nodes = []
    for i in range(n // 400):
        made = (branch(role, [node("Neg", ["x"], ["v"])], ["v"], [other]) for role in ("then_branch", "else_branch"))
        nodes.append(node("If", ["c"], [f"y{i}"], *made))
    return save(path, graph(nodes, [COND, value("x", long)]))


def two_numbers(path: Path, n: int) -> Path:
    """One long symbol that is another number in each of many values."""
    name = "s" * (n // 2)
    nodes = [node("Identity", ["x"], ["y"])]
    inputs = [value(f"x{i}", tensor_type([name if i == 0 else "s", i])) for i in range(n // 40)]
    return save(path, graph(nodes, [value("x"), *inputs]))


def missing_names(path: Path, n: int) -> Path:
    """Nodes of one name whose inputs nothing produces, in branches, before a long list of nodes."""
    one = [branch(role, [node("Neg", ["m"], ["v"])], ["v"]) for role in ("then_branch", "else_branch")]
    nodes = [node("If", ["c"], [f"y{i}"], *one, name="same") for i in range(n // 100)]
    nodes += [node("Neg", ["c"], [f"z{i}"]) for i in range(n)]
    return save(path, graph(nodes, [COND]))


def references_to_default(path: Path, n: int) -> Path:
    """A function whose Constants each use one long default."""
    numbers = range(n)
    nodes = [node("Constant", [], [f"k{i}"], reference("value_ints", "p", 7)) for i in range(n // 1000)]
    nodes.append(node("Neg", ["a"], ["b"]))
    made = function("f", nodes, defaults=[ints_attribute("p", numbers)])
    return save(path, graph([node("f", ["x"], ["y"], domain="local")], [value("x")], [value("y")]), made)


def references_to_strings(path: Path, n: int) -> Path:
    """The same with one long text."""
    nodes = [node("Constant", [], [f"k{i}"], reference("value_string", "p", 3)) for i in range(n // 1000)]
    nodes.append(node("Neg", ["a"], ["b"]))
    made = function("f", nodes, defaults=[attribute("p", field(4, "t" * n), 3)])
    return save(path, graph([node("f", ["x"], ["y"], domain="local")], [value("x")], [value("y")]), made)


def handed_on(path: Path, n: int) -> Path:
    """A long default that each function passes to the next."""
    levels = min(n // 1000, 900)
    made = [function("f0", [node("Neg", ["a"], ["b"])], attributes=["p"])]
    for i in range(1, levels):
        call = node(f"f{i - 1}", ["a"], ["b"], reference("p", "p", 7), domain="local")
        defaults = [ints_attribute("p", range(n))] if i == levels - 1 else []
        made.append(function(f"f{i}", [call], attributes=[] if defaults else ["p"], defaults=defaults))
    return save(path, graph([node(f"f{levels - 1}", ["x"], ["y"], domain="local")], [value("x")], [value("y")]), *made)


def calls_with_a_long_attribute(path: Path, n: int) -> Path:
    """Calls of a function with a default, within one that has a long list and passes it to all of them."""
    inner = function("g", [node("Neg", ["a"], ["b"])], attributes=["p"], defaults=[ints_attribute("q", [1])])
    calls = [node("g", ["a"], [f"m{i}"], reference("p", "p", 7), domain="local") for i in range(n // 1000)]
    outer = function("f", [*calls, node("Neg", ["a"], ["b"])], defaults=[ints_attribute("p", range(n))])
    return save(path, graph([node("f", ["x"], ["y"], domain="local")], [value("x")], [value("y")]), inner, outer)


def long_symbols_in_ifs(path: Path, n: int) -> Path:
    """A value whose dim has a long name, read in many branches."""
    nodes = []
    for i in range(n // 1000):
        made = (branch(role, [node("Neg", ["x"], ["v"])], ["v"]) for role in ("then_branch", "else_branch"))
        nodes.append(node("If", ["c"], [f"y{i}"], *made))
    return save(path, graph(nodes, [COND, value("x", tensor_type(["s" * n]))]))


def lists_for_many_nodes(path: Path, n: int) -> Path:
    """Axes, n numbers of them, that n / 4 nodes use."""
    axes = tensor("axes", [n], array("q", range(n)).tobytes())
    nodes = [node("Squeeze", ["x", "axes"], [f"y{i}"]) for i in range(n // 4)]
    return save(path, graph(nodes, [value("x", tensor_type(None))], [], [axes]))


def long_axes(path: Path, n: int) -> Path:
    """Axes, n times the same number, that many ReduceSums share: each of them reads the whole list."""
    axes = tensor("axes", [n], bytes(8 * n))
    nodes = [node("ReduceSum", ["x", "axes"], [f"y{i}"]) for i in range(n // 500)]
    return save(path, graph(nodes, [value("x", tensor_type(None))], [value("y0", tensor_type(None))], [axes]))


def types_of_many_dims(path: Path, n: int) -> Path:
    """Results of 64 dims."""
    nodes = [node("Neg", ["x"], [f"y{i}"]) for i in range(n)]
    return save(path, graph(nodes, [value("x", tensor_type([1] * 64))], [value("y0", tensor_type([1] * 64))]))


def chain_of_many_dims(path: Path, n: int) -> Path:
    """Nodes in a row, and a value of 15 dims that they hand on."""
    nodes = [node("Neg", [f"{i:x}"], [f"{i + 1:x}"]) for i in range(n)]
    many = tensor_type([1] * 15)
    return save(path, graph(nodes, [value("0", many)], [value(f"{n:x}", many)]))


def splits_of_many_dims(path: Path, n: int) -> Path:
    """The parts of a value of 15 dims: seven bytes for each."""
    parts = min(n, 1000)
    axis = int_attribute("axis", 0)
    nodes = [node("Split", ["x"], [f"{i + j:x}" for j in range(parts)], axis) for i in range(0, n, parts)]
    return save(path, graph(nodes, [value("x", tensor_type([parts] + [1] * 14))], [value("0", tensor_type([1] * 15))]))


def graph_references(path: Path, n: int) -> Path:
    """A function whose body refers to n graphs, which are attributes of the call."""
    held = graph([node("Neg", ["x"], ["v"])], outputs=[field(1, "v")])
    call = node("f", ["x"], ["y"], *(graph_attribute(f"g{i}", held) for i in range(n)), domain="local")
    uses = [node("Custom", ["a"], [f"m{i}"], reference("body", f"g{i}", 5), domain="local") for i in range(n)]
    made = function("f", [*uses, node("Neg", ["a"], ["b"])], attributes=[f"g{i}" for i in range(n)])
    return save(path, graph([call], [value("x")], [value("y")]), made)


def graph_references_in_ifs(path: Path, n: int) -> Path:
    """The same with Ifs, which a run evaluates."""
    held = graph([node("Neg", ["x"], ["v"])], outputs=[field(1, "v")])
    call = node("f", ["c", "x"], ["y"], *(graph_attribute(f"g{i}", held) for i in range(n)), domain="local")
    uses = []
    for i in range(n):
        both = [reference(role, f"g{i}", 5) for role in ("then_branch", "else_branch")]
        uses.append(node("If", ["q"], [f"m{i}"], *both))
    made = function("f", [*uses, node("Neg", ["a"], ["b"])], ["q", "a"], attributes=[f"g{i}" for i in range(n)])
    return save(path, graph([call], [COND, value("x")], [value("y")]), made)


def default_graphs(path: Path, n: int) -> Path:
    """The same, the graphs being the function's defaults."""
    held = graph([node("Constant", [], ["v"], int_attribute("value_int", 1))], outputs=[field(1, "v")])
    uses = [node("Custom", ["a"], [f"m{i}"], reference("body", f"g{i}", 5), domain="local") for i in range(n)]
    defaults = [graph_attribute(f"g{i}", held) for i in range(n)]
    made = function("f", [*uses, node("Neg", ["a"], ["b"])], defaults=defaults)
    return save(path, graph([node("f", ["x"], ["y"], domain="local")], [value("x")], [value("y")]), made)


def split(path: Path, n: int) -> Path:
    """A Split with n outputs."""
    nodes = [node("Split", ["x"], [f"y{i}" for i in range(n)], int_attribute("axis", 0))]
    return save(path, graph(nodes, [value("x", tensor_type([n]))], [value("y0", tensor_type([1]))]))


def inputs_with_defaults(path: Path, n: int) -> Path:
    """n inputs, each with a default."""
    inputs = [value(f"x{i}", tensor_type([], INT64)) for i in range(n)]
    defaults = [tensor(f"x{i}", [], bytes(8)) for i in range(n)]
    return save(path, graph([node("Neg", ["x0"], ["y"])], inputs, [value("y", tensor_type([], INT64))], defaults))


def chain_of_references(path: Path, n: int) -> Path:
    """Functions that pass an attribute on, the last one first in the file."""
    made = [function("f0", [node("Neg", ["a"], ["b"])], attributes=["p"])]
    for i in range(1, n):
        call = node(f"f{i - 1}", ["a"], ["b"], reference("p", "p", 2), domain="local")
        made.append(function(f"f{i}", [call], attributes=["p"]))
    call = node(f"f{n - 1}", ["x"], ["y"], int_attribute("p", 1), domain="local")
    return save(path, graph([call], [value("x")], [value("y")]), *made)


def constants_of_a_function(path: Path, n: int) -> Path:
    """A function with a large constant, called often."""
    k = node("Constant", [], ["k"], tensor_attribute("value", tensor("", [n // 4], bytes(n), FLOAT)))
    made = function("f", [k, node("Gather", ["k", "a"], ["b"], int_attribute("axis", 0))])
    calls = [node("f", ["x"], [f"y{i}"], domain="local") for i in range(n // 1250)]
    x = value("x", tensor_type([], INT64))
    return save(path, graph(calls, [x], [value("y0", tensor_type([]))]), made)


def lists_of_a_function(path: Path, n: int) -> Path:
    """The same, the constant being a list of numbers."""
    made = function(
        "f", [node("Constant", [], ["k"], ints_attribute("value_ints", [1] * n)), node("Neg", ["a"], ["b"])]
    )
    calls = [node("f", ["x"], [f"y{i}"], domain="local") for i in range(n // 1250)]
    return save(path, graph(calls, [value("x")], [value("y0")]), made)


def sparse_file(path: Path, size: int) -> None:
    """A sparse file of that size."""
    with path.open("wb") as file:
        os.truncate(file.fileno(), size)


def shared_external_data(path: Path, n: int) -> Path:
    """n / 8 constants that all use the same external file of 128 n bytes."""
    sparse_file(path.parent / "k.bin", 128 * n)
    tensors = [external_tensor(f"k{i}", [32 * n], "k.bin", FLOAT) for i in range(n // 8)]
    nodes = [node("Gather", [f"k{i}", "x"], [f"y{i}"], int_attribute("axis", 0)) for i in range(n // 8)]
    outputs = [value(f"y{i}", tensor_type([])) for i in range(n // 8)]
    return save(path, graph(nodes, [value("x", tensor_type([], INT64))], outputs, tensors))


def long_permutation(path: Path, n: int) -> Path:
    """Transposes of a constant of n axes, each of which names them all: the text of IR has them as strings of ports."""
    dims = [1] * n
    x = value("x", tensor_type(dims))
    nodes = []
    for i in range(n):
        nodes.append(node("Transpose", ["x" if i == 0 else f"y{i - 1}"], [f"y{i}"]))
    return save(path, graph(nodes, [x], [value(f"y{n - 1}", tensor_type(dims))]))


def growing_ranks(path: Path, n: int) -> Path:
    """Each node adds a dim to the previous result."""
    axis = tensor("a", [1], bytes(8), INT64)
    nodes = [node("Unsqueeze", [f"x{i}", "a"], [f"x{i + 1}"]) for i in range(n)]
    made = graph(nodes, [value("x0", tensor_type([2]))], [value(f"x{n}")], [axis])
    return save(path, made)


def ranks_of_many_operands(path: Path, n: int) -> Path:
    """A value of n dims that is n operands of one node."""
    node_ = node("Concat", ["x"] * n, ["y"], int_attribute("axis", 0))
    return save(path, graph([node_], [value("x", tensor_type([1] * n))], [value("y")]))


def unsqueezed_axes(path: Path, n: int) -> Path:
    """An Unsqueeze of n axes: TensorFlow Lite has one for each."""
    axes = tensor("axes", [n], array("q", range(n)).tobytes())
    nodes = [node("Unsqueeze", ["x", "axes"], ["y"])]
    return save(path, graph(nodes, [value("x")], [value("y", tensor_type([1] * n + [2]))], [axes]))


def shared_names(path: Path, n: int) -> Path:
    """One long name, captured by many branches and produced again in each of many calls."""
    long = "v" * n
    made = function("f", [node("Neg", ["a"], [long]), node("Neg", [long], ["b"])])
    calls = [node("f", ["x"], [f"y{i}"], domain="local") for i in range(n // 1000)]
    return save(path, graph(calls, [value("x")], [value("y0")]), made)


def shared_node_names(path: Path, n: int) -> Path:
    """One long name of a node in a function that is called often."""
    made = function("f", [node("Neg", ["a"], ["b"], name="v" * n)])
    calls = [node("f", ["x"], [f"y{i}"], domain="local") for i in range(n // 1000)]
    return save(path, graph(calls, [value("x")], [value("y0")]), made)


def sparse_shape(path: Path, n: int) -> Path:
    """A shape of n mebibytes in a sparse file."""
    return sparse_list(path, n, "Reshape")


def sparse_axes(path: Path, n: int) -> Path:
    """The same as axes."""
    return sparse_list(path, n, "Unsqueeze")


def sparse_list(path: Path, mebibytes: int, op: str) -> Path:
    """An operator whose list of numbers is in a sparse file."""
    count = (mebibytes << 20) // 8
    sparse_file(path.parent / "k.bin", 8 * count)
    nodes = [node(op, ["x", "k"], ["y"])]
    k = external_tensor("k", [count], "k.bin")
    return save(path, graph(nodes, [value("x")], [value("y", tensor_type(None))], [k]))
