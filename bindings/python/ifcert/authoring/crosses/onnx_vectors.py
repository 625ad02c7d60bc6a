"""The vectors of ONNX's cross: a model for each row, the runs, and what they must return."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product

import numpy as np
from onnx import GraphProto, ModelProto, StringStringEntryProto, TensorProto, TypeProto, numpy_helper, parser

from ifcert.authoring.crosses.dimensions import Row
from ifcert.authoring.crosses.onnx_dimensions import ONNX
from ifcert.authoring.crosses.onnx_models import Whole, whole
from ifcert.authoring.crosses.onnx_pieces import SEEN, Env, Held, Some, literal, type_of, writable
from ifcert.authoring.crosses.onnx_site import COND, Site, sample
from ifcert.authoring.crosses.rows import case_of_row, read_rows
from ifcert.authoring.forms import forms, graphs_of, has_type
from ifcert.authoring.models import _IR_OF_OPSET, model
from ifcert.authoring.neutral import neutral
from ifcert.authoring.sources import VECTORS
from ifcert.authoring.values import TensorSequence, Writable
from ifcert.authoring.vector import Concurrent, Reread, Run, Step, Vector

# The inputs of the main graph, in order; a model has those that it reads.
INPUTS = ("enter", COND, "c0", "other", "n", "trips", "x", "xs", "k")
OTHER_RANGE = 64


def vectors_of_cross() -> Iterator[Vector]:
    """A vector of each row."""
    for row in read_rows(VECTORS / "onnx", ONNX):
        yield vector_of(row)


def vector_of(row: Row) -> Vector:
    """The vector of a row."""
    site = Site(row, row["type"])
    made = whole(site)
    inputs = _inputs(site, made)
    parsed = model(_text(site, made, inputs))
    if row["declared"] == "typed":
        parsed = _typed(site, made, parsed)
    files = _put_outside(parsed, site) if row["identity"] == "range" else {}
    untyped = {"untyped-graphs"} if row["declared"] == "untyped" else set()
    return Vector(
        f"{_rule(row)}/{case_of_row(ONNX, row)}",
        _title(row),
        list(_why(row)),
        parsed,
        _steps(site, made, inputs),
        files=files,
        about=sorted(forms(parsed) - {"untyped-graphs", "typed-fields"} | untyped),
        coordinates=dict(row),
    )


def _rule(row: Row) -> str:
    """The rule for which the vector counts."""
    by_place = {"loop": "in-loop", "scan": "in-scan", "map": "in-sequence-map", "then": "nesting", "else": "nesting"}
    by_place |= dict.fromkeys(("function", "call", "passed"), "in-function")
    of_main = "cond-source" if row["capture"] == "none" else "outer-scope-capture"
    return f"onnx/if/{by_place.get(row['place'], of_main)}"


def _title(row: Row) -> str:
    """What is not plain, in the words of the dimensions."""
    said = [
        f"{dimension.name}: {dimension.values[row[dimension.name]]}"
        for dimension in ONNX.dimensions
        if row[dimension.name] != dimension.base
    ]
    return "; ".join(said) or "every dimension of the cross in its plain form"


WHY_PLACE = {
    "loop": ["operators-loop-pairs-of-variables"],
    "scan": ["operators-scan-calls-body"],
    "function": ["ir-graph-node-calls"],
    "call": ["ir-graph-node-calls"],
    "passed": ["ir-function-attribute-replaced"],
}


def _why(row: Row) -> Iterator[str]:
    """The sentences that decide the values."""
    yield from ("if-then-branch-runs", "if-else-branch-runs")
    if row["capture"] != "none":
        yield "ir-outer-scope"
    yield from WHY_PLACE.get(row["place"], [])
    if row["call"] in ("trailing", "middle", "twice"):
        yield "ir-left-out"
    if row["call"] not in ("none", "default") and row["place"] != "passed":
        yield "ir-function-attribute-replaced"
    if row["shapes"] != "same":
        yield "if-different-shapes"
    if row["runs"] != "once":
        yield "ir-same-input-same-output"
    if row["identity"] == "range":
        yield "ir-external-range"


# --- the text


def _inputs(site: Site, made: Whole) -> list[str]:
    """The main graph's inputs: what its nodes read and nothing in it makes."""
    read = set(re.findall(r"\w+", " ".join(piece.text for piece in made.pieces)))
    elsewhere = made.initializers.keys() | (set() if site.is_(cond="fed") else {COND})
    return [name for name in INPUTS if name in read - elsewhere]


