"""Models of ONNX that call an operator once for each clause of its text; clauses has what is asked of the results."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from onnx import ModelProto

from ifcert.authoring.clauses import runs_of, those_read
from ifcert.authoring.elements import ELEMENTS
from ifcert.authoring.models import add_initializer, edited, model
from ifcert.authoring.sources import Why
from ifcert.authoring.values import Tensor, Writable, floats, value
from ifcert.authoring.vector import Vector, vectors_of

_cond_source = vectors_of("onnx/if/cond-source")

X = floats(1, -2)


@dataclass(frozen=True)
class Call:
    """Nodes: {r} is their result, {t} begins the names of others.

    {_} follows the name of each operand, which is there twice: fed and stored.
    """

    nodes: str
    result: np.ndarray


def clauses_of(
    case: str, operands: Mapping[str, Writable], calls: Sequence[Call], *why: Why, stored: str = "", opset: int = 18
) -> Vector:
    """y and z ask what the calls make of the operands, once fed and once stored; w asks of the results' dims.

    Operands that no call reads are left out. `stored` are initializers of which there is one, such as axes. The results
    are of one type, and not all empty.
    """
    operands = those_read(operands, [re.findall(r"(\w+)\{_\}", each.nodes) for each in calls])
    inputs = ", ".join(f"{_type_of(held)} {name}" for name, held in operands.items())
    parts = {"y": _same("y", _listed(calls, ""), opset), "z": _same("z", _listed(calls, "_stored"), opset)}
    parts["w"] = _same("w", _dims_of(calls), opset)
    choices = " ".join(_choice(output) for output in parts)
    type_ = ELEMENTS[value(calls[0].result).element].text  # type: ignore[union-attr]
    text = f"""
        g ({inputs}, int64[n] at, {type_}[n] want, int64[k] dim_at, int64[k] want_dims, float[2] x)
            => (float[2] y, float[2] z, float[2] w) <int64[1] one_list = {{-1}}{", " if stored else ""}{stored}> {{
            {" ".join(parts.values())} {choices}
        }}"""

    def store(m: ModelProto) -> None:
        for name, held in operands.items():
            add_initializer(m.graph, f"{name}_stored", held)

    runs = runs_of(operands, [each.result for each in calls], _chosen, X)
    return _cond_source(case, edited(model(text, opset), store), runs, why=["if-cond", *why])


def _chosen(truth: bool) -> np.ndarray:
    return X + X if truth else -X


def _listed(calls: Sequence[Call], suffix: str) -> str:
    """The calls, and the list that their results make, of which `same` reads."""
    output = "z" if suffix else "y"
    nodes = [
        call.nodes.format(r=f"r{i}{suffix}", t=f"t{i}{suffix}_", _=suffix)
        + f" flat{i}{suffix} = Reshape (r{i}{suffix}, one_list)"
        for i, call in enumerate(calls)
    ]
    flat = ", ".join(f"flat{i}{suffix}" for i, call in enumerate(calls) if call.result.size > 0)
    return f"{' '.join(nodes)} list_{output} = Concat <axis = 0> ({flat})"


def _dims_of(calls: Sequence[Call]) -> str:
    """The list of the rank and the dims of each result."""
    nodes = [f"dims{i} = Shape (r{i}) rank{i} = Shape (dims{i})" for i in range(len(calls))]
    names = ", ".join(f"rank{i}, dims{i}" for i in range(len(calls)))
    return f"{' '.join(nodes)} list_w = Concat <axis = 0> ({names})"


def _same(output: str, nodes: str, opset: int) -> str:
    """The cond of one output: whether all that is asked of a list is so."""
    int32, boolean = ("6", "9") if opset > 5 else ('"INT32"', '"BOOL"')
    at, want = ("dim_at", "want_dims") if output == "w" else ("at", "want")
    return f"""{nodes} found_{output} = Gather (list_{output}, {at}) same_{output} = Equal (found_{output}, {want})
            ones_{output} = Cast <to = {int32}> (same_{output})
            least_{output} = ReduceMin <keepdims = 0> (ones_{output})
            cond_{output} = Cast <to = {boolean}> (least_{output})
            """


def _choice(output: str) -> str:
    return f"""{output} = If (cond_{output}) <
                then_branch = then_of_{output} () => (float[2] then_{output}) {{ then_{output} = Add (x, x) }},
                else_branch = else_of_{output} () => (float[2] else_{output}) {{ else_{output} = Neg (x) }}>
            """


def _type_of(held: Writable) -> str:
    tensor = value(held)
    assert isinstance(tensor, Tensor)
    dims = ", ".join(map(str, tensor.shape))
    return ELEMENTS[tensor.element].text + (f"[{dims}]" if dims else "")


Attribute = int | float | str | Sequence[int]


def call(operator: str, *operands: str | Sequence[int], result: np.ndarray, **attributes: Attribute) -> Call:
    """A call of an operator: of operands by name, of lists of int64, and of "@name", which is stored once."""
    lists = {i: held for i, held in enumerate(operands) if not isinstance(held, str)}
    nodes = [f"{{t}}{i} = Constant <value_ints = [{_numbers(held)}]> ()" for i, held in lists.items()]
    names = ", ".join(_operand(each) if isinstance(each, str) else f"{{t}}{i}" for i, each in enumerate(operands))
    return Call(f"{' '.join(nodes)} {{r}} = {operator} {_attributes(attributes)} ({names})", result)


def part_of(
    operator: str, *operands: str | Sequence[int], part: int, parts: int, result: np.ndarray, **attributes: Attribute
) -> Call:
    """One of the outputs of a call that has several."""
    whole = call(operator, *operands, result=result, **attributes).nodes
    outputs = ", ".join(f"{{t}}part{i}" for i in range(parts))
    return Call(f"{whole.replace('{r}', outputs)} {{r}} = Identity ({{t}}part{part})", result)


def cast(made: Call, number: int = 7) -> Call:
    """The call, whose result is cast to the element type of this number, int64, so that it may join others."""
    return Call(made.nodes.replace("{r}", "{t}uncast") + f" {{r}} = Cast <to = {number}> ({{t}}uncast)", made.result)


def _operand(name: str) -> str:
    return name.removeprefix("@") if name.startswith("@") or not name else f"{name}{{_}}"


def _attributes(attributes: Mapping[str, Attribute]) -> str:
    given = []
    for name, held in attributes.items():
        if isinstance(held, int | float):
            given.append(f"{name} = {held}")
        else:
            given.append(f'{name} = "{held}"' if isinstance(held, str) else f"{name} = [{_numbers(held)}]")
    return f"<{', '.join(given)}>" if given else ""


def _numbers(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))
