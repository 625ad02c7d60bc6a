"""The sources that ifcert.load accepts, and the repr() of its results."""

from __future__ import annotations

import gzip
import io
import zipfile
from pathlib import Path

import numpy as np
import onnx
import onnx.parser
import pytest
from onnx import TensorProto, helper, numpy_helper

import ifcert

VECTORS = Path(__file__).resolve().parents[3] / "vectors"
BROKEN = VECTORS / "onnx" / "generated" / "if" / "output-count" / "then-has-more.onnx"
TFLITE = min((VECTORS / "tflite" / "generated" / "if" / "then-when-true").glob("*.tflite"))
TEXT = """<ir_version: 8, opset_import: ["" : 16]>
choice (bool cond, float[2] x) => (float[2] y) {
    y = If (cond) <then_branch = a () => (float[2] p) { p = Add (x, x) },
                   else_branch = b () => (float[2] q) { q = Identity (x) }>
}"""
X = np.float32([1, 2])


def content() -> bytes:
    proto: onnx.ModelProto = onnx.parser.parse_model(TEXT)
    return proto.SerializeToString()


def with_weights(path: Path) -> Path:
    """y = x + w, whose w = [1, 1] is in w.bin beside it."""
    graph = helper.make_graph(
        [helper.make_node("Add", ["x", "w"], ["y"])],
        "sum",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [2])],
        [numpy_helper.from_array(np.ones(2, np.float32), "w")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 16)], ir_version=9)
    onnx.save(model, path, save_as_external_data=True, location="w.bin", size_threshold=0)
    return path


def test_bytes_of_every_kind_are_a_model() -> None:
    whole = content()
    padded = memoryview(bytearray(b"".join(bytes([byte, 0]) for byte in whole)))
    for source in (whole, bytearray(whole), memoryview(whole), memoryview(bytearray(whole)), padded[::2]):
        assert ifcert.load(source).run({"cond": True, "x": X})["y"].tolist() == [2, 4]


def test_a_bytearray_may_change_afterwards() -> None:
    changing = bytearray(content())
    model = ifcert.load(changing)
    changing[:] = bytes(len(changing))
    assert model.run({"cond": False, "x": X})["y"].tolist() == [1, 2]


def test_a_file_object_is_read_to_its_end(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_bytes(content())
    with zipfile.ZipFile(tmp_path / "models.zip", "w") as archive:
        archive.write(tmp_path / "model.onnx", "model.onnx")
    with gzip.open(tmp_path / "model.onnx.gz", "wb") as packed:
        packed.write(content())
    begun = io.BytesIO(b"head" + content())
    begun.seek(4)
    with (
        (tmp_path / "model.onnx").open("rb") as opened,
        zipfile.ZipFile(tmp_path / "models.zip") as archive,
        archive.open("model.onnx") as member,
        gzip.open(tmp_path / "model.onnx.gz") as unpacked,
    ):
        for source in (opened, member, unpacked, begun, io.BytesIO(content())):
            assert ifcert.load(source).check() == []


def test_files_beside_an_opened_file_are_found(tmp_path: Path) -> None:
    model = with_weights(tmp_path / "model.onnx")
    with model.open("rb") as opened:
        assert ifcert.load(opened).run({"x": X})["y"].tolist() == [2, 3]
    ifcert.load(model).save(tmp_path / "model.xml")
    with (tmp_path / "model.xml").open("rb") as opened:
        assert next(iter(ifcert.load(opened).run([X]))).tolist() == [2, 3]


def test_a_name_that_leads_to_another_file_leads_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A member of an archive is called model.onnx, and so is a file with weights in the current folder."""
    monkeypatch.chdir(tmp_path)
    model = with_weights(tmp_path / "model.onnx")
    with zipfile.ZipFile("models.zip", "w") as archive:
        archive.write(model.name)
    with zipfile.ZipFile("models.zip") as archive, archive.open("model.onnx") as member:
        assert member.name == "model.onnx"
        with pytest.raises(
            ifcert.UnreadableModel, match="is stored in another file, and only the bytes of the model are given"
        ):
            ifcert.load(member)
    named = io.BytesIO(model.read_bytes())
    named.name = "model.onnx"  # type: ignore[attr-defined]
    with pytest.raises(
        ifcert.UnreadableModel, match="is stored in another file, and only the bytes of the model are given"
    ):
        ifcert.load(named)


def test_bytes_show_their_format(tmp_path: Path) -> None:
    ifcert.load(content()).save(tmp_path / "model.xml")
    for source in (TFLITE.read_bytes(), (tmp_path / "model.xml").read_bytes()):
        assert ifcert.load(source).check() == []
    with pytest.raises(ifcert.UnreadableModel) as error:
        ifcert.load(b"\xef\xbb\xbf \n<other/>")
    assert error.value.diagnostic.rule.startswith("openvino/")
    ifcert.load(with_weights(tmp_path / "split.onnx")).save(tmp_path / "weighty.xml")
    with pytest.raises(ifcert.UnreadableModel, match=r"stored in a \.bin, and only the bytes of the \.xml are given"):
        ifcert.load((tmp_path / "weighty.xml").read_bytes())


def test_a_wrong_kind_of_source_is_reported(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_text("x")
    with (
        (tmp_path / "model.onnx").open() as opened,
        pytest.raises(TypeError, match="expected a file object that is open in binary mode"),
    ):
        ifcert.load(opened)  # type: ignore[arg-type]
    for source in (7, None, [b"x"], object()):
        with pytest.raises(TypeError, match="expected a path, a file object, bytes or a ModelProto"):
            ifcert.load(source)  # type: ignore[arg-type]

    class Fails(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        ifcert.load(Fails())


def test_the_repr_of_a_model_describes_it() -> None:
    expected = '<ifcert.Model "choice": ONNX, opset 16; cond: bool[], x: float32[2] -> y: float32[2]; legal>'
    assert repr(ifcert.load(content())) == expected
    assert repr(ifcert.load(BROKEN)).endswith("; 1 broken rule>")
    assert repr(ifcert.load(TFLITE)).startswith('<ifcert.Model "main": TensorFlow Lite; ')


def test_the_repr_of_a_finding_describes_it() -> None:
    (finding,) = ifcert.load(BROKEN).check()
    place = 'graph "pair" / node 0 (If)'
    found = "then_branch has 3, else_branch 2 and the node 2 outputs"
    assert repr(finding) == f"<error onnx/if/output-count at {place}: {found}>"
    (rule,) = (rule for rule in ifcert.rules() if rule.name == finding.rule)
    assert finding.clause == rule.clause
    assert repr(rule) == f"<onnx/if/output-count: {rule.holds}>"


def test_text_from_files_is_cut_and_stays_on_one_line() -> None:
    proto = onnx.parser.parse_model(TEXT)
    proto.graph.name = "é\n" * 5000
    for i in range(100):
        proto.graph.input.append(helper.make_tensor_value_info(f"more{i}", TensorProto.FLOAT, [1] * 1000))
    text = repr(ifcert.load(proto))
    assert len(text) < 2000
    assert "\n" not in text
    assert " and 98 more -> " in text