def _text(site: Site, made: Whole, inputs: Sequence[str]) -> str:
    opset = site.row["opset"]
    ir = max(_IR_OF_OPSET[int(opset)], 8 if site.functions else 0, 9 if site.row["call"] == "default" else 0)
    given = ", ".join(f"{_input_type(site, name)} {name}" for name in inputs)
    returned = ", ".join(f"{type_} {name}" for name, type_ in _output_types(site, made).items())
    held = ", ".join(literal(array).replace(" {", f" {name} = {{", 1) for name, array in made.initializers.items())
    nodes = "\n        ".join(piece.text for piece in made.pieces)
    functions = "".join(function.text(opset) for function in site.functions)
    local = ', "local" : 1' if functions else ""
    return f"""<ir_version: {ir}, opset_import: ["" : {opset}{local}]>
    crossed ({given}) => ({returned}){held and f" <{held}>"} {{
        {nodes}
    }}{functions}"""


def _input_type(site: Site, name: str) -> str:
    length = "?" if site.row["runs"] == "shapes" else 2
    x = sample(site.element, "x")
    if name == "xs":
        return type_of((x,), [length]) if site.row["place"] == "map" else type_of(x, ["?", length])
    return {"x": type_of(x, [length]), "k": type_of(x, [1]), "n": "int64", "trips": "int64"}.get(name, "bool")


def _output_types(site: Site, made: Whole) -> dict[str, str]:
    """The type of each output, with the dims that are the same whatever is fed."""
    shapes: dict[str, list[tuple[int, ...]]] = {name: [] for name in made.results}
    held: dict[str, Held] = {}
    lengths = ("x", "long") if site.row["runs"] == "shapes" else ("x",)
    for decided, entered, length, trips in product((True, False), (True, False), lengths, (1, 3)):
        env = computed(made, fed(site, decided, entered, length, trips))
        for name in made.results:
            held[name] = env[name]
            shapes[name] += list(_shapes(env[name]))
    return {name: type_of(held[name], _dims(site, found)) for name, found in shapes.items()}


def _shapes(held: Held) -> Iterator[tuple[int, ...]]:
    match held:
        case tuple():
            yield from (item.shape for item in held)
        case Some():
            yield held.held.shape
        case _:
            yield held.shape


def _dims(site: Site, shapes: Sequence[tuple[int, ...]]) -> list[object]:
    (rank,) = {len(shape) for shape in shapes}
    sizes = [{shape[axis] for shape in shapes} for axis in range(rank)]
    unknown = site.row["shapes"] != "same" or site.row["place"] in ("loop", "scan")
    return ["?" if unknown or len(found) > 1 else found.pop() for found in sizes]


def _typed(site: Site, made: Whole, parsed: ModelProto) -> ModelProto:
    """The model with types for the graphs of nodes: as far as inference finds them with their shapes, else without."""
    env = fed(site, decided=True) | {SEEN: {}}
    computed(made, env)
    typed = neutral(parsed, ())
    for node in typed.graph.node:
        for graph in graphs_of(node):
            _type_graph(graph, env[SEEN])
    return typed


def _type_graph(graph: GraphProto, seen: Mapping[str, Sequence[Held]]) -> None:
    for info, held in zip([*graph.input, *graph.output], seen[graph.name], strict=True):
        if not has_type(info):
            info.type.CopyFrom(parser.parse_graph(f"g ({type_of(held, ['?'])} v) => () {{}}").input[0].type)
            _forget_shape(info.type)
    for node in graph.node:
        for inner in graphs_of(node):
            _type_graph(inner, seen)


