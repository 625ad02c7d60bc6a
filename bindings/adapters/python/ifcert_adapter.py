"""The Python SDK for adapters: the processes between ifcert's runner and one runtime.

An adapter is a subclass of `Adapter` and one call of `serve`. The protocol is described in docs/protocol.md;
example_adapter.py beside this file is a complete adapter. Standard library and numpy only: this file runs inside
every runtime's environment.

Import the runtime in the adapter's `__init__`, not at the top of the file: `serve` first moves the protocol away from
standard output, then makes the adapter, so that nothing a runtime prints can be mistaken for an answer.
"""

from __future__ import annotations

import base64
import ctypes
import gc
import json
import math
import os
import re
import sys
import threading
import time
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import InitVar, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import numpy as np

PROTOCOL = 1

# The C library, whose buffers hold the output of C code.
_C = ctypes.CDLL(None)

# One encoder for all answers, one decoder for all requests; a request is a line that begins with its object.
_to_json = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode
_from_json = json.JSONDecoder().raw_decode

# The maximum length of a refusal's message: some runtimes quote the whole model.
MESSAGE_LIMIT = 4000

# Element types that numpy has, little-endian.
NUMPY_TYPES = {
    "bool": np.dtype("bool"),
    "int8": np.dtype("i1"),
    "int16": np.dtype("<i2"),
    "int32": np.dtype("<i4"),
    "int64": np.dtype("<i8"),
    "uint8": np.dtype("u1"),
    "uint16": np.dtype("<u2"),
    "uint32": np.dtype("<u4"),
    "uint64": np.dtype("<u8"),
    "float16": np.dtype("<f2"),
    "float32": np.dtype("<f4"),
    "float64": np.dtype("<f8"),
    "complex64": np.dtype("<c8"),
    "complex128": np.dtype("<c16"),
}

_NAMES = {dtype: name for name, dtype in NUMPY_TYPES.items()}

# Element types that numpy lacks, and the bits of one element. Their arrays hold codes: the element's bits as an
# unsigned integer, one element each.
CODE_BITS = {
    "int2": 2,
    "uint2": 2,
    "int4": 4,
    "uint4": 4,
    "float4e2m1": 4,
    "float8e4m3fn": 8,
    "float8e4m3fnuz": 8,
    "float8e5m2": 8,
    "float8e5m2fnuz": 8,
    "float8e8m0": 8,
    "bfloat16": 16,
}

ELEMENT_TYPES = (*NUMPY_TYPES, *CODE_BITS, "string")

_FEATURE = re.compile(
    rf"type:({'|'.join(ELEMENT_TYPES)})|kind:(sequence|optional)|operator:[\w.]+|opset:\d+|format:circle|rank:dynamic"
    r"|inputs:named|run|input:default|(input|output):(absent|no-elements)|exact:(int64|uint32|uint64|float64)"
    rf"|(input|output|value):(optional\()?(seq\()?tensor\(({'|'.join(ELEMENT_TYPES)})\)+"
)


class AdapterError(Exception):
    """The adapter is at fault, not the runtime: answered as `adapter_error`."""


class Refused(Exception):  # noqa: N818 (an answer, not an error)
    """The runtime refused: answered as `refused`. `Adapter.runtime` raises it."""


class Unsupported(Exception):  # noqa: N818 (an answer, not an error)
    """The runtime does not support it: answered as `unsupported`."""

    def __init__(self, what: str, message: str, status: str | None = None) -> None:
        """`what` is one of `unsupported_features`, unless `status` is the runtime's own not-implemented status."""
        super().__init__(message)
        self.what, self.message, self.status = what, message, status


def data_size(element_type: str, count: int) -> int:
    """The number of bytes of `count` elements in the protocol; 2- and 4-bit types are packed."""
    if element_type in NUMPY_TYPES:
        return count * NUMPY_TYPES[element_type].itemsize
    return (count * CODE_BITS[element_type] + 7) // 8


def pack(codes: np.ndarray, bits: int) -> bytes:
    """Codes of `bits` bits each to bytes: lowest bits first, the last byte filled with zero bits."""
    if bits >= 8:
        return codes.astype(f"<u{bits // 8}").tobytes()
    shifts = np.arange(bits)
    planes = (codes.ravel()[:, None].astype(np.uint8) >> shifts) & 1
    return np.packbits(planes.ravel(), bitorder="little").tobytes()


