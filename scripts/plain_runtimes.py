"""Vectors through a runtime's plain Python API: no adapter, no SDK, no runner. scripts/confirm_deviations starts it.

usage: PYTHON plain_runtimes.py ADAPTER <folders-of-vectors

PYTHON is that of the runtime's environment. Standard input has a vector's folder a line; each is answered with a line
of JSON, {"folder", "version", "steps": [{"did", "text"}…]}, a step for each of vector.json's until one refuses. `did`
is "loaded", "refused", "expected" (the outputs asked for, to the bit), or how they differ: "wrong-type", "wrong-shape",
"wrong-value". Then comes {"folder", "unloaded": true}: the model went, and the process with it did not.
"""

from __future__ import annotations

import base64
import ctypes
import json
import math
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    import openvino

NUMPY_NAMES = {"bool": "bool", "string": "object"} | {
    name: name
    for name in (
        *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
        *("float16", "float32", "float64", "complex64", "complex128"),
    )
}

# What numpy lacks: bits of an element, its name in the package ml_dtypes, ONNX's number (TensorProto.DataType).
LACKING = {
    "bfloat16": (16, "bfloat16", 16),
    "float8e4m3fn": (8, "float8_e4m3fn", 17),
    "float8e4m3fnuz": (8, "float8_e4m3fnuz", 18),
    "float8e5m2": (8, "float8_e5m2", 19),
    "float8e5m2fnuz": (8, "float8_e5m2fnuz", 20),
    "uint4": (4, "uint4", 21),
    "int4": (4, "int4", 22),
    "float4e2m1": (4, "float4_e2m1fn", 23),
    "float8e8m0": (8, "float8_e8m0fnu", 24),
    "uint2": (2, "uint2", 25),
    "int2": (2, "int2", 26),
}


class Checker:
    """onnx.checker.check_model: it loads and computes nothing."""

    computes = False

    def __init__(self) -> None:
        """`version` is what the package says of itself."""
        import onnx

        self._onnx = onnx
        self.version = onnx.__version__

    def load(self, model: Path) -> None:
        """By path, for the external data beside it."""
        self._onnx.checker.check_model(str(model), full_check=True)


class Evaluator:
    """onnx.reference.ReferenceEvaluator."""

    computes = True

    def __init__(self) -> None:
        """`version` is what the package says of itself."""
        import onnx.reference

        self._onnx = onnx
        self.version = onnx.__version__

    def load(self, model: Path) -> None:
        """By path, for the external data beside it."""
        self._evaluator = self._onnx.reference.ReferenceEvaluator(str(model))

    def feed(self, value: dict[str, Any]) -> object:
        """Arrays of ml_dtypes for what numpy lacks, lists for sequences, None for what is absent."""
        match value:
            case {"kind": "tensor", "type": name} if name in LACKING:
                import ml_dtypes

                return codes_of(value).view(getattr(ml_dtypes, LACKING[name][1]))
            case {"kind": "tensor"}:
                return array_of(value)
            case {"kind": "sequence"}:
                return [self.feed(item) for item in value["items"]]
        return None if "absent" in value else self.feed(value["value"])

    def run(self, feeds: dict[str, object]) -> list[object]:
        """All outputs."""
        return self._evaluator.run(None, feeds)


