"""A loaded model's types are inferred once: checking, running and drawing it, and writing it again, reuse them."""

from pathlib import Path

import numpy as np
import onnx.parser

import ifcert
from ifcert._ifcert import inference_count

LOOP = """
<ir_version: 8, opset_import: ["" : 16]>
count (bool cond, float[2] x) => (float[2] y) {
    n = Constant <value = int64 {3}> ()
    y = If (cond) <
        then_branch = looped () => (float[2] a) {
            a = Loop (n, cond, x) <
                body = trip (int64 i, bool again, float[2] s) => (bool go, float[2] t) {
                    go = Identity (again)
                    t = Add (s, x)
                }>
        },
        else_branch = given () => (float[2] b) { b = Identity (x) }>
}"""

CHOICE = """
<ir_version: 8, opset_import: ["" : 16]>
choice (bool cond, float[2] x) => (float[2] y) {
    y = If (cond) <
        then_branch = doubled () => (float[2] a) { a = Add (x, x) },
        else_branch = given () => (float[2] b) { b = Identity (x) }>
}"""


def test_the_types_of_a_model_are_inferred_once(tmp_path: Path) -> None:
    before = inference_count()
    model = ifcert.load(onnx.parser.parse_model(LOOP))
    assert model.check() == []
    x = np.ones(2, np.float32)
    for cond in (True, False):
        model.run({"cond": cond, "x": x})
    model.show().save(tmp_path / "model.svg")
    model.show().save(tmp_path / "model.html")
    model.save(tmp_path / "again.onnx")
    assert inference_count() - before == 1


def test_a_conversion_infers_the_types_of_its_result_too(tmp_path: Path) -> None:
    model = ifcert.load(onnx.parser.parse_model(CHOICE))
    before = inference_count()
    model.save(tmp_path / "converted.xml")
    assert inference_count() - before == 1