def unpack(data: bytes, bits: int, count: int) -> np.ndarray:
    """The `count` codes in `data`, the inverse of `pack`."""
    if bits >= 8:
        return np.frombuffer(data, f"<u{bits // 8}", count).copy()
    planes = np.unpackbits(np.frombuffer(data, np.uint8), bitorder="little", count=count * bits)
    return (planes.reshape(count, bits) << np.arange(bits, dtype=np.uint8)).sum(axis=1, dtype=np.uint8)


@dataclass(frozen=True)
class Tensor:
    """A tensor as the protocol has it: `data` for every element type but string, `strings` for that."""

    type: str
    shape: tuple[int, ...]
    data: bytes = b""
    strings: tuple[bytes, ...] = ()

    def __post_init__(self) -> None:
        """Refuse a tensor that no message can hold."""
        if self.type not in ELEMENT_TYPES:
            raise AdapterError(f"there is no element type {self.type!r}")
        count = math.prod(self.shape)
        if self.type == "string":
            if len(self.strings) != count or self.data:
                raise AdapterError(f"string tensor of shape {list(self.shape)} has {len(self.strings)} strings")
        elif len(self.data) != data_size(self.type, count) or self.strings:
            raise AdapterError(
                f"{self.type} tensor of shape {list(self.shape)} has {len(self.data)} bytes of data, "
                f"not {data_size(self.type, count)}"
            )

    @classmethod
    def of(cls, array: np.ndarray, element_type: str | None = None) -> Tensor:
        """A copy of an array. `element_type` is needed for the types that numpy lacks, whose arrays hold codes.

        An array of objects or of numpy strings holds strings: `str`, sent as UTF-8, or `bytes`, sent as they are.
        """
        if array.dtype.kind in "OUST":
            if element_type not in (None, "string"):
                raise AdapterError(f"an array of {array.dtype} is not a {element_type} tensor")
            return cls("string", array.shape, strings=tuple(_string_bytes(item) for item in array.ravel().tolist()))
        found = _name_of(array.dtype)
        if element_type in CODE_BITS:
            bits = CODE_BITS[element_type]
            if array.dtype != np.dtype(f"u{max(bits, 8) // 8}") or (array.size and int(array.max()) >> bits):
                raise AdapterError(f"an array of {array.dtype} does not hold codes of {element_type}")
            return cls(element_type, array.shape, pack(array, bits))
        if found is None or element_type not in (None, found):
            raise AdapterError(f"an array of {array.dtype} is not a {element_type or 'tensor of the protocol'}")
        return cls(found, array.shape, array.astype(NUMPY_TYPES[found], copy=False).tobytes())

    @classmethod
    def of_memory(cls, element_type: str, shape: tuple[int, ...], memory: bytes) -> Tensor:
        """From a runtime's memory, except strings; padding in the last byte of a packed type is not part of it."""
        bits = CODE_BITS.get(element_type, 8)
        if bits < 8 and len(memory) == data_size(element_type, math.prod(shape)):
            memory = pack(unpack(memory, bits, math.prod(shape)), bits)
        return cls(element_type, shape, memory)

    def array(self) -> np.ndarray:
        """A writable copy as an array: of codes for the types that numpy lacks, of `str` objects for strings."""
        count = math.prod(self.shape)
        if self.type == "string":
            flat = np.empty(count, object)
            flat[:] = [item.decode() for item in self.strings]
            return flat.reshape(self.shape)
        if self.type in NUMPY_TYPES:
            return np.frombuffer(self.data, NUMPY_TYPES[self.type], count).reshape(self.shape).copy()
        return unpack(self.data, CODE_BITS[self.type], count).reshape(self.shape)

    @property
    def type_name(self) -> str:
        """The type in the form of the protocol: tensor(float32)."""
        return f"tensor({self.type})"


@dataclass(frozen=True)
class Sequence:
    """A sequence of tensors. `of` is the items' type, as tensor(float32); None where the runtime does not report it."""

    of: str | None
    items: tuple[Tensor, ...]


@dataclass(frozen=True)
class Optional:
    """An optional value; `value` is None where it is absent. `of` is the value's type, None where it is unknown."""

    of: str | None
    value: Tensor | Sequence | None


@dataclass(frozen=True)
class Other:
    """A value that the protocol cannot represent, described for the report. It equals no expected value."""

    description: str


Value = Tensor | Sequence | Optional | Other