class OnnxRuntime:
    """onnxruntime.InferenceSession on the CPU."""

    computes = True

    def __init__(self, optimize: bool) -> None:
        """`version` is what the package says of itself."""
        import onnxruntime

        self._ort = onnxruntime
        self._options = onnxruntime.SessionOptions()
        if not optimize:
            self._options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        self.version = onnxruntime.__version__

    def load(self, model: Path) -> None:
        """By path, for the external data beside it."""
        self._session = self._ort.InferenceSession(str(model), self._options, providers=["CPUExecutionProvider"])

    def feed(self, value: dict[str, Any]) -> object:
        """Arrays, lists of arrays, None; an OrtValue, whose memory is filled in, for what numpy lacks."""
        match value:
            case {"kind": "tensor", "type": name} if name in LACKING:
                tensor = self._ort.OrtValue.ortvalue_from_shape_and_type(value["shape"], LACKING[name][2])
                data = base64.b64decode(value["data"])
                if tensor.tensor_size_in_bytes() != len(data):
                    raise SystemExit(f"plain_runtimes: ONNX Runtime keeps {name}{value['shape']} in another size")
                ctypes.memmove(tensor.data_ptr(), data, len(data))
                return tensor
            case {"kind": "tensor"}:
                return array_of(value)
            case {"kind": "sequence"}:
                return [self.feed(item) for item in value["items"]]
        return None if "absent" in value else self.feed(value["value"])

    def run(self, feeds: dict[str, object]) -> list[object]:
        """`run`, or where numpy lacks an output's type `run_with_ort_values`."""
        kinds = [output.type for output in self._session.get_outputs()]
        if not any(kind == f"tensor({name})" for kind in kinds for name in LACKING):
            return self._session.run(None, feeds)
        values = {
            name: self._ort.OrtValue.ortvalue_from_numpy(feed) if isinstance(feed, np.ndarray) else feed
            for name, feed in feeds.items()
        }
        return self._session.run_with_ort_values(None, values)


class OpenVino:
    """openvino.Core on the CPU, for IR and for ONNX alike."""

    computes = True

    def __init__(self) -> None:
        """`version` is what the package says of itself, without the number of the build."""
        import openvino

        self._openvino = openvino
        self._core = openvino.Core()
        self._types = {
            f"{letter}{bits}": f"{name}{bits}"
            for letter, name in (("i", "int"), ("u", "uint"), ("f", "float"))
            for bits in (2, 4, 8, 16, 32, 64)
        } | {"boolean": "bool", "string": "string", "bf16": "bfloat16"}
        self._types |= {
            "f8e4m3": "float8e4m3fn",
            "f8e5m2": "float8e5m2",
            "f8e8m0": "float8e8m0",
            "f4e2m1": "float4e2m1",
        }
        self.version = openvino.__version__.partition("-")[0]

    def load(self, model: Path) -> None:
        """By path, for the weights beside it."""
        settings = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1}
        self._compiled = self._core.compile_model(self._core.read_model(str(model)), "CPU", settings)
        self._own = threading.local()

    def unload(self) -> None:
        """Some models take the process with them when they go."""
        self._compiled = self._own = None

    def feed(self, value: dict[str, Any]) -> object:
        """Tensors, filled byte by byte; lists and None for what openvino has not, so that it says so itself."""
        if value["kind"] == "sequence":
            return [self.feed(item) for item in value["items"]]
        if value["kind"] == "optional":
            return None if "absent" in value else self.feed(value["value"])
        kind = next((theirs for theirs, ours in self._types.items() if ours == value["type"]), value["type"])
        tensor = ask(lambda: self._openvino.Tensor(getattr(self._openvino.Type, kind), value["shape"]))
        if kind == "string" and value["strings"]:
            tensor.bytes_data = np.array([base64.b64decode(item) for item in value["strings"]]).reshape(value["shape"])
        elif kind != "string" and 0 not in value["shape"]:
            data = base64.b64decode(value["data"])
            if tensor.byte_size != len(data):
                raise SystemExit(f"plain_runtimes: OpenVINO keeps {kind}{value['shape']} in another size")
            ctypes.memmove(tensor.data.ctypes.data, data, len(data))
        return tensor

    def run(self, feeds: dict[str, object]) -> list[object]:
        """In the thread's own request, time after time; a tensor of the outputs is read before the next run."""
        if not hasattr(self._own, "request"):
            self._own.request = self._compiled.create_infer_request()
        request = self._own.request
        for name, tensor in feeds.items():
            ports = [port for port in self._compiled.inputs if name in port.names or name == port.node.friendly_name]
            request.set_tensor(ports[0] if ports else name, tensor)
        request.infer()
        return [self._parts(request.get_tensor(port)) for port in self._compiled.outputs]

    def _parts(self, tensor: openvino.Tensor) -> Parts:
        kind, shape = tensor.element_type.to_string(), list(tensor.shape)
        name = self._types.get(kind, kind)
        if math.prod(shape) == 0:
            return Parts(name, shape, [] if name == "string" else b"")
        if name == "string":
            return Parts(
                name, shape, [item.decode(errors="surrogateescape") for item in tensor.bytes_data.ravel().tolist()]
            )
        data = bytearray(ctypes.string_at(tensor.data.ctypes.data, tensor.byte_size))
        used = math.prod(shape) * LACKING.get(name, (8,))[0] % 8
        if used and name in LACKING:
            data[-1] &= (1 << used) - 1  # what fills the last byte is nobody's
        return Parts(name, shape, bytes(data))


