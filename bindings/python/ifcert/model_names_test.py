"""Names that are not UTF-8: a model that has one is broken, and no text of it raises a UnicodeError."""

import onnx
import onnx.helper
import pytest

import ifcert

# The placeholder for names in a good file: as many bytes as the names that replace it, so that no length changes.
GOOD = b"NAMEX"

# From Unicode's own table of malformed UTF-8; each five bytes long.
MALFORMED = {
    "latin-1": b"caf\xe9x",
    "overlong of two": b"\xc0\xaf...",
    "overlong of three": b"\xe0\x80\xaf..",
    "overlong of four": b"\xf0\x80\x80\xaf.",
    "surrogate": b"\xed\xa0\x80..",
    "beyond U+10FFFF": b"\xf4\x90\x80\x80.",
    "five bytes": b"\xf8\x88\x80\x80\x80",
    "continuation": b"\x80....",
    "cut off": b"...\xe2\x82",
}

FIELDS = [
    "value",
    "node",
    "operator",
    "domain",
    "attribute",
    "graph",
    "branch",
    "initializer",
    "dim",
    "producer",
    "function",
]


def model_with(field: str) -> bytes:
    """A model that computes, in which this field, and no other, has the name NAMEX."""
    name = {each: "NAMEX" if each == field else f"{each}_" for each in FIELDS}
    info = onnx.helper.make_tensor_value_info
    inner = onnx.helper.make_node("Neg", [name["value"]], ["a"], name=name["node"])
    call = onnx.helper.make_node(name["function"], ["a"], ["b"], domain=name["domain"])
    given = onnx.helper.make_node("Add", [name["value"], name["initializer"]], ["c"])
    outputs = [info("b", 1, None), info("c", 1, None)]
    branches = [
        onnx.helper.make_graph([inner, call], name["branch"], [], outputs[:1]),
        onnx.helper.make_graph([given], "else_graph", [], outputs[1:]),
    ]
    choose = onnx.helper.make_node("If", ["cond"], ["y"], then_branch=branches[0], else_branch=branches[1])
    if field == "operator":
        choose.op_type = name["operator"]
    if field == "attribute":
        choose.attribute.append(onnx.helper.make_attribute(name["attribute"], 1))
    constant = onnx.helper.make_tensor(name["initializer"], 1, [1], [1.0])
    ports = [info("cond", 9, []), info(name["value"], 1, [name["dim"]])]
    graph = onnx.helper.make_graph([choose], name["graph"], ports, [info("y", 1, [None])], [constant])
    body = [onnx.helper.make_node("Identity", ["x"], ["z"])]
    opset = onnx.helper.make_opsetid("", 16)
    function = onnx.helper.make_function(name["domain"], name["function"], ["x"], ["z"], body, [opset])
    opsets = [opset, onnx.helper.make_opsetid(name["domain"], 1)]
    made = onnx.helper.make_model(graph, opset_imports=opsets, functions=[function], producer_name=name["producer"])
    made.ir_version = 8
    return made.SerializeToString()


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("malformed", MALFORMED.values(), ids=MALFORMED)
def test_a_name_that_is_not_utf_8_breaks_its_rule(field: str, malformed: bytes) -> None:
    file = model_with(field)
    assert GOOD in file
    with pytest.raises(ifcert.UnreadableModel) as error:
        ifcert.load(file.replace(GOOD, malformed))
    assert error.value.diagnostic.rule == "onnx/model/names-are-utf-8"
    assert "UTF-8" in str(error.value)


@pytest.mark.parametrize("name", ["größe", "出力", "😀", "a b", "\x7f"])
def test_a_name_of_other_characters_is_a_name(name: str) -> None:
    file = onnx.ModelProto.FromString(model_with("value"))
    file.graph.input[1].name = name
    for attribute in file.graph.node[0].attribute:
        attribute.g.node[0].input[0] = name
    model = ifcert.load(file)
    assert model.check() == []
    assert [port.name for port in model.inputs] == ["cond", name]
    assert model.run({"cond": True, name: [2.0]})["y"].tolist() == [-2.0]


def test_bytes_that_are_not_text_raise_nothing_where_they_are_allowed() -> None:
    """Attributes and strings are bytes by onnx.proto."""
    node = onnx.helper.make_node("Constant", [], ["y"], value_string=b"\xed\xa0\x80")
    port = onnx.helper.make_tensor_value_info("y", onnx.TensorProto.STRING, [])
    graph = onnx.helper.make_graph([node], "main", [], [port])
    model = ifcert.load(onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 16)], ir_version=8))
    assert model.check() == []
    assert model.run({})["y"].item().encode("utf-8", "surrogateescape") == b"\xed\xa0\x80"
    assert model.show()._repr_svg_().startswith("<svg")