class Port(NamedTuple):
    """An output as the loaded model declares it. None: not reported. Dims are numbers, names or None."""

    name: str
    type: str | None
    shape: tuple[int | str | None, ...] | None


class UnsupportedFeature(NamedTuple):
    """A feature that the runtime lacks, and the page of the runtime's own documentation that states it."""

    what: str
    why: str
    link: str


Cannot = UnsupportedFeature  # its older name


@dataclass(frozen=True)
class Description:
    """The answer to `hello`."""

    adapter: str
    runtime: str
    version: str
    language: str
    home: str
    formats: tuple[str, ...] = ("onnx",)
    computes: bool = True
    threads: bool = False  # `run` may be called by several threads at once on the loaded model
    holds: bool = False  # there is a `hold`
    unsupported_features: tuple[UnsupportedFeature, ...] = ()
    cannot: InitVar[tuple[UnsupportedFeature, ...]] = ()  # the older name of unsupported_features

    def __post_init__(self, cannot: tuple[UnsupportedFeature, ...]) -> None:
        """Refuse an unknown feature: no vector could need it, so declaring it would silently have no effect."""
        object.__setattr__(self, "unsupported_features", self.unsupported_features + cannot)
        for feature in self.unsupported_features:
            if not _FEATURE.fullmatch(feature.what):
                raise AdapterError(f"{feature.what!r} is declared as unsupported, and is not a feature of the protocol")


Outputs = list[tuple[str, Value]]


class Adapter(ABC):
    """One runtime. Subclass it, describe it, and make every call of the runtime inside `self.runtime()`."""

    # Time spent in the runtime blocks of the current message; None where there was none.
    _spent: float | None = None

    @abstractmethod
    def describe(self) -> Description:
        """Describe the runtime; its version comes from the runtime itself."""

    @abstractmethod
    def load(self, model: Path, model_format: str) -> list[Port]:
        """Load the model, keep it for `run`, and return its outputs in order."""

    @abstractmethod
    def run(self, inputs: dict[str, Value]) -> Outputs:
        """Run the loaded model; return every output in order. The values are copies: no later run may change them."""

    def hold(self, inputs: dict[str, Value]) -> Callable[[], Outputs]:
        """Run the loaded model and keep the runtime's own result objects, not copies of them.

        The function returned reads them as `run` would, right away and again after later runs: only then can the
        runner see that a later run overwrote them. Keep nothing else alive than what a user of the runtime would.
        Declare `holds`.
        """
        raise AdapterError("the adapter has no `hold`")

    def unload(self) -> None:
        """Drop the loaded model, where there is something to drop."""
        return

    def not_implemented(self, error: Exception) -> str | None:
        """The runtime's own not-implemented status, where `error` is one; None for every other error."""
        del error
        return None

    def runtime(self) -> RuntimeBlock:
        """A block of calls of the runtime: exceptions in it are answered as `refused` or `unsupported`.

        Its time is measured too, separately from the adapter's. Do not nest these blocks.
        """
        return RuntimeBlock(self)


class RuntimeBlock:
    """The context of `with self.runtime():` (a class, because a generator takes longer than some messages)."""

    def __init__(self, adapter: Adapter) -> None:
        """The context of one adapter."""
        self._adapter = adapter
        self._started = 0.0

    def __enter__(self) -> None:
        """Start measuring the runtime's time."""
        self._started = time.perf_counter()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        """Stop measuring; an exception of the runtime's becomes an answer."""
        adapter = self._adapter
        adapter._spent = (adapter._spent or 0.0) + time.perf_counter() - self._started
        if not isinstance(error, Exception) or isinstance(error, AdapterError | Refused | Unsupported):
            return
        message = f"{type(error).__name__}: {error}"[:MESSAGE_LIMIT]
        status = adapter.not_implemented(error)
        if status is not None:
            raise Unsupported("runtime", message, status) from error
        raise Refused(message) from error


def serve(make: Callable[[], Adapter]) -> None:
    """Answer the runner until it sends bye or is gone. `make` is the adapter's class, or a function that makes one."""
    requests, answers = _private_descriptors()
    models = Models(make)
    gc.freeze()  # the runtime's modules stay; searching them for garbage again and again would take time
    with open(requests, encoding="utf-8") as lines:  # noqa: PTH123 (a descriptor, not a path)
        for line in lines:
            request, _ = _from_json(line)
            if request["cmd"] == "bye":
                return
            answer = _answer(models, request)
            _flush_prints()
            _write_all(answers, _to_json(answer).encode() + b"\n")


