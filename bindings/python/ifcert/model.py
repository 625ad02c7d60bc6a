"""Models: loaded, checked against the rules, run, drawn."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

from ifcert import _ifcert
from ifcert.command import program
from ifcert.errors import UnreadableModel

if TYPE_CHECKING:
    from onnx import ModelProto

Operators: TypeAlias = Mapping[str, Callable[..., Any]]


class _Given(NamedTuple):
    """What `load` is given besides the source.

    What computes nodes that the reference lacks: functions by operator, and the name of an adapter or nothing. And the
    names of the rules that are allowed.
    """

    functions: dict[str, Callable[..., Any]]
    adapter: str
    allow: set[str]


class BinaryFile(Protocol):
    """A file object in binary mode: open(path, "rb"), io.BytesIO, a member of an archive."""

    def read(self) -> bytes:
        """All remaining bytes."""


Source: TypeAlias = "str | os.PathLike[str] | bytes | bytearray | memoryview | BinaryFile | ModelProto"


class Picture:
    """A picture of a model, which a notebook shows. Branches are side by side, captures dashed, broken rules red."""

    def __init__(self, svg: str, page: Callable[[], str], write: Callable[[bytes, bytes], None]) -> None:
        """`page` makes the HTML page (with folding and search) when it is needed; `write` writes a file."""
        self.svg = svg
        self._page = page
        self._write = write

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write an .svg or an .html file; another suffix, or a file of the model, raises ValueError."""
        path = Path(path)
        if path.suffix not in (".svg", ".html"):
            raise ValueError(f"{path}: a picture is saved as .svg or .html")
        text = self.svg if path.suffix == ".svg" else self._page()
        self._write(os.fsencode(path), text.encode())


class Model(_ifcert.Model):
    """A loaded model. `load` makes it.

    It may break rules: `check` lists them, each with its place and clause, and `run` and `save` refuse such a model.
    Where `load` was told to allow rules, `allowed` lists the findings that are not in `check` therefore. `inputs` and
    `outputs` are the ports of the main graph, `opsets`, `ir_version` and `producer` the file's own description.
    """

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model in the format of the path's extension.

        The extension is one of .onnx, .tflite, .circle, and .xml (OpenVINO IR), which gets a .bin beside it.

        All files are written or none is; after a failure the old files are there, and nothing else.

        Raises IllegalModel, Inexpressible where that format cannot express the model, ValueError where a file
        would be one that the model was loaded from, and OSError.
        """
        self._save(os.fsencode(path))

    def show(self) -> Picture:
        """A picture of the model, with the rules it breaks."""
        return Picture(self._svg(), self._page, self._write)


def load(
    source: Source,
    *,
    operators: Operators | str | os.PathLike[str] | None = None,
    allow: Iterable[str] = (),
) -> Model:
    """Load a model from a file, from an opened file, from bytes, or from a `ModelProto`.

    `source` is one of these:
      - the path of a file: .onnx, .tflite, .circle, or .xml (OpenVINO IR) with its .bin;
      - a file object that is open in binary mode; it is read from its current position to its end;
      - bytes, a bytearray or a memoryview (the last two are copied);
      - a `ModelProto` of the onnx package.

    A source without a file name is OpenVINO IR where it begins like XML, TensorFlow Lite or Circle where it has their
    identifier, and ONNX otherwise.

    External data of ONNX is read from the file's folder or below it, the .bin of IR from beside the .xml; this also
    holds for a file object whose `name` is the path of the opened file. A source that is not a file has neither, so
    the model must be complete in itself.

    `operators` adds operators that the reference lacks: "Op", or "domain.Op" outside ONNX's own, to a function that
    gets the operands (None: left out) and, by keyword, the attributes, and returns the output, or a tuple of as many
    outputs as the node has. It is called only where the reference has no operator of that name and opset. Or it is the
    name of an adapter (see `ifcert list adapters`) or the path of its folder, with a "/" in it: its runtime computes
    the nodes that the reference lacks, each as a model of one node, in a confined process; `Model.computed_elsewhere`
    counts them.

    `allow` has names of rules whose breach can leave a model one meaning, such as "onnx/model/no-cycles" for nodes in a
    wrong order. Findings that are `allowable` are then mended as the model is read, and listed in `allowed`; the model
    can be run, saved and shown. `ifcert.rules()` says which rules can be allowed, and why.

    Nothing is evaluated before the first run, except for rearrangements of constants of at most 64 MiB.

    Raises EvaluationError for an adapter that does not exist, is not installed, or reads models of another format, and
    UnreadableModel, whose `diagnostic` has the place and what was found; TypeError for another kind of source
    or a file that is open as text; ValueError where a rule cannot be allowed; MemoryError, naming the file; OSError
    where the file cannot be opened or read.
    """
    given = _given(operators, allow)
    if isinstance(source, str | os.PathLike):
        return _load_file(os.fspath(source), given)
    if isinstance(source, bytes | bytearray | memoryview):
        return Model(bytes(source), *given)
    if callable(read := getattr(source, "read", None)):
        return _load_opened(source, read(), given)
    serialize = getattr(source, "SerializeToString", None)
    if serialize is None:
        raise TypeError(
            f"expected a path, a file object, bytes or a ModelProto, not a value of the type {type(source).__name__}"
        )
    return Model(serialize(), *given)


def _given(operators: Operators | str | os.PathLike[str] | None, allow: Iterable[str]) -> _Given:
    if isinstance(allow, str):
        raise TypeError("allow is a list of names of rules, not one name")
    if not isinstance(operators, str | os.PathLike):
        return _Given(dict(operators or {}), "", set(allow))
    _ifcert.set_program(str(program()))
    adapter = operators if isinstance(operators, str) else os.path.abspath(operators)  # noqa: PTH100
    return _Given({}, adapter, set(allow))


def _load_file(path: str | bytes, given: _Given) -> Model:
    try:
        return Model(os.fsdecode(path), *given)
    except UnreadableModel as error:
        unreadable = error
    with Path(os.fsdecode(path)).open("rb"):  # lets the operating system report why it cannot be opened
        pass
    raise unreadable


def _load_opened(file: object, content: object, given: _Given) -> Model:
    if not isinstance(content, bytes):
        raise TypeError(
            f"expected a file object that is open in binary mode; this one returns {type(content).__name__}"
        )
    path = _path_of(file)
    if path is None:
        return Model(content, *given)
    beside = path.with_suffix(".bin")
    is_ir = path.suffix == ".xml" and beside.is_file()
    return Model(content, *given, str(path.parent), beside.read_bytes() if is_ir else None)


def _path_of(file: object) -> Path | None:
    """The path of an opened file, if its name leads to it: an archive's member has a name that leads elsewhere."""
    try:
        path = Path(os.fsdecode(file.name))  # type: ignore[attr-defined]
        opened = os.fstat(file.fileno())  # type: ignore[attr-defined]
        return path if os.path.samestat(opened, path.stat()) else None
    except (AttributeError, TypeError, ValueError, OSError):
        return None
