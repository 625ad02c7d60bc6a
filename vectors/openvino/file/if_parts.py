"""The parts of an If: two bodies, two port maps, at least one Result in each body, and at least one output."""

from collections.abc import Iterator

from ifcert.authoring import Vector, branches, ints, says
from ifcert.authoring.ir import IrEdit, IrModel, as_in, moved_before, replaced
from ifcert.authoring.ir_bodies import Body, applied, body, constant, if_layer, if_model, passed, takes
from ifcert.authoring.ir_text import edges, net, parameter, result

X = ints(1, -2)
RUNS = branches({"x": X}, then={"y": -X}, else_={"y": X})
CHOICE = if_model(
    {"cond": "boolean[]", "x": "i32[2]"}, {"y": "i32[2]"}, applied("Negative", "i32[2]", to=2), passed("i32[2]", to=2)
)


def vectors() -> Iterator[Vector]:
    whole = Vector(
        "openvino/if/two-bodies-two-port-maps/each-once",
        "each of the four parts is present once",
        ["if-draft-two-bodies", "if-8-two-port-maps"],
        CHOICE,
        RUNS,
    )
    yield whole
    yield from _orders(whole)
    yield from _missing_and_twice(whole)
    yield from _other_entries(whole)


def _orders(whole: Vector) -> Iterator[Vector]:
    """The order of the parts in the XML has no meaning: they are identified by their names."""
    yield whole.varied(
        "bodies-before-maps: the bodies come before the maps",
        moved_before("then_body", "then_port_map"),
        moved_before("else_body", "then_port_map"),
    )
    yield whole.varied(
        "else-before-then: else's map and body come before then's",
        moved_before("else_port_map", "then_port_map"),
        moved_before("else_body", "then_body"),
    )
    yield whole.varied("ports-last: the If's <input> and <output> come after its bodies, output first", _ports_last)


def _ports_last(text: str) -> str:
    """The If's ports, moved to its end."""
    start = text.index('type="If"')
    first, middle = text.index("<input>", start), text.index("<output>", start)
    last = text.index("<then_port_map>")
    end = text.index("</else_body>") + len("</else_body>")
    ports = "\n" + text[middle:last].rstrip() + "\n" + text[first:middle].rstrip()
    return text[:first] + text[last:end] + ports + text[end:]


def _missing_and_twice(whole: Vector) -> Iterator[Vector]:
    for part, words in [
        ("then_body", "then-body"),
        ("else_body", "else-body"),
        ("then_port_map", "then-port-map"),
        ("else_port_map", "else-port-map"),
    ]:
        yield whole.broken(f"no-{words}: there is no {part}", _without(part))
        yield whole.broken(f"{words}-twice: {part} is there twice, word for word", _twice(part))


def _span(text: str, part: str) -> tuple[int, int]:
    return text.index(f"<{part}>"), text.index(f"</{part}>") + len(f"</{part}>")


def _without(part: str) -> IrEdit:
    def edit(text: str) -> str:
        first, last = _span(text, part)
        return text[:first] + text[last:]

    return edit


def _twice(part: str) -> IrEdit:
    def edit(text: str) -> str:
        first, last = _span(text, part)
        return text[:last] + "\n" + text[first:last] + text[last:]

    return edit


def _other_entries(whole: Vector) -> Iterator[Vector]:
    for part in ("then", "else"):
        for case, entry in [
            ("merged-input", '<merged_input external_port_id="1" internal_layer_id="0"/>'),
            ("back-edge", '<edge from-layer="2" to-layer="0"/>'),
        ]:
            yield whole.broken(
                f"{case}-in-{part}-map: {part}_port_map has a third entry, which is neither input nor output",
                replaced(f"</{part}_port_map>", f"{entry}\n</{part}_port_map>"),
                why=["if-8-entries"],
            )
        yield whole.broken(
            f"result-in-{part}-map: the entry of {part}_port_map that maps the output is called result",
            replaced("<output ", "<result ", within=f"{part}_port_map"),
            why=["if-8-entries"],
        )


def _bodies_without_result() -> Iterator[Vector]:
    right = Vector(
        "openvino/if/body-has-result/one-each",
        "each body has one Result",
        [says("if-8-not-empty", "if-8-body-has-result")],
        CHOICE,
        RUNS,
    )
    no_result = Body([takes(1, 0)], _only_parameter())
    empty = body([])
    for case, then_body, else_body in [
        ("none-in-then: then_body has a Parameter and no Result", no_result, passed("i32[2]", to=2)),
        ("none-in-else: else_body has a Parameter and no Result", applied("Negative", "i32[2]", to=2), no_result),
        ("empty-then: then_body has no layer", empty, passed("i32[2]", to=2)),
        ("empty-else: else_body has no layer", applied("Negative", "i32[2]", to=2), empty),
        ("both-empty: neither body has a layer", empty, empty),
    ]:
        yield right.broken(case, as_in(_of(then_body, else_body)))


def _only_parameter() -> str:
    return body([], parameter(0, "a", "i32[2]")).network


def _of(then_body: Body, else_body: Body) -> IrModel:
    return if_model({"cond": "boolean[]", "x": "i32[2]"}, {"y": "i32[2]"}, then_body, else_body)


def _no_outputs() -> Iterator[Vector]:
    """Besides the If's result the main network returns x, so that it has an output in any case."""

    def model(*, outputs: bool) -> IrModel:
        then_body, else_body = constant(ints(1), to=1), constant(ints(2), to=1)
        if not outputs:
            then_body, else_body = Body([], then_body.network), Body([], else_body.network)
        return net(
            parameter(0, "cond", "boolean[]"),
            parameter(1, "x", "i32[2]"),
            if_layer(2, ["boolean[]"], {"y": "i32[1]"} if outputs else {}, then_body, else_body),
            result(3, "i32[2]"),
            result(4, "i32[1]") if outputs else "",
            edges(f"0:0>2:0 1:0>3:0 {'2:1>4:0' if outputs else ''}"),
        )

    one = Vector(
        "openvino/if/has-outputs/one",
        "the If has one output, and x is returned besides",
        ["if-8-output-count"],
        model(outputs=True),
        branches({"x": X}, then={"x": X, "y": ints(1)}, else_={"x": X, "y": ints(2)}),
    )
    yield one.broken("none: the If has no output", as_in(model(outputs=False)))