class LiteRt:
    """ai_edge_litert.interpreter.Interpreter, one thread."""

    computes = True

    def __init__(self, resolver: str) -> None:
        """`resolver` is a member of OpResolverType; `version` is what the package says of itself."""
        import ai_edge_litert
        from ai_edge_litert import interpreter

        self._litert = interpreter
        self._resolver = interpreter.OpResolverType[resolver]
        self.version = ai_edge_litert.__version__

    def load(self, model: Path) -> None:
        """Memory is allocated; where an input's shape is open the declared one may not do, and the run decides."""
        self._interpreter = self._litert.Interpreter(
            model_path=str(model), num_threads=1, experimental_op_resolver_type=self._resolver
        )
        self._inputs = {details["name"]: details for details in self._interpreter.get_input_details()}
        self._allocated = not any(self._is_open(details) for details in self._inputs.values())
        try:
            self._interpreter.allocate_tensors()
        except RuntimeError:
            if self._allocated:
                raise

    def unload(self) -> None:
        """The interpreter goes with its last reference."""
        self._interpreter = None

    def feed(self, value: dict[str, Any]) -> np.ndarray:
        """Strings are objects of bytes."""
        if value["type"] != "string":
            return array_of(value)
        flat = np.empty(len(value["strings"]), object)
        flat[:] = [base64.b64decode(item) for item in value["strings"]]
        return flat.reshape(value["shape"])

    def run(self, feeds: dict[str, np.ndarray]) -> list[object]:
        """Inputs that are open get the shape of what is fed."""
        for name, array in feeds.items():
            details = self._inputs[name]
            if self._is_open(details) and tuple(details["shape"]) != array.shape:
                self._interpreter.resize_tensor_input(details["index"], array.shape)
                details["shape"], self._allocated = array.shape, False
        if not self._allocated:
            self._interpreter.allocate_tensors()
            self._allocated = True
        for name, array in feeds.items():
            self._interpreter.set_tensor(self._inputs[name]["index"], array)
        self._interpreter.invoke()
        return [self._shown(self._read(details)) for details in self._interpreter.get_output_details()]

    def _read(self, details: dict[str, Any]) -> np.ndarray:
        """`get_tensor` raises ValueError of what has become empty."""
        if 0 in details["shape"]:
            return np.empty(details["shape"], details["dtype"])
        return np.asarray(self._interpreter.get_tensor(details["index"]))

    @staticmethod
    def _is_open(details: dict[str, Any]) -> bool:
        """A dim is -1; or there is none: a scalar, or a rank that is not known."""
        return -1 in details["shape_signature"] or len(details["shape_signature"]) == 0

    @staticmethod
    def _shown(array: np.ndarray) -> object:
        if array.dtype.kind not in "OS":
            return array
        strings = [item and item.decode(errors="surrogateescape") for item in array.ravel().tolist()]
        return Parts("string", list(array.shape), ["" if item == b"" else item for item in strings])