def _forget_shape(type_: TypeProto) -> None:
    match type_.WhichOneof("value"):
        case "tensor_type":
            type_.tensor_type.ClearField("shape")
        case "sequence_type":
            _forget_shape(type_.sequence_type.elem_type)
        case _:
            _forget_shape(type_.optional_type.elem_type)


def _put_outside(made: ModelProto, site: Site) -> dict[str, bytes]:
    """The initializers k of the branches are in ranges of one file: another for the second If."""
    held = sample(site.element, "k").tobytes()
    for body in (made.graph, *made.functions):
        for node in body.node:
            for graph in graphs_of(node):
                _graph_outside(graph, held)
    return {"weights.bin": held.ljust(OTHER_RANGE, b"\0") + sample(site.element, "other k").tobytes()}


def _graph_outside(graph: GraphProto, held: bytes) -> None:
    for tensor in graph.initializer:
        if tensor.name.startswith("k"):
            data = numpy_helper.to_array(tensor).tobytes()
            offset = 0 if data == held else OTHER_RANGE
            kept = TensorProto(name=tensor.name, data_type=tensor.data_type, dims=tensor.dims)
            kept.data_location = TensorProto.EXTERNAL
            said = {"location": "weights.bin", "offset": offset, "length": len(data)}
            kept.external_data.extend(StringStringEntryProto(key=key, value=str(each)) for key, each in said.items())
            tensor.CopyFrom(kept)
    for node in graph.node:
        for inner in graphs_of(node):
            _graph_outside(inner, held)


# --- the runs


def fed(
    site: Site, decided: bool, entered: bool = True, length: str = "x", trips: int = 3, turned: bool = False
) -> Env:
    """What is fed: cond is `decided` where it depends on it; the If's graph is entered or not."""
    x = sample(site.element, length)
    x = x[::-1].copy() if turned else x
    items = [x, x[::-1].copy(), np.resize(x[:1], x.shape)][:trips]
    rows = np.stack(items) if items else np.zeros((0, *x.shape), x.dtype)
    return {
        "enter": np.array(entered != (site.row["place"] == "else")),
        COND: np.array(decided),
        "c0": np.array(decided),
        "other": np.array(not decided),
        "n": np.array(1 if decided else -1),
        "trips": np.array(trips),
        "x": x,
        "xs": tuple(items) if site.row["place"] == "map" else rows,
        "k": sample(site.element, "k"),
    }


def computed(made: Whole, given: Env) -> Env:
    """All values of the main graph."""
    env = given | made.initializers
    for piece in made.pieces:
        piece.run(env)
    return env


def _run(site: Site, made: Whole, inputs: Sequence[str], given: Env) -> Run:
    env = computed(made, given)
    like = computed(made, fed(site, decided=True))
    return Run(
        {name: _writable(given[name], sample(site.element, "x")) for name in inputs},
        {name: _writable(env[name], like[name]) for name in made.results},
    )


def _writable(held: Held, like: Held) -> Writable:
    """The value; of a sequence of nothing, the type of another."""
    if isinstance(held, tuple) and not held:
        item = like[0] if isinstance(like, tuple) else like
        return TensorSequence(writable(item).type, ())
    return writable(held)


def _steps(site: Site, made: Whole, inputs: Sequence[str]) -> list[Step]:
    decided = site.row["first"] == "true"
    trips = {"three": 3, "none": 0, "one": 1, "later": 3}[site.row["trips"]]
    fixed = site.row["cond"] in ("initializer", "constant", "folded")
    first = _run(site, made, inputs, fed(site, decided, trips=trips))
    other = _run(site, made, inputs, fed(site, not decided, trips=trips, turned=fixed))
    match site.row["runs"]:
        case "once":
            return [first]
        case "shapes":
            return [first, _run(site, made, inputs, fed(site, decided, length="long", trips=trips))]
        case "held":
            return [replace(first, hold=True), other, Reread(0)]
        case "concurrent":
            return [Concurrent([first, other])]
    steps: list[Step] = [first, other]
    if site.row["trips"] == "later":
        steps.insert(0, _run(site, made, inputs, fed(site, decided, trips=0)))
    if "enter" in inputs:
        steps.append(_run(site, made, inputs, fed(site, decided, entered=False, trips=trips)))
    return steps
