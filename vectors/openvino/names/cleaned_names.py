"""Names that are no identifiers, of layers and ports, also such that only a rewriting makes equal."""

from collections.abc import Callable, Iterator, Sequence
from xml.sax.saxutils import escape

import numpy as np
from ifcert.authoring import Run, Vector, branches, ints, says, vectors_of
from ifcert.authoring.ir import IrModel
from ifcert.authoring.ir_bodies import Body, applied, applied_to_constant, body, gives, if_layer, if_model, takes
from ifcert.authoring.ir_text import const, edges, net, operation, parameter, result

port_maps_independent = vectors_of(
    "openvino/if/port-maps-independent",
    says("ir-edges-by-ids", note="a name connects nothing"),
    "if-8-xml-example-output",
)

ONE = "i32[1]"
X = ints(100)

KINDS = {
    "differ-in-punctuation": (
        "that are one name once punctuation is replaced or removed",
        ["a.b", "a_b", "a:b", "a/b", "a b", "a-b", "a;b", "ab"],
    ),
    "differ-in-part": (
        "that are one name once they are cut, trimmed, in one case, in ASCII alone, or numbers",
        ["k", "k:0", "/k", "m/k", "m::k", "k ", "K", "k\u00e9", "k\u00e8", "0", "00"],
    ),
}

# Who writes such names, or what they consist of, and the form.
FORMS: dict[str, tuple[str, Callable[[str], str]]] = {
    "colons": ("as TensorFlow's, with a number behind a colon", lambda name: f"{name}:0"),
    "two-colons": ("as PyTorch's, with a prefix and two colons", lambda name: f"onnx::{name}_12"),
    "slashes": ("as scopes make them, with slashes", lambda name: f"PartitionedCall/model/if/cond/{name}"),
    "dots": ("as PyTorch's of weights, with dots", lambda name: f"module.0.{name}.weight"),
    "dashes": ("with dashes", lambda name: f"model-{name}-1"),
    "spaces": ("with spaces and parentheses", lambda name: f"{name} (cm)"),
    "semicolons": ("as fused operators have, with semicolons", lambda name: f"model/{name}/Add;model/{name}/Read"),
    "signs": ("with signs before them, as compilers' have", lambda name: f"%{name}$#@^~"),
    "markup": ("with what marks up XML", lambda name: f'<{name} a="1">&amp;</{name}>'),
    "backslashes": ("with backslashes, as paths have", lambda name: f"C:\\new\\{name}"),
    "other-letters": ("with letters and signs of two, three and four bytes", lambda name: f"é{name}\u540d\U0001f600"),
    "digits-first": ("that begin with a digit", lambda name: f"12{name}"),
    "three-hundred-letters": ("of three hundred letters", lambda name: "long_" * 60 + name),
}


def quoted(name: str) -> str:
    """The name as an attribute of XML."""
    return escape(name, {'"': "&quot;"})


def joined(names: Sequence[str], *, opposite: bool = False) -> Body:
    """A body with a Parameter of each name, which returns all values one after another, or their opposites."""
    count = len(names)
    kind = f"i32[{count}]"
    into = " ".join(f"{i}:0>{count}:{i}" for i in range(count))
    return body(
        [*(takes(1 + i, i) for i in range(count)), gives(1 + count, count + 2)],
        *(parameter(i, quoted(name), ONE) for i, name in enumerate(names)),
        operation(count, "Concat", [ONE] * count, kind, data='axis="0"'),
        operation(count + 1, "Negative", [kind], kind) if opposite else "",
        result(count + 2, kind),
        edges(
            f"{into} {count}:{count}>{count + 1}:0 {count + 1}:1>{count + 2}:0"
            if opposite
            else f"{into} {count}:{count}>{count + 2}:0"
        ),
    )


def of_parameters(outer: Sequence[str], inner: Sequence[str]) -> IrModel:
    """Parameters of the model have the outer names, those of the bodies the inner ones."""
    inputs = {"cond": "boolean[]"} | {quoted(name): ONE for name in outer}
    return if_model(inputs, {"y": f"i32[{len(outer)}]"}, joined(inner), joined(inner, opposite=True))