class Onert:
    """The native class of the onert package, on the backend cpu."""

    computes = True

    def __init__(self) -> None:
        """`version` is that of the package's metadata. The C library, which the class wraps, knows inputs by name."""
        from importlib.metadata import version

        import onert
        from onert.native import libnnfw_api_pybind

        self._native = libnnfw_api_pybind
        self._c = ctypes.CDLL(str(Path(onert.__path__[0]) / "native" / "libonert.so"))
        self.version = version("onert")

    def load(self, model: Path) -> None:
        """Prepared before the first run where a dim of an input is open."""
        self._model, self._places = model, {}
        self._session = self._native.infer.nnfw_session(str(model), "cpu")
        self._session.set_prepare_config(self._native.prepare_config.ENABLE_INTERNAL_OUTPUT_ALLOC)
        infos = [self._session.input_tensorinfo(place) for place in range(self._session.input_size())]
        self._shapes = [list(info.dims[: info.rank]) for info in infos]
        self._prepared = not any(-1 in shape for shape in self._shapes)
        if self._prepared:
            self._session.prepare()

    def unload(self) -> None:
        """The session goes with its last reference."""
        self._session = None

    def feed(self, value: dict[str, Any]) -> np.ndarray:
        """There are tensors only."""
        return array_of(value)

    def run(self, feeds: dict[str, np.ndarray]) -> list[object]:
        """Inputs that have another shape get that of what is fed."""
        placed = {self._place(name): array for name, array in feeds.items()}
        for place, array in placed.items():
            if self._shapes[place] != list(array.shape):
                info = self._session.input_tensorinfo(place)
                info.rank, info.dims = array.ndim, list(array.shape)
                self._session.set_input_tensorinfo(place, info)
                self._shapes[place] = list(array.shape)
        if not self._prepared:
            self._session.prepare()
            self._prepared = True
        for place, array in placed.items():
            self._session.set_input(place, array)
        self._session.run()
        return [self._session.get_output(place) for place in range(self._session.output_size())]

    def _place(self, name: str) -> int:
        """Asked once: a second session between two runs would move what the runtime then allocates."""
        if name not in self._places:
            self._places[name] = self._asked_place(name)
        return self._places[name]

    def _asked_place(self, name: str) -> int:
        session, place = ctypes.c_void_p(), ctypes.c_uint32()
        self._c.nnfw_create_session(ctypes.byref(session))
        self._c.nnfw_load_model_from_file(session, str(self._model).encode())
        status = self._c.nnfw_input_tensorindex(session, name.encode(), ctypes.byref(place))
        self._c.nnfw_close_session(session)
        if status != 0:
            raise KeyError(name)
        return place.value


class Parts(NamedTuple):
    """A tensor's type, shape and elements as vector.json has them: the bytes, packed, or the strings."""

    type: str
    shape: list[int]
    elements: object


def codes_of(value: dict[str, Any]) -> np.ndarray:
    """The bits of each element of a type that numpy lacks, as an unsigned integer."""
    bits, count, data = LACKING[value["type"]][0], math.prod(value["shape"]), base64.b64decode(value["data"])
    if bits >= 8:
        return np.frombuffer(data, f"<u{bits // 8}", count).reshape(value["shape"]).copy()
    planes = np.unpackbits(np.frombuffer(data, np.uint8), bitorder="little", count=count * bits).reshape(count, bits)
    return (planes << np.arange(bits, dtype=np.uint8)).sum(axis=1, dtype=np.uint8).reshape(value["shape"])


def array_of(value: dict[str, Any]) -> np.ndarray:
    """A tensor of vector.json whose type numpy has; strings as str."""
    if value["type"] == "string":
        flat = np.empty(len(value["strings"]), object)
        flat[:] = [base64.b64decode(item).decode() for item in value["strings"]]
        return flat.reshape(value["shape"])
    data = base64.b64decode(value["data"])
    return np.frombuffer(data, np.dtype(NUMPY_NAMES[value["type"]])).reshape(value["shape"]).copy()


def parts_of(result: object) -> tuple[str, list[int], object] | None:
    """Element type, shape and elements (comparable to the bit) of what stands for a tensor; None for anything else."""
    if isinstance(result, Parts):
        return result
    if hasattr(result, "data_ptr"):  # an OrtValue
        name = next((name for name, (*_, number) in LACKING.items() if number == result.element_type()), None)
        if name is None:
            return parts_of(result.numpy())
        return name, list(result.shape()), ctypes.string_at(result.data_ptr(), result.tensor_size_in_bytes())
    if not isinstance(result, np.ndarray | np.generic):
        return None
    array = np.asarray(result)
    if array.dtype.kind in "OUS":
        return "string", list(array.shape), [str(item) for item in array.ravel().tolist()]
    for name, (bits, theirs, _) in LACKING.items():
        if array.dtype.name == theirs:
            codes = np.ascontiguousarray(array).view(f"u{array.dtype.itemsize}").ravel()
            return name, list(array.shape), (codes & ((1 << bits) - 1)).tobytes()
    return array.dtype.name, list(array.shape), array.tobytes()