def _private_descriptors() -> tuple[int, int]:
    """Move the protocol away from descriptors 0 and 1; output printed on 1 goes to 2. Children inherit neither."""
    requests, answers = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return requests, answers


def _flush_prints() -> None:
    """Flush everything printed during this request, by Python or by C, before it is answered."""
    sys.stdout.flush()
    sys.stderr.flush()
    _C.fflush(None)


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


@dataclass
class Loaded:
    """Whether a model is loaded, and, by the run's id, the functions that read outputs that runs hold."""

    there: bool = False
    held: dict[int, Callable[[], Outputs]] = field(default_factory=dict)


class Models:
    """The model that every load replaces, and those that are kept until they are unloaded, each in its own adapter."""

    def __init__(self, make: Callable[[], Adapter]) -> None:
        """`make` makes one more adapter of the same runtime."""
        self._make = make
        self._replaced = (make(), Loaded())
        self._kept: dict[int, tuple[Adapter, Loaded]] = {}

    def of(self, request: dict[str, Any]) -> tuple[Adapter, Loaded]:
        """The adapter to which the request goes."""
        if request["cmd"] == "load" and request.get("keep"):
            self._kept[request["id"]] = (self._make(), Loaded())
            return self._kept[request["id"]]
        if "kept" not in request:
            return self._replaced
        there = self._kept.get(request["kept"], (self._replaced[0], Loaded()))
        if request["cmd"] == "unload":
            self.drop(request["kept"])
        return there

    def drop(self, load: int) -> None:
        """Forget the model that this load kept."""
        self._kept.pop(load, None)


def _answer(models: Models, request: dict[str, Any]) -> dict[str, Any]:
    adapter, loaded = models.of(request)
    if request["cmd"] == "hello":
        return {"hello": _encode_description(adapter.describe())}
    adapter._spent = None
    answer = {"id": request["id"]} | _outcome(adapter, lambda: _dispatch(adapter, loaded, request))
    if request.get("keep") and not loaded.there:
        models.drop(request["id"])
    if adapter._spent is not None:
        answer["runtime_ms"] = round(adapter._spent * 1000, 4)
    return answer


