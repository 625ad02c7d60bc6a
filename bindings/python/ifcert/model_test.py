"""The promises of ifcert.Model."""

from __future__ import annotations

import gc
import re
import threading
import time
import weakref
from pathlib import Path

import ml_dtypes
import numpy as np
import onnx
import onnx.parser
import pytest

import ifcert

VECTORS = Path(__file__).resolve().parents[3] / "vectors" / "onnx" / "generated"

CHOICE = """
<ir_version: 8, opset_import: ["" : 16]>
choice (bool cond, float[2] x) => (float[2] y) {
    y = If (cond) <
        then_branch = doubled () => (float[2] a) { a = Add (x, x) },
        else_branch = given () => (float[2] b) { b = Identity (x) }>
}"""


def parsed(text: str) -> onnx.ModelProto:
    return onnx.parser.parse_model(text)


def identity_of(declared: str, opset: int = 25) -> ifcert.Model:
    text = (
        f'<ir_version: 13, opset_import: ["" : {opset}]> copy ({declared} x) => ({declared} y) {{ y = Identity (x) }}'
    )
    return ifcert.load(parsed(text))


@pytest.fixture(name="choice")
def _choice() -> ifcert.Model:
    return ifcert.load(parsed(CHOICE))


X = np.float32([1, -2])


def test_a_model_is_loaded_from_a_path_from_bytes_and_from_a_model_proto(tmp_path: Path) -> None:
    model = parsed(CHOICE)
    (tmp_path / "model.onnx").write_bytes(model.SerializeToString())
    path = tmp_path / "model.onnx"
    for source in (path, str(path), path.read_bytes(), model):
        assert ifcert.load(source).run({"cond": True, "x": X})["y"].tolist() == [2, -4]


def test_the_observer_is_told_which_branch_runs(choice: ifcert.Model) -> None:
    taken: list[tuple[str, bool]] = []
    choice.run({"cond": np.False_, "x": X}, lambda place, then: taken.append((place, then)))
    assert taken == [('graph "choice" / node 0 (If)', False)]


def test_an_observers_exception_is_raised_by_run_and_the_model_can_be_run_again(choice: ifcert.Model) -> None:
    def no(place: str, taken: bool) -> None:
        raise KeyError(place)

    with pytest.raises(KeyError):
        choice.run({"cond": True, "x": X}, no)
    assert choice.run({"cond": True, "x": X})["y"].tolist() == [2, -4]


def test_ports_have_a_name_a_type_and_a_shape() -> None:
    model = identity_of("float[n, ?, 3]")
    assert [(port.name, port.type, port.shape) for port in model.inputs] == [("x", "tensor(float32)", ("n", None, 3))]
    assert identity_of("float[]").outputs[0].shape is None
    assert identity_of("float").outputs[0].shape == ()


def test_an_input_is_not_copied_and_an_output_that_is_the_input_shares_its_memory() -> None:
    x = np.arange(4, dtype=np.float32)
    y = identity_of("float[4]").run({"x": x})["y"]
    assert np.shares_memory(x, y)
    assert not y.flags.writeable


def test_outputs_are_read_only(choice: ifcert.Model) -> None:
    y = choice.run({"cond": True, "x": X})["y"]
    with pytest.raises(ValueError, match="read-only"):
        y[0] = 0


def test_an_output_keeps_its_memory_alive() -> None:
    x = np.full(1000, 7, np.float32)
    seen = weakref.ref(x)
    y = identity_of("float[1000]").run({"x": x})["y"]
    del x
    gc.collect()
    assert y.sum() == 7000
    assert seen() is not None
    del y
    gc.collect()
    assert seen() is None


def test_an_output_outlives_its_model() -> None:
    text = CHOICE.replace("Identity (x)", "Constant <value = float[2] {5, 6}> ()")
    y = ifcert.load(parsed(text)).run({"cond": False, "x": X})["y"]
    gc.collect()
    assert y.tolist() == [5, 6]


def test_strided_and_foreign_endian_arrays_are_copied() -> None:
    model = identity_of("float[2]")
    strided = np.arange(4, dtype=np.float32)[::2]
    assert model.run({"x": strided})["y"].tolist() == [0, 2]
    assert model.run({"x": np.array([1, 2], ">f4")})["y"].tolist() == [1, 2]


