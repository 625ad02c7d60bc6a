"""`Model.check` agrees with the vectors: it reports every model that must be refused, and no model that must load."""

from collections.abc import Iterator
from pathlib import Path

from vector_lines import model_of, read_vectors

import ifcert

VECTORS = Path(__file__).resolve().parents[3] / "vectors"
# Illegal models that only a run refuses, and why.
FOUND_ONLY_BY_A_RUN = {
    # A function with this overload may be an operator of the caller's own.
    "onnx/model/operators-are-declared/overload-in-other-letters",
    "onnx/model/operators-are-declared/overload-unknown",
    # A custom operator may be one of the caller's own.
    "tflite/file/operator-is-known/custom-named-as-a-builtin",
    # The names of all operations of an operator set are not known here; an operation may also be an extension.
    "openvino/ir/operator-set-is-known/unknown-operation",
    # A warning of `check`: the shapes do not fit in a branch, which may never run.
    "openvino/ir/operands-fit/second-example-stacks-unlike-shapes",
    # In TensorFlow Lite, inputs may be resized before a run, so the shapes in the file do not settle what fits.
    "tflite/file/operands-fit/addition-of-other-lengths",
    "tflite/file/operands-fit/concatenation-along-no-axis",
    "tflite/file/operands-fit/concatenation-of-two-ranks",
    "tflite/file/operands-fit/constants-new-shape-of-2-to-the-32-more-elements",
    "tflite/file/operands-fit/constants-new-shape-of-fewer-elements",
    "tflite/file/operands-fit/constants-new-shape-of-more-elements",
    "tflite/file/operands-fit/new-shape-of-another-size",
}


def has_an_error(path: Path) -> bool:
    try:
        return any(each.level == "error" for each in ifcert.load(str(path)).check())
    except ifcert.UnreadableModel:
        return True


def vectors_that_end_loading_with(outcome: str) -> Iterator[tuple[str, Path]]:
    for vector in read_vectors():
        expected = vector["steps"][0]["load"]["expect"]
        if all(outcome in each for each in expected.get("either", [expected])):
            yield vector["id"], model_of(vector)


def test_models_that_must_be_refused_are_reported() -> None:
    missed = {vector for vector, path in vectors_that_end_loading_with("refused") if not has_an_error(path)}
    assert missed == FOUND_ONLY_BY_A_RUN


def test_models_that_must_load_have_no_error() -> None:
    assert not [vector for vector, path in vectors_that_end_loading_with("loaded") if has_an_error(path)]