def wanted_parts(value: dict[str, Any], packed: bool) -> tuple[str, list[int], object]:
    """The same of a tensor of vector.json; OrtValues and Parts keep 4 bits packed, ml_dtypes one element a byte."""
    if value["type"] == "string":
        elements: object = [base64.b64decode(item).decode(errors="surrogateescape") for item in value["strings"]]
    elif value["type"] in LACKING and not packed:
        elements = codes_of(value).tobytes()
    else:
        elements = base64.b64decode(value["data"])
    return value["type"], value["shape"], elements


def difference(result: object, wanted: dict[str, Any]) -> str | None:
    """How a result differs from a value of vector.json; None where it does not."""
    if wanted["kind"] == "optional" and isinstance(result, Parts):
        return "wrong-type"  # openvino has tensors only, and says that this output is one
    if wanted["kind"] == "optional":
        of_sequence = wanted.get("value", {}).get("kind") == "sequence"
        boxed = isinstance(result, list) and len(result) == 1  # the evaluator's Optional makes a list of one
        if boxed and (not of_sequence or isinstance(result[0], list)):
            result = result[0]
        if "absent" in wanted or result is None:
            return None if "absent" in wanted and result is None else "wrong-value"
        return difference(result, wanted["value"])
    if wanted["kind"] == "sequence":
        if not isinstance(result, list):
            return "wrong-type"
        if len(result) != len(wanted["items"]):
            return "wrong-shape"
        return next(filter(None, map(difference, result, wanted["items"])), None)
    found = parts_of(result)
    if found is None:
        return "wrong-type"
    asked = wanted_parts(wanted, packed=hasattr(result, "data_ptr") or isinstance(result, Parts))
    faults = ("wrong-type", "wrong-shape", "wrong-value")
    return next((fault for fault, one, other in zip(faults, found, asked, strict=True) if one != other), None)


def held_against(results: list[object], expected: dict[str, Any]) -> str:
    """ "expected", or how the results differ from the (last) outputs that would have been right."""
    fault = "wrong-value"  # outputs where only a refusal is right: the caller sees that from the vector
    for outcome in expected.get("either", [expected]):
        if "outputs" not in outcome:
            continue
        values = [output["value"] for output in outcome["outputs"]]
        fault = "wrong-value" if len(values) != len(results) else ""
        fault = fault or next(filter(None, map(difference, results, values)), "expected")
        if fault == "expected":
            break
    return fault


def text_of(results: list[object]) -> str:
    """For a person."""
    if any(isinstance(result, Parts) for result in results):
        return "; ".join(f"{item.type}{item.shape} {shown_elements(item)}" for item in results)[:300]
    shown = [result.numpy() if hasattr(result, "numpy") and not is_raw(result) else result for result in results]
    return "; ".join(
        f"{' '.join(map(str, parts_of(item)))}" if is_raw(item) else " ".join(repr(item).split()) for item in shown
    )[:300]


def shown_elements(parts: Parts) -> object:
    """As numbers where numpy has the type."""
    if parts.type not in NUMPY_NAMES or isinstance(parts.elements, list):
        return parts.elements
    return np.frombuffer(parts.elements, NUMPY_NAMES[parts.type]).tolist()


def is_raw(result: object) -> bool:
    """An OrtValue that numpy cannot show."""
    return hasattr(result, "data_ptr") and any(result.element_type() == number for *_, number in LACKING.values())


class Refused(Exception):  # noqa: N818 (an outcome, not an error)
    """What the runtime threw."""