def test_scalars_and_lists_take_the_declared_type(choice: ifcert.Model) -> None:
    assert choice.run({"cond": False, "x": [1, 2]})["y"].dtype == np.float32


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"cond": True}, 'input "x" is not given'),
        ({"cond": True, "x": X, "z": X}, "the model has no input 'z'; its inputs are cond, x"),
        ({"cond": True, "x": X.astype(np.float64)}, 'input "x": float64[2] is given; float32[2] is required'),
        ({"cond": True, "x": X[:1]}, 'input "x": float32[1] is given; float32[2] is required'),
        ({"cond": 1.5 + X, "x": X}, 'input "cond": float32[2] is given; bool[] is required'),
        ({"cond": True, "x": None}, 'input "x": None is not a tensor; float32[2] is required'),
        ({"cond": True, "x": [[1], 2]}, 'input "x": the lists are ragged; float32[2] is required'),
        ({"cond": True, "x": np.array([{}, 1], object)}, 'input "x": an array of objects holds a dict'),
        ({"cond": True, "x": np.array(["2020-01-01"], "M8[D]")}, 'input "x": an array of datetime64'),
    ],
)
def test_an_input_that_does_not_fit_is_reported_with_the_expected_type(
    choice: ifcert.Model, inputs: dict[str, object], message: str
) -> None:
    with pytest.raises(ifcert.EvaluationError, match=re.escape(message)):
        choice.run(inputs)


