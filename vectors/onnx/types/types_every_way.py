"""Every type that a version of If lists passes through both branches from wherever a value can come from.

An If with several outputs covers the sources side by side: fed, an initializer of the main graph, computed in the main
graph, an initializer of the branch, a Constant in the branch. Else returns its captures in another order. The types
that only Loop accepts are in passed_types.py.
"""

from collections.abc import Iterator
from dataclasses import replace

from ifcert.authoring import Run, Vector, absent, branches, model, sequence, some
from ifcert.authoring.elements import ELEMENTS
from ifcert.authoring.if_types import VERSIONS, elements_added, elements_listed
from ifcert.authoring.models import add_initializer, else_of, then_of
from ifcert.authoring.patterns import LENGTH, pattern
from ifcert.authoring.values import OptionalValue, Tensor, TensorSequence, Value
from onnx import GraphProto, ModelProto, helper


def vectors() -> Iterator[Vector]:
    for version in VERSIONS:
        for element in elements_listed(version):
            yield _tensors(element, version)
    for version in VERSIONS:
        for element in elements_added(1):  # the types that SequenceConstruct and Optional accept
            if version >= 13:
                yield _sequences(element, version)
            if version >= 16:
                yield _optionals(element, version)
                yield _optional_sequences(element, version)


def _vector(kind: str, element: str, version: int, made: ModelProto, runs: list[Run]) -> Vector:
    opset = made.opset_import[0].version
    return Vector(
        f"onnx/if/types-of-opset/{kind}-of-{element}-in-opset-{opset}",
        f"If-{version} returns {next(iter(runs[0].expect.values())).type} from every source",
        ["if-types-of-each-version" if version < 25 else "operators-if-25-types"],
        made,
        runs,
    )


# --- tensors

FED, HELD, MADE = 0, 1, 2  # the numbers of the patterns: captured ones, then the two that each branch has
THEN_OWN, THEN_WRITTEN, ELSE_OWN, ELSE_WRITTEN = 3, 4, 5, 6


def every_way(element: str, opset: int) -> ModelProto:
    """Identity passes the captures through; Reshape computes what `made` captures."""
    text = ELEMENTS[element].text
    many = ", ".join(f"{text}[{LENGTH}] {{branch}}_{way}" for way in ("one", "two", "three", "own", "written"))
    made = model(
        f"""
        every_way (bool cond, {text}[{LENGTH}] x, {text}[1,{LENGTH}] row) => (
            {text}[{LENGTH}] one, {text}[{LENGTH}] two, {text}[{LENGTH}] three,
            {text}[{LENGTH}] own, {text}[{LENGTH}] written
        ) <int64[1] flat = {{-1}}> {{
            made = Reshape (row, flat)
            one, two, three, own, written = If (cond) <
                then_branch = then_graph () => ({many.format(branch="then")})
                    {{ then_one = Identity (x)  then_two = Identity (held)  then_three = Identity (made) }},
                else_branch = else_graph () => ({many.format(branch="else")})
                    {{ else_one = Identity (held)  else_two = Identity (made)  else_three = Identity (x) }}>
        }}""",
        opset,
    )
    add_initializer(made.graph, "held", pattern(element, HELD))
    _give_own(then_of(made), "then", element, THEN_OWN, THEN_WRITTEN)
    _give_own(else_of(made), "else", element, ELSE_OWN, ELSE_WRITTEN)
    return made


def _give_own(branch: GraphProto, name: str, element: str, own: int, written: int) -> None:
    add_initializer(branch, f"{name}_own", pattern(element, own))
    value = pattern(element, written).proto()
    branch.node.append(helper.make_node("Constant", [], [f"{name}_written"], value=value))


def _tensors(element: str, version: int) -> Vector:
    opset = max(version, 9)  # the oldest opset that today's runtimes promise to read; its If is version 1
    made = pattern(element, MADE)
    fed = {"x": pattern(element, FED), "row": _row(made)}
    ways = ("one", "two", "three", "own", "written")

    def given(*numbers: int) -> dict[str, Value]:
        return {way: pattern(element, number) for way, number in zip(ways, numbers, strict=True)}

    runs = branches(
        {**fed},
        then=given(FED, HELD, MADE, THEN_OWN, THEN_WRITTEN),
        else_=given(HELD, MADE, FED, ELSE_OWN, ELSE_WRITTEN),
    )
    return _vector("tensor", element, version, every_way(element, opset), runs)


def _row(tensor: Tensor) -> Tensor:
    return replace(tensor, shape=(1, *tensor.shape))


# --- sequences and optionals


def containers(opset: int, text: str, element: str, outside: str, then_own: str, else_own: str) -> ModelProto:
    """Fed values (v) and computed ones are captured; `own` is built in the branch. No constant can hold them."""
    tensor = f"{ELEMENTS[element].text}[{LENGTH}]"
    return model(
        f"""
        every_way (bool cond, {text} v, {tensor} x, {tensor} z) => ({text} one, {text} two, {text} own) {{
            {outside}
            one, two, own = If (cond) <
                then_branch = then_graph () => ({text} then_one, {text} then_two, {text} then_own)
                    {{ then_one = Identity (v)  then_two = Identity (made)  {then_own} }},
                else_branch = else_graph () => ({text} else_one, {text} else_two, {text} else_own)
                    {{ else_one = Identity (made)  else_two = Identity (v)  {else_own} }}>
        }}""",
        opset,
    )


def _runs(element: str, fed: Value, made: Value, then_own: Value, else_own: Value) -> list[Run]:
    inputs = {"v": fed, "x": pattern(element, 1), "z": pattern(element, 2)}
    return branches(
        {**inputs}, then={"one": fed, "two": made, "own": then_own}, else_={"one": made, "two": fed, "own": else_own}
    )


def _sequences(element: str, version: int) -> Vector:
    def items(*numbers: int) -> TensorSequence:
        return sequence(f"tensor({element})", [pattern(element, number) for number in numbers])

    made = containers(
        max(version, 14),  # the Identity of opset 14 accepts sequences; its If is version 13
        f"seq({ELEMENTS[element].text}[{LENGTH}])",
        element,
        "made = SequenceConstruct (x, z)",
        "then_own = SequenceConstruct (z)",
        "else_own = SequenceConstruct (z, x)",
    )
    runs = _runs(element, items(0, 7), items(1, 2), items(2), items(2, 1))
    return _vector("sequence", element, version, made, runs)


def _optionals(element: str, version: int) -> Vector:
    tensor = f"{ELEMENTS[element].text}[{LENGTH}]"
    made = containers(
        version,
        f"optional({tensor})",
        element,
        "made = Optional (x)",
        "then_own = Optional (z)",
        f"else_own = Optional <type = {tensor}> ()",
    )
    fed, one, two = (some(pattern(element, number)) for number in (0, 1, 2))
    return _vector("optional", element, version, made, _runs(element, fed, one, two, absent(f"tensor({element})")))


def _optional_sequences(element: str, version: int) -> Vector:
    def items(*numbers: int) -> OptionalValue:
        return some(sequence(f"tensor({element})", [pattern(element, number) for number in numbers]))

    text = f"seq({ELEMENTS[element].text}[{LENGTH}])"
    made = containers(
        version,
        f"optional({text})",
        element,
        "pair = SequenceConstruct (x, z)  made = Optional (pair)",
        "then_single = SequenceConstruct (z)  then_own = Optional (then_single)",
        f"else_own = Optional <type = {text}> ()",
    )
    runs = _runs(element, items(0, 7), items(1, 2), items(2), absent(f"seq(tensor({element}))"))
    return _vector("optional-sequence", element, version, made, runs)