def ask(call: Callable[..., Any], *arguments: object) -> object:
    """A call of the runtime: what it throws is its refusal; what is thrown elsewhere ends this program."""
    try:
        return call(*arguments)
    except Exception as error:
        raise Refused(" ".join(f"{type(error).__name__}: {error}".split())[:400]) from error


class Trial:
    """One vector's way through one runtime."""

    def __init__(self, runtime: Checker | Evaluator | OnnxRuntime | OpenVino | LiteRt | Onert, folder: Path) -> None:
        """Nothing is loaded yet."""
        self._runtime, self._folder = runtime, folder
        self._held: dict[int, list[object]] = {}

    def steps(self) -> list[dict[str, str]]:
        """What each step did, up to the first refusal; a tool that does not compute only loads."""
        done: list[dict[str, str]] = []
        vector = json.loads((self._folder / "vector.json").read_text())
        for number, step in enumerate(vector["steps"]):
            if "load" not in step and not self._runtime.computes:
                break
            try:
                done.append(self._step(number, step, vector))
            except Refused as refusal:
                done.append({"did": "refused", "text": str(refusal)})
                break
        return done

    def _step(self, number: int, step: dict[str, Any], vector: dict[str, Any]) -> dict[str, str]:
        match step:
            case {"load": _}:
                ask(self._runtime.load, self._folder / vector["model"])
                return {"did": "loaded", "text": "loaded"}
            case {"run": run}:
                results = self._run(run["inputs"])
                if run.get("hold"):
                    self._held[number] = results
                return {"did": held_against(results, run["expect"]), "text": text_of(results)}
            case {"reread": reread}:
                results = self._held[reread["step"]]
                return {"did": held_against(results, reread["expect"]), "text": text_of(results)}
            case {"concurrent": concurrent}:
                return self._at_once(concurrent["runs"])
        raise SystemExit(f"plain_runtimes: {self._folder} has a step that is not known here: {list(step)}")

    def _run(self, inputs: list[dict[str, Any]]) -> list[object]:
        feeds = {item["name"]: self._runtime.feed(item["value"]) for item in inputs}
        return ask(self._runtime.run, feeds)

    def _at_once(self, runs: list[dict[str, Any]]) -> dict[str, str]:
        """A thread for each run, started together; the first that is not as expected speaks for all."""
        barrier = threading.Barrier(len(runs))
        done: list[dict[str, str] | Exception | None] = [None] * len(runs)

        def one(place: int) -> None:
            barrier.wait()
            try:
                results = self._run(runs[place]["inputs"])
                done[place] = {"did": held_against(results, runs[place]["expect"]), "text": text_of(results)}
            except Exception as error:
                done[place] = error

        threads = [threading.Thread(target=one, args=(place,)) for place in range(len(runs))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for outcome in done:
            if isinstance(outcome, Exception):
                raise outcome
        return next((outcome for outcome in done if outcome["did"] != "expected"), done[0])


RUNTIMES = {
    "onnxruntime": lambda: OnnxRuntime(optimize=True),
    "onnxruntime-noopt": lambda: OnnxRuntime(optimize=False),
    "onnx-reference": Evaluator,
    "onnx-checker": Checker,
    "openvino-ir": OpenVino,
    "openvino-onnx": OpenVino,
    "litert": lambda: LiteRt("AUTO"),
    "litert-plain": lambda: LiteRt("BUILTIN_WITHOUT_DEFAULT_DELEGATES"),
    "litert-ref": lambda: LiteRt("BUILTIN_REF"),
    "onert": Onert,
}


def main() -> None:
    """Answer every line; what the runtime prints goes to standard error."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    runtime = RUNTIMES[sys.argv[1]]()
    for line in sys.stdin:
        folder = Path(line.rstrip("\n"))
        answer = {"folder": str(folder), "version": runtime.version, "steps": Trial(runtime, folder).steps()}
        print(json.dumps(answer), file=answers, flush=True)
        if hasattr(runtime, "unload"):
            runtime.unload()
        print(json.dumps({"folder": str(folder), "unloaded": True}), file=answers, flush=True)


if __name__ == "__main__":
    main()
