"""The neutral form of models, and the forms that are found in them."""

from onnx import ModelProto, TensorProto

from ifcert.authoring.forms import FORMS, forms
from ifcert.authoring.models import edited, else_of, model, then_of
from ifcert.authoring.neutral import neutral
from ifcert.authoring.values import floats

TEXT = """
    g (bool cond, float[n] x) => (float[n] y) <bool[1] k = {1}> {
        y = If (cond) <
            then_branch = t () => (a) { a = Neg (x) },
            else_branch = e () => (b) { c = Constant <value = float[1] {2}> ()  b = Add (x, c) }>
    }"""
CHOICE = model(TEXT)
PLAIN = neutral(CHOICE, ())


def of_else(made: ModelProto) -> TensorProto:
    return else_of(made).node[0].attribute[0].t


def test_tensors_are_stored_in_raw_data_wherever_they_are() -> None:
    assert (PLAIN.graph.initializer[0].raw_data, of_else(PLAIN).raw_data) == (b"\1", floats(2).tobytes())
    assert not PLAIN.graph.initializer[0].int32_data
    assert not of_else(PLAIN).float_data


def test_a_tensor_without_elements_has_raw_data_too() -> None:
    made = neutral(edited(CHOICE, lambda m: m.graph.initializer.append(TensorProto(data_type=1, dims=[0]))), ())
    assert made.graph.initializer[1].HasField("raw_data")


def test_tensors_with_a_fault_stay_as_they_are() -> None:
    two_fields = TensorProto(data_type=1, dims=[1], float_data=[1], raw_data=bytes(4))
    faulty = [
        TensorProto(data_type=1, dims=[2], float_data=[1]),
        TensorProto(data_type=1, dims=[0], double_data=[1]),
        TensorProto(data_type=99, dims=[1], int32_data=[1]),
        two_fields,
    ]
    made = neutral(edited(CHOICE, lambda m: m.graph.initializer.extend(faulty)), ())
    assert list(made.graph.initializer[1:]) == faulty


def test_what_branches_return_has_the_type_that_inference_finds() -> None:
    declared = [graph.output[0].type.tensor_type for graph in (then_of(PLAIN), else_of(PLAIN))]
    assert [each.elem_type for each in declared] == [TensorProto.FLOAT, TensorProto.FLOAT]
    assert declared[0].shape.dim[0].dim_param == "n"


def test_a_length_that_only_inference_has_a_name_for_has_none() -> None:
    made = neutral(model(TEXT.replace("Add (x, c)", "Concat <axis = 0> (x, c)")), ())
    (dim,) = else_of(made).output[0].type.tensor_type.shape.dim
    assert dim.WhichOneof("value") is None


def test_a_type_that_a_fault_hides_is_that_of_the_twin() -> None:
    faulty = model(TEXT.replace("Add (x, c)", "local.Unknown (x)"), domains={"local": 1})
    assert not else_of(neutral(faulty, ())).output[0].HasField("type")
    assert else_of(neutral(faulty, (), PLAIN)).output[0].type == else_of(PLAIN).output[0].type


def test_what_a_vector_is_about_is_left_as_written() -> None:
    assert neutral(CHOICE, FORMS) == CHOICE


def test_the_neutral_form_has_no_form_that_it_can_undo() -> None:
    assert forms(CHOICE) == {"typed-fields", "untyped-graphs"}
    assert forms(PLAIN) == set()