def _outcome(adapter: Adapter, dispatch: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    try:
        return dispatch()
    except Refused as refusal:
        return {"refused": {"message": str(refusal)}}
    except Unsupported as lack:
        return _encode_lack(adapter, lack)
    except Exception as error:
        traceback.print_exc()
        return {"adapter_error": {"message": f"{type(error).__name__}: {error}"}}


def _dispatch(adapter: Adapter, loaded: Loaded, request: dict[str, Any]) -> dict[str, Any]:
    match request["cmd"]:
        case "load":
            loaded.held.clear()
            loaded.there = False
            ports = adapter.load(Path(request["model"]), request["format"])
            loaded.there = True
            return {"loaded": {"outputs": [port._asdict() for port in ports]}}
        case "unload":
            loaded.held.clear()
            loaded.there = False
            adapter.unload()
            return {"unloaded": {}}
        case "run" | "reread" | "concurrent" if not loaded.there:
            return {"skipped": {}}
        case "run" if request.get("hold"):
            loaded.held[request["id"]] = _nothing_held
            read = adapter.hold(_decode_inputs(request))
            outputs = _encode_outputs(read())
            loaded.held[request["id"]] = read
            return outputs
        case "run":
            return _encode_outputs(adapter.run(_decode_inputs(request)))
        case "reread":
            if request["held"] not in loaded.held:
                raise AdapterError(f"there are no held outputs of run {request['held']}")
            return _encode_outputs(loaded.held[request["held"]]())
        case "concurrent":
            return _run_concurrently(adapter, [_decode_inputs(run) for run in request["runs"]])
        case command:
            raise AdapterError(f"protocol {PROTOCOL} has no command {command!r}")


def _nothing_held() -> NoReturn:
    """What is read again of a run that returned nothing."""
    raise Refused("its run returned no outputs to hold")


def _run_concurrently(adapter: Adapter, runs: list[dict[str, Value]]) -> dict[str, Any]:
    """A thread for each run; none starts before all are ready. An error of the adapter itself fails them all."""
    outcomes: list[dict[str, Any]] = [{} for _ in runs]
    together = threading.Barrier(len(runs) + 1)

    def run_one(index: int) -> None:
        together.wait()
        outcomes[index] = _outcome(adapter, lambda: _encode_outputs(adapter.run(runs[index])))

    threads = [threading.Thread(target=run_one, args=[index]) for index in range(len(runs))]
    for thread in threads:
        thread.start()
    together.wait()
    started = time.perf_counter()
    for thread in threads:
        thread.join()
    adapter._spent = time.perf_counter() - started
    return next((outcome for outcome in outcomes if "adapter_error" in outcome), {"runs": outcomes})


def _decode_inputs(run: dict[str, Any]) -> dict[str, Value]:
    return {item["name"]: decode(item["value"]) for item in run["inputs"]}


def _encode_outputs(outputs: Outputs) -> dict[str, Any]:
    return {"outputs": [{"name": name, "value": encode(value)} for name, value in outputs]}


def _encode_description(description: Description) -> dict[str, Any]:
    return {
        "protocol": PROTOCOL,
        "adapter": description.adapter,
        "runtime": {
            "name": description.runtime,
            "version": description.version,
            "language": description.language,
            "home": description.home,
        },
        "formats": list(description.formats),
        "computes": description.computes,
        "threads": description.threads,
        "holds": description.holds,
        "keeps": True,
        "unsupported_features": [feature._asdict() for feature in description.unsupported_features],
    }


def _encode_lack(adapter: Adapter, lack: Unsupported) -> dict[str, Any]:
    """An undeclared feature without a status is the adapter's own mistake: it would turn a failure into an excuse."""
    if lack.status is None and all(lack.what != feature.what for feature in adapter.describe().unsupported_features):
        return {"adapter_error": {"message": f"{lack.what!r} is unsupported, but hello did not declare it: {lack}"}}
    status = {} if lack.status is None else {"status": lack.status}
    return {"unsupported": {"what": lack.what, "message": lack.message, **status}}


def encode(value: Value) -> dict[str, Any]:
    """A value in the form of the protocol."""
    match value:
        case Tensor(type="string"):
            strings = [base64.b64encode(item).decode() for item in value.strings]
            return {"kind": "tensor", "type": "string", "shape": list(value.shape), "strings": strings}
        case Tensor():
            data = base64.b64encode(value.data).decode()
            return {"kind": "tensor", "type": value.type, "shape": list(value.shape), "data": data}
        case Sequence():
            return {"kind": "sequence", "of": value.of, "items": [encode(item) for item in value.items]}
        case Optional(value=None):
            return {"kind": "optional", "of": value.of, "absent": True}
        case Optional():
            return {"kind": "optional", "of": value.of, "value": encode(value.value)}
        case Other():
            return {"kind": "other", "is": value.description}
    raise AdapterError(f"{type(value).__name__} is not a value of the protocol")


def decode(value: dict[str, Any]) -> Value:
    """The inverse of `encode`."""
    try:
        return _DECODERS[value["kind"]](value)
    except KeyError:
        raise AdapterError(f"this is not a value of the protocol: {str(value)[:200]}") from None


def _decode_tensor(value: dict[str, Any]) -> Tensor:
    shape = tuple(value["shape"])
    if value["type"] == "string":
        return Tensor(
            "string", shape, strings=tuple(base64.b64decode(item, validate=True) for item in value["strings"])
        )
    return Tensor(value["type"], shape, base64.b64decode(value["data"], validate=True))


def _decode_sequence(value: dict[str, Any]) -> Sequence:
    return Sequence(value["of"], tuple(decode(item) for item in value["items"]))


def _decode_optional(value: dict[str, Any]) -> Optional:
    return Optional(value["of"], None if value.get("absent") is True else decode(value["value"]))


_DECODERS: dict[str, Callable[[dict[str, Any]], Value]] = {
    "tensor": _decode_tensor,
    "sequence": _decode_sequence,
    "optional": _decode_optional,
    "other": lambda value: Other(value["is"]),
}


def _name_of(dtype: np.dtype) -> str | None:
    return _NAMES.get(dtype) or _NAMES.get(dtype.newbyteorder("<"))


def _string_bytes(item: object) -> bytes:
    if isinstance(item, str):
        return item.encode()
    if isinstance(item, bytes):
        return item
    raise AdapterError(f"an array of strings holds a {type(item).__name__}")
