"""A vector uses a form of the file only if it is about that form, so that nothing else fails in its place."""

from collections import Counter
from functools import cache
from pathlib import Path

import onnx
import pytest
from google.protobuf.message import DecodeError
from ifcert.authoring.elements import ELEMENTS
from ifcert.authoring.forms import FORMS, NUMBERS, forms
from ifcert.authoring.generated import declared_vectors
from ifcert.authoring.vector import TextModel, Vector
from onnx import ModelProto, TensorProto

HERE = Path(__file__).parent


@cache
def found() -> list[tuple[Vector, ModelProto | TextModel, set[str]]]:
    """The vectors whose model is legal, the model, and its forms. A fault may be a form of its own."""
    read = [(each, model_of(each)) for each in declared_vectors(HERE) if not each.refused]
    return [(vector, model, forms(model)) for vector, model in read if model is not None]


def model_of(vector: Vector) -> ModelProto | TextModel | None:
    """The model; nothing where it is bytes that onnx does not read."""
    if not isinstance(vector.model, bytes):
        return vector.model
    try:
        return onnx.load_from_string(vector.model) if vector.system == "onnx" else None
    except DecodeError:
        return None


@pytest.mark.parametrize("form", FORMS)
def test_a_vector_has_a_form_only_if_it_is_about_it(form: str) -> None:
    others = [f"{vector.id} ({vector.declared_in})" for vector, _, has in found() if form in has - vector.forms]
    assert others == [], f"{FORMS[form]}: write it otherwise, or say that the vector is about it (docs/vectors.md)"


@pytest.mark.parametrize("form", FORMS)
def test_each_form_has_vectors_about_it_that_must_compute(form: str) -> None:
    about = [vector.id for vector, _, has in found() if form in has and vector.axis == "computes"]
    assert len(about) >= 2


def test_each_type_with_a_typed_field_has_a_vector_about_it() -> None:
    computing = [model for vector, model, _ in found() if vector.axis == "computes" and isinstance(model, ModelProto)]
    stored = Counter(tensor.data_type for model in computing for tensor in tensors(model) if is_typed(tensor))
    numbers = {element.onnx for element in ELEMENTS.values() if element.name != "string"}
    assert stored.keys() == numbers


def tensors(model: ModelProto) -> list[TensorProto]:
    """The initializers and the Constants of the branches of the main graph's Ifs."""
    graphs = [attribute.g for node in model.graph.node for attribute in node.attribute if attribute.HasField("g")]
    constants = [attribute.t for graph in graphs for node in graph.node for attribute in node.attribute]
    return [*model.graph.initializer, *(tensor for graph in graphs for tensor in graph.initializer), *constants]


def is_typed(tensor: TensorProto) -> bool:
    return any(getattr(tensor, field) for field in NUMBERS)
