"""Models of ONNX whose captured values pass through many bodies: values × levels, in each place that multiplies them.

A value that only the innermost body reads is an input, a port and an edge of every body around it in the formats that
have no captures, though the file names it once. `n` is the number of values times that of levels, which are equal.
"""

from collections.abc import Callable
from math import isqrt
from pathlib import Path

from onnx_wire import (
    BOOL,
    INT64,
    branch,
    field,
    function,
    graph,
    graph_attribute,
    int_attribute,
    model,
    node,
    reference,
    tensor,
    tensor_type,
    value,
)

COND = value("c", tensor_type([], BOOL))
MOST_LEVELS = 980
LONG_NAME = 59  # bytes
LONGER_NAME = 250  # bytes; longer names than 256 bytes are counted wherever they are written
MOST_DIMS = 15  # more are steps of type inference


def values_and_levels(n: int) -> tuple[int, int]:
    """As many of one as of the other, as long as no reader refuses the levels."""
    levels = min(isqrt(n), MOST_LEVELS)
    return n // levels, levels


def reading_all(names: list[str]) -> list[bytes]:
    """Nodes that read all these values and return one as r."""
    return [*(node("Neg", [name], [f"z{i}"]) for i, name in enumerate(names)), node("Neg", ["z0"], ["r"])]


def either(nodes: list[bytes], result: str, other: str, then: bool = True) -> bytes:
    """An If with these nodes, which make r, in one branch, while the other branch reads one value."""
    roles = ("then_branch", "else_branch") if then else ("else_branch", "then_branch")
    small = branch(roles[1], [node("Neg", [other], ["e"])], ["e"])
    return node("If", ["c"], [result], branch(roles[0], nodes, ["r"]), small)


def nested(names: list[str], levels: int, then: bool = True) -> bytes:
    """Ifs in Ifs, of which the innermost reads all these values and the outermost returns y."""
    nodes = reading_all(names)
    for _ in range(levels - 1):
        nodes = [either(nodes, "r", names[0], then)]
    return either(nodes, "y", names[0], then)


def save(path: Path, made: bytes, *functions: bytes) -> Path:
    """Writes the model."""
    path.write_bytes(model(made, functions))
    return path


def named(path: Path, n: int, name: Callable[[int], str], dims: int = 1, then: bool = True) -> Path:
    """Inputs of those names and of so many dims that Ifs in Ifs hand on."""
    values, levels = values_and_levels(n)
    names = [name(i) for i in range(values)]
    inputs = [COND, *(value(each, tensor_type([1] * dims)) for each in names)]
    return save(path, graph([nested(names, levels, then)], inputs, [value("y", tensor_type([1] * dims))]))


def through_levels(path: Path, n: int) -> Path:
    """Inputs of the model."""
    return named(path, n, lambda i: f"x{i}")


def through_else_branches(path: Path, n: int) -> Path:
    """The same in else_branches."""
    return named(path, n, lambda i: f"x{i}", then=False)


def long_names_through_levels(path: Path, n: int) -> Path:
    """The same with long names."""
    return named(path, n, lambda i: f"x{i:0{LONG_NAME}d}")


def longer_names_through_levels(path: Path, n: int) -> Path:
    """The same with names that are nearly as long as those of which every use is counted."""
    return named(path, n, lambda i: f"x{i:0{LONGER_NAME}d}")


def types_through_levels(path: Path, n: int) -> Path:
    """The same with types of many dims, each of which is copied."""
    return named(path, n, lambda i: f"x{i}", MOST_DIMS)


def constants_through_levels(path: Path, n: int) -> Path:
    """Initializers instead of inputs: they are constants of every subgraph of TensorFlow Lite."""
    values, levels = values_and_levels(n)
    names = [f"k{i}" for i in range(values)]
    initializers = [tensor(name, [1], bytes(8)) for name in names]
    return save(path, graph([nested(names, levels)], [COND], [value("y", tensor_type([1], INT64))], initializers))


def through_loops(path: Path, n: int) -> Path:
    """Loops instead of Ifs: a capture is a variable of a While, in both of its subgraphs."""
    values, levels = values_and_levels(n)
    names = [f"x{i}" for i in range(values)]
    nodes = reading_all(names)
    for level in range(levels):
        again = node("Identity", [f"k{level}"], [f"a{level}"])
        inputs = [value(f"i{level}", tensor_type([], INT64)), value(f"k{level}", tensor_type([], BOOL))]
        body = graph([*nodes, again], [*inputs, field(1, f"v{level}")], [field(1, f"a{level}"), field(1, "r")])
        nodes = [node("Loop", ["m", "", names[0]], ["r"], graph_attribute("body", body))]
    made = [*nodes, node("Neg", ["r"], ["y"])]
    inputs = [value("m", tensor_type([], INT64)), *(value(name) for name in names)]
    return save(path, graph(made, inputs, [value("y", tensor_type(None))]))


def through_a_passed_graph(path: Path, n: int) -> Path:
    """A graph that a call passes, and that the function enters many levels down: only an inlined one captures there."""
    values, levels = values_and_levels(n)
    passed = graph(reading_all([f"x{i}" for i in range(values)]), outputs=[field(1, "r")])
    small = branch("else_branch", [node("Neg", ["a"], ["e"])], ["e"])
    nodes = [node("If", ["q"], ["r"], reference("then_branch", "g", 5), small)]
    for _ in range(levels - 1):
        nodes = [node("If", ["q"], ["r"], branch("then_branch", nodes, ["r"]), small)]
    made = function("f", [*nodes, node("Neg", ["r"], ["b"])], ["q", "a"], attributes=["g"])
    call = node("f", ["c", "x0"], ["y"], graph_attribute("g", passed), domain="local")
    inputs = [COND, *(value(f"x{i}") for i in range(values))]
    return save(path, graph([call], inputs, [value("y")]), made)


def into_many_branches(path: Path, n: int) -> Path:
    """Ifs beside each other instead of in each other, each of which reads all values."""
    values, ifs = values_and_levels(n)
    names = [f"x{i}" for i in range(values)]
    concat = branch("then_branch", [node("Concat", names, ["r"], int_attribute("axis", 0))], ["r"])
    other = branch("else_branch", [node("Neg", ["x0"], ["e"])], ["e"])
    nodes = [node("If", ["c"], [f"y{i}"], concat, other) for i in range(ifs)]
    return save(path, graph(nodes, [COND, *map(value, names)], [value("y0", tensor_type(None))]))


def in_a_called_function(path: Path, n: int) -> Path:
    """A function whose If reads many values, called often: captures × calls."""
    values, calls = values_and_levels(n)
    names = [f"x{i}" for i in range(values)]
    choice = node("If", ["q"], ["b"], branch("then_branch", reading_all(names), ["r"]),
                  branch("else_branch", [node("Neg", ["a"], ["e"])], ["e"]))  # fmt: skip
    made = function("f", [*(node("Identity", ["a"], [name]) for name in names), choice], ["q", "a"])
    nodes = [node("f", ["c", "x"], [f"y{i}"], domain="local") for i in range(calls)]
    return save(path, graph(nodes, [COND, value("x")], [value("y0")]), made)
