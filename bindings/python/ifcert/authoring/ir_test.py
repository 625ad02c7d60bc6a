"""Reading and editing IR models."""

import numpy as np
import pytest

from ifcert.authoring.features import needs
from ifcert.authoring.forms import forms
from ifcert.authoring.ir import IrModel, as_in, moved_before, replaced
from ifcert.authoring.ir_bodies import applied, body, constant, gives, if_model, takes
from ifcert.authoring.ir_text import const, edges, net, operation, parameter, port, precision, result, stored
from ifcert.authoring.values import codes, strings, value

CHOICE = if_model(
    {"cond": "boolean[]", "x": "f32[2]"},
    {"y": "f32[2]"},
    applied("Negative", "f32[2]", to=2),
    constant(np.float32([1, 2]), to=2),
)


def test_inputs_and_outputs_have_the_names_of_their_ports() -> None:
    assert CHOICE.inputs() == ["cond", "x"]
    assert CHOICE.outputs() == ["y"]


def test_an_output_without_names_has_that_of_its_layer() -> None:
    model = net(
        parameter(0, "x", "i32[]"),
        operation(1, "Abs", ["i32[]"], "i32[]"),
        result(2, "i32[]"),
        edges("0:0>1:0 1:1>2:0"),
    )
    assert model.outputs() == ["op1"]


def test_outputs_come_in_the_order_of_the_results() -> None:
    model = net(
        parameter(0, "a", "i32[]"), parameter(1, "b", "i32[]"), result(3, ""), result(2, ""), edges("0:0>2:0 1:0>3:0")
    )
    assert model.outputs() == ["b", "a"]


def test_bytes_of_constants_fill_the_bin() -> None:
    files = net(const(0, np.int32([1, 2])), const(1, np.float64([0.5])), result(2, "i32[2]"), edges("0:0>2:0")).files()
    xml, weights = files["model.xml"].decode(), files["model.bin"]
    assert 'shape="2" offset="0" size="8"' in xml
    assert 'shape="1" offset="16" size="8"' in xml
    assert weights == np.int32([1, 2]).tobytes() + bytes(8) + np.float64([0.5]).tobytes()


def test_they_stand_behind_weights_of_the_author() -> None:
    files = IrModel('<data bytes="ff"/>', b"abc").files()
    assert files == {"model.xml": b'<data offset="16" size="1"/>', "model.bin": b"abc" + bytes(13) + b"\xff"}


def test_a_model_without_constants_has_no_bin() -> None:
    assert list(IrModel("<net/>").files()) == ["model.xml"]
    assert IrModel('<data bytes=""/>').files()["model.bin"] == b""


def test_strings_are_stored_as_their_number_their_ends_and_their_bytes() -> None:
    numbers = np.uint32([2, 0, 2, 2]).tobytes()
    assert stored(value(strings([2], [b"ab", b""]))) == numbers + b"ab"
    assert stored(codes("int4", [3], [1, 2, 3])) == b"\x21\x03"


def test_a_port_has_the_dims_of_its_type() -> None:
    assert (
        port(3, "f32[2,?]", "y", typed=True)
        == '<port id="3" names="y" precision="FP32"><dim>2</dim><dim>-1</dim></port>'
    )
    assert port(0, "f32[...]") == '<port id="0"/>'
    assert [precision(each) for each in ("f16", "bf16", "boolean", "i64", "f8e4m3")] == [
        "FP16",
        "BF16",
        "BOOL",
        "I64",
        "F8E4M3",
    ]


def test_operators_and_element_types_are_needed_and_if_is_not() -> None:
    assert needs(CHOICE, [value(np.float32([1]))]) == ["operator:Negative", "type:bool", "type:float32"]


def test_replaced_wants_its_text_once() -> None:
    edited = CHOICE.edited(replaced('type="Negative"', 'type="Abs"'))
    assert edited.xml == CHOICE.xml.replace("Negative", "Abs")
    with pytest.raises(ValueError, match=r'external_port_id="2".* occurs 2 times in <net>'):
        CHOICE.edited(replaced('external_port_id="2"', ""))
    with pytest.raises(ValueError, match="occurs 0 times"):
        CHOICE.edited(replaced("Concat", ""))


def test_replaced_within_an_element_leaves_the_others_alone() -> None:
    edited = CHOICE.edited(replaced('external_port_id="2"', 'external_port_id="7"', within="else_port_map"))
    first, last = edited.xml.split("<else_port_map>")
    assert 'external_port_id="7"' in last
    assert 'external_port_id="7"' not in first
    with pytest.raises(ValueError, match="<layers> occurs 3 times"):
        CHOICE.edited(replaced("a", "b", within="layers"))


def test_elements_move_whole() -> None:
    edited = CHOICE.edited(moved_before("else_body", "then_port_map"))
    assert edited.xml.index("<else_body>") < edited.xml.index("<then_port_map>") < edited.xml.index("<then_body>")
    assert sorted(edited.xml.split()) == sorted(CHOICE.xml.split())


def test_as_in_gives_the_text_of_another_model() -> None:
    other = net(body([gives(0, 0)]).network)
    assert CHOICE.edited(as_in(other)).xml == other.xml


def test_it_is_found_what_nothing_reads_and_what_has_no_elements() -> None:
    ignored = body(
        [takes(1, 0), gives(2, 2)],
        parameter(0, "p", "f32[0]"),
        const(1, np.zeros(0, np.float32)),
        result(2, "f32[0]"),
        edges("1:0>2:0"),
    )
    inputs = {"cond": "boolean[]", "x": "f32[0]"}
    model = if_model(inputs, {"y": "f32[0]"}, ignored, applied("Negative", "f32[0]", to=2))
    assert forms(model) == {"unread-parameters", "empty-constants"}
    assert forms(model.edited(replaced(edges("1:0>100:1"), ""))) >= {"unread-inputs"}
    assert forms(CHOICE) == set()


def test_a_text_that_is_no_xml_has_no_forms() -> None:
    assert forms(IrModel("<net>")) == set()
