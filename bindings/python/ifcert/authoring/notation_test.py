"""Tests of a model's text."""

import numpy as np
from onnx import AttributeProto, TensorProto

from ifcert.authoring.models import add_initializer, if_node, model, then_of
from ifcert.authoring.notation import model_text
from ifcert.authoring.values import codes, strings

TEXT = """
    g (bool cond) => (float y) {
        y = If (cond) <
            then_branch = t () => (float a) { a = Constant <value = float {1}> () },
            else_branch = e () => (float b) { b = Constant <value = float {2}> () }>
    }"""


def test_a_long_file_that_is_no_model_is_shown_in_part() -> None:
    text = model_text(bytes(5000))
    assert text.startswith("This file of 5000 bytes")
    assert text.endswith("00000ff0  " + "00 " * 15 + "00\n… and 904 bytes more\n")


def test_text_does_not_change_the_model() -> None:
    made = model(TEXT, 21)
    add_initializer(then_of(made), "k", codes("int4", [3], [1, 2, 3]))
    before = made.SerializeToString(deterministic=True)
    model_text(made)
    assert made.SerializeToString(deterministic=True) == before


def test_packed_tensors_show_their_bytes() -> None:
    made = model(TEXT, 21)
    add_initializer(then_of(made), "k", codes("int4", [3], [1, 2, 3]))
    assert 'int4[3] k = ["bytes": "21 03"]' in model_text(made)


def test_floats_that_decimals_would_round_show_their_bytes() -> None:
    made = model(TEXT, 13)
    add_initializer(then_of(made), "odd", codes("float32", [1], [0x7FA5A5A5]))
    add_initializer(then_of(made), "plain", np.float32([1, -2]))
    assert 'float[1] odd = ["bytes": "a5 a5 a5 7f"]' in model_text(made)
    assert "float[2] plain =  {1,-2}" in model_text(made)


def test_data_that_do_not_fit_their_shape_are_shown_as_they_are() -> None:
    made = model(TEXT, 13)
    made.graph.initializer.append(TensorProto(name="k", data_type=TensorProto.FLOAT, dims=[2], raw_data=b"\1\2\3"))
    assert 'float[2] k = ["bytes": "01 02 03"]' in model_text(made)


def test_strings_that_are_no_text_are_shown_in_hex() -> None:
    made = model(TEXT, 13)
    add_initializer(then_of(made), "k", strings([3], [b"a\0b", b"\xff", "é".encode()]))
    if_node(made).attribute.add(name="s", type=AttributeProto.STRING, s=b"\xfe")
    text = model_text(made)
    assert '{"a<00>b", "<ff>", "é"}' in text
    assert '"<fe>"' in text


def test_a_model_that_the_printer_refuses_is_shown_field_by_field() -> None:
    made = model(TEXT, 13)
    made.graph.initializer.append(TensorProto(name="k", data_type=TensorProto.FLOAT, dims=[3], float_data=[1]))
    assert model_text(made).endswith("\n")
    assert "k" in model_text(made)


def test_a_file_that_is_no_model_is_shown_byte_by_byte() -> None:
    assert model_text(b"If\n") == "This file of 3 bytes cannot be read as a model:\n00000000  49 66 0a\n"