def counted(names: Sequence[str], operator: str) -> Body:
    """A body of constants and operations that have the names: x + 1, x + 2, … or x - 1, x - 2, …"""
    count = len(names)
    layers, links = [parameter(0, "a", ONE)], []
    for i, name in enumerate(names):
        constant = const(10 + i, ints(i + 1)).replace(f'name="const{10 + i}"', f'name="{quoted(name)}"')
        layers += [constant, operation(100 + i, operator, [ONE, ONE], ONE, name=quoted(f"{name} {name}"))]
        layers += [result(200 + i, ONE)]
        links += [f"0:0>{100 + i}:0 {10 + i}:0>{100 + i}:1 {100 + i}:2>{200 + i}:0"]
    entries = [takes(1, 0), *(gives(2 + i, 200 + i) for i in range(count))]
    return body(entries, *layers, edges(" ".join(links)))


def of_outputs(outer: Sequence[str], inner: Sequence[str]) -> IrModel:
    """Ports of the If's outputs have the outer names, layers of the bodies the inner ones."""
    return if_model(
        {"cond": "boolean[]", "x": ONE},
        {quoted(name): ONE for name in outer},
        counted(inner, "Add"),
        counted(inner, "Subtract"),
    )


def of_ifs(names: Sequence[str]) -> IrModel:
    """Ifs, each of which reads the result of the one before, have the names; so has the network of them."""
    ids = [10 + i for i in range(len(names))]
    layers = [
        if_layer(
            id,
            ["boolean[]", ONE],
            {f"y{id}" if id < ids[-1] else "y": ONE},
            added(i + 1),
            applied("Negative", ONE, to=2),
            name=quoted(names[i]),
        )
        for i, id in enumerate(ids)
    ]
    links = " ".join(f"0:0>{id}:0 {id - 1 if i else 1}:{2 if i else 0}>{id}:1" for i, id in enumerate(ids))
    return net(
        parameter(0, "cond", "boolean[]"),
        parameter(1, "x", ONE),
        *layers,
        result(99, ONE),
        edges(f"{links} {ids[-1]}:2>99:0"),
        name=quoted(names[0]),
    )


def added(number: int) -> Body:
    """A body that returns its input plus the number."""
    return applied_to_constant("Add", ONE, ints(number), to=2)


def vectors() -> Iterator[Vector]:
    for kind, (what, names) in KINDS.items():
        yield from _of_kind(kind, what, names)
    for case, (what, form) in FORMS.items():
        cond, x, y = form("cond"), form("x"), form("y")
        model = if_model(
            {quoted(cond): "boolean[]", quoted(x): ONE},
            {quoted(y): ONE},
            counted([form("k")], "Add"),
            counted([form("k")], "Subtract"),
        )
        yield port_maps_independent(
            f"names-with-{case}: all Parameters, constants, operations and ports have names {what}",
            model.edited(lambda text, form=form: text.replace('name="choice"', f'name="{quoted(form("choice"))}"')),
            branches({x: X}, then={y: X + 1}, else_={y: X - 1}, cond=cond),
        )


def _of_kind(kind: str, what: str, names: Sequence[str]) -> Iterator[Vector]:
    count = len(names)
    plain = [f"p{i}" for i in range(count)]
    numbers = np.arange(count, dtype=np.int32)
    for case, title, outer, inner in (
        ("parameters", "the model's Parameters have names", names, plain),
        ("inner-parameters", "the Parameters of both bodies have names", plain, names),
    ):
        fed = {name: ints(i) for i, name in enumerate(outer)}
        yield port_maps_independent(
            f"{case}-that-{kind}: {title} {what}",
            of_parameters(outer, inner),
            [Run({"cond": np.True_} | fed, {"y": numbers}), Run({"cond": np.False_} | fed, {"y": -numbers})],
        )
    for case, title, outer, inner in (
        ("outputs", "the If's outputs have names", names, plain),
        ("inner-layers", "constants and operations of both bodies have names", plain, names),
    ):
        yield port_maps_independent(
            f"{case}-that-{kind}: {title} {what}",
            of_outputs(outer, inner),
            [
                Run({"cond": cond, "x": X}, {name: X + sign * (i + 1) for i, name in enumerate(outer)})
                for cond, sign in ((np.True_, 1), (np.False_, -1))
            ],
        )
    yield port_maps_independent(
        f"ifs-that-{kind}: several Ifs, of which one reads the result of another, have names {what}",
        of_ifs(names),
        branches({"x": X}, then={"y": X + count * (count + 1) // 2}, else_={"y": X * (-1) ** count}),
    )