@pytest.mark.parametrize(
    ("declared", "dtype"),
    [
        ("bool", "bool"),
        *((kind, kind) for kind in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")),
        ("float16", "float16"),
        ("float", "float32"),
        ("double", "float64"),
        ("complex64", "complex64"),
        ("complex128", "complex128"),
        ("bfloat16", "bfloat16"),
        ("float8e4m3fn", "float8_e4m3fn"),
        ("float8e4m3fnuz", "float8_e4m3fnuz"),
        ("float8e5m2", "float8_e5m2"),
        ("float8e5m2fnuz", "float8_e5m2fnuz"),
        ("float8e8m0", "float8_e8m0fnu"),
        ("float4e2m1", "float4_e2m1fn"),
        ("int4", "int4"),
        ("uint4", "uint4"),
        ("int2", "int2"),
        ("uint2", "uint2"),
    ],
)
def test_every_element_type_is_returned_unchanged(declared: str, dtype: str) -> None:
    kind = np.dtype(getattr(np, dtype, None) or getattr(ml_dtypes, dtype))
    bits = {"int4": 4, "uint4": 4, "float4_e2m1fn": 4, "int2": 2, "uint2": 2, "bool": 1}.get(dtype, 8)
    codes = (np.arange(3 * kind.itemsize) * 37 % (1 << bits)).astype(np.uint8)
    if dtype in ("int4", "int2"):  # ml_dtypes keeps them sign-extended
        codes = ((codes ^ (1 << (bits - 1))).astype(np.int8) - (1 << (bits - 1))).view(np.uint8)
    x = codes.view(kind)
    y = identity_of(f"{declared}[3]").run({"x": x})["y"]
    assert y.dtype == kind
    assert y.tobytes() == x.tobytes()


def test_strings_keep_their_bytes() -> None:
    x = np.array([b"", b"a\0b", b"\xff", "é".encode()], object)
    y = identity_of("string[4]").run({"x": x})["y"]
    assert [text.encode("utf-8", "surrogateescape") for text in y] == list(x)
    assert identity_of("string[1]").run({"x": np.array(["é"])})["y"].tolist() == ["é"]


def test_a_sequence_is_a_list_and_an_absent_optional_is_none() -> None:
    model = identity_of("seq(float[])")
    assert [item.tolist() for item in model.run({"x": [X, X[:1]]})["y"]] == [[1, -2], [1]]
    assert model.run({"x": []})["y"] == []
    assert identity_of("optional(float[2])").run({"x": None})["y"] is None
    assert identity_of("optional(float[2])").run({"x": X})["y"].tolist() == [1, -2]


def test_an_operator_that_the_reference_lacks_is_named_and_can_be_supplied() -> None:
    text = CHOICE.replace("Add (x, x)", "my.Scale <factor = 3.0> (x)").replace('["" : 16]', '["" : 16, "my" : 1]')
    inputs = {"cond": True, "x": X}
    with pytest.raises(ifcert.EvaluationError, match=r"no operator my\.Scale") as error:
        ifcert.load(parsed(text)).run(inputs)
    assert error.value.missing_operator == "my.Scale"
    scale = {"my.Scale": lambda x, factor: x * np.float32(factor)}
    assert ifcert.load(parsed(text), operators=scale).run(inputs)["y"].tolist() == [3, -6]


def test_an_operator_of_several_outputs_returns_a_tuple() -> None:
    text = """<ir_version: 8, opset_import: ["" : 16, "my" : 1]>
    parts (float[2] x) => (float[2] y, float[2] z) { y, z = my.Parts (x) }"""
    both = ifcert.load(parsed(text), operators={"my.Parts": lambda x: (x + 1, x - 1)}).run({"x": X})
    assert (both["y"].tolist(), both["z"].tolist()) == ([2, -1], [0, -3])
    with pytest.raises(ifcert.EvaluationError, match="the custom operator returns 1 outputs; the node has 2"):
        ifcert.load(parsed(text), operators={"my.Parts": lambda x: x}).run({"x": X})


def test_a_supplied_operators_exception_is_raised_by_run() -> None:
    text = '<ir_version: 8, opset_import: ["" : 16, "my" : 1]> g (float[2] x) => (float[2] y) { y = my.No (x) }'

    def no(x: np.ndarray) -> None:
        raise ZeroDivisionError(x.tolist())

    with pytest.raises(ZeroDivisionError):
        ifcert.load(parsed(text), operators={"my.No": no}).run({"x": X})


def test_a_broken_rule_is_reported_and_such_a_model_is_not_run() -> None:
    model = ifcert.load(VECTORS / "if" / "output-count" / "then-has-more.onnx")
    (broken,) = model.check()
    assert broken.rule == "onnx/if/output-count"
    assert broken.rule in [rule.name for rule in ifcert.rules()]
    assert "node 0 (If)" in broken.place
    with pytest.raises(ifcert.IllegalModel, match="output-count") as error:
        model.run({"cond": True, "x": X})
    assert error.value.broken == [broken]


def test_a_model_that_cannot_run_fails_every_time_and_can_still_be_saved_and_drawn(tmp_path: Path) -> None:
    model = ifcert.load(
        parsed("""<ir_version: 8, opset_import: ["" : 16, "my" : 1]>
        scaled (float[2] x) => (float[2] y) { y = my.Scale (x) }""")
    )
    for _ in range(2):
        with pytest.raises(ifcert.EvaluationError, match=r"no operator my\.Scale"):
            model.run({"x": X})
    model.save(tmp_path / "again.onnx")
    assert ifcert.load(tmp_path / "again.onnx").check() == []
    assert "Scale" in model.show()._repr_svg_()


def test_bytes_that_are_not_a_model_are_reported_with_the_place(tmp_path: Path) -> None:
    with pytest.raises(ifcert.UnreadableModel) as error:
        ifcert.load(b"\xff\xff")
    assert error.value.diagnostic.found
    with pytest.raises(FileNotFoundError):
        ifcert.load(tmp_path / "none.onnx")
    with pytest.raises(TypeError):
        ifcert.load(7)


def test_a_model_is_drawn(tmp_path: Path, choice: ifcert.Model) -> None:
    picture = choice.show()
    assert picture._repr_svg_().startswith("<svg")
    for name in ("model.svg", "model.html"):
        picture.save(tmp_path / name)
        assert "then_branch" in (tmp_path / name).read_text()
    with pytest.raises(ValueError, match=r"\.svg or \.html"):
        picture.save(tmp_path / "model.png")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["model.html", "model.svg"]


def test_one_model_runs_from_several_threads_while_python_goes_on() -> None:
    text = """<ir_version: 8, opset_import: ["" : 16]>
    count (int64 trips, int64 start) => (int64 sum) {
        cond = Constant <value = bool {1}> ()
        sum = Loop (trips, cond, start) <body = step (int64 i, bool c, int64 s) => (bool again, int64 t) {
            again = Identity (c)
            t = Add (s, i)
        }>
    }"""
    model = ifcert.load(parsed(text))
    spans, sums = [], []

    def work(start: int) -> None:
        begun = time.perf_counter()
        sums.append(model.run({"trips": 200_000, "start": start})["sum"].item() - start)
        spans.append((begun, time.perf_counter()))

    threads = [threading.Thread(target=work, args=(start,)) for start in range(3)]
    for thread in threads:
        thread.start()
    seen = []
    while any(thread.is_alive() for thread in threads):
        time.sleep(0.001)
        seen.append(time.perf_counter())
    assert sums == [200_000 * 199_999 // 2] * 3
    begun, ended = spans[0]
    middle = (begun + 0.2 * (ended - begun), ended - 0.2 * (ended - begun))
    assert any(middle[0] < moment < middle[1] for moment in seen), "nobody else had the lock while the model ran"


def test_the_stubs_name_what_the_module_has() -> None:
    import ast

    from ifcert import _ifcert

    stubs = ast.parse((Path(ifcert.__file__).parent / "_ifcert.pyi").read_text())
    named = {node.name for node in stubs.body if isinstance(node, ast.ClassDef | ast.FunctionDef)}
    assert named == {name for name in dir(_ifcert) if not name.startswith("_")}
    for node in stubs.body:
        if not isinstance(node, ast.ClassDef):
            continue
        members = {item.name for item in node.body if isinstance(item, ast.FunctionDef)} - {"__init__", "__eq__"}
        has = {name for name in vars(getattr(_ifcert, node.name)) if not name.startswith("__")}
        assert members == {name for name in has if not name.startswith("_pybind11")}, node.name
