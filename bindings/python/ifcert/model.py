"""Models: loaded, checked against the rules, run, drawn."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import _ifcert

from ifcert.errors import UnreadableModel

if TYPE_CHECKING:
    from onnx import ModelProto

Operators = Mapping[str, Callable[..., Any]]


class Picture:
    """A model drawn: a notebook shows it. Branches stand side by side, captures are dashed, broken rules red."""

    def __init__(self, svg: str, page: Callable[[], str], write: Callable[[bytes, bytes], None]) -> None:
        """`page` makes the HTML page, which folds and searches, when it is needed; `write` writes a file."""
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
    """A loaded model. It may break rules: `check` says which, and `run` refuses such a model.

    `inputs`, `outputs`: the main graph's ports, each with `name`, `type` ("tensor(float32)") and `shape` (sizes,
    names of symbolic sizes, None for an unknown one; None instead of a tuple: no shape is declared).
    `opsets`: domain → version. `ir_version`, `producer`: as in the file.

    `check()` gives what is found, as `Diagnostic`s with `rule`, `place`, `found`, `asked` and `level`: "error" where a
    rule is broken, "warning" where that is so in a branch that may never run. No errors: the model is legal.

    `run(inputs, observer=None)` evaluates the main graph and gives its outputs by name. Inputs go by name; one with a
    default may be left out. A list of all inputs in order gives a list of the outputs: names may be alike.
    A tensor is an array of the declared dtype and shape (a scalar or a list takes the dtype), a sequence a list of
    arrays, an absent optional None, a string a str or bytes in an array of objects.
    Types that numpy lacks are those of ml_dtypes.
    Arrays that are C-contiguous and aligned are not copied, so do not write to them while the model runs. Outputs are
    read-only: they may share memory with an input (then they show what is later written to it), with the model or with
    each other; copy what you want to write to. Sequences come as lists, absent optionals as None.
    `observer(place, taken)` is told of each If: its place in the model, and True for then_branch.
    The interpreter's lock is released meanwhile, and one model may be run from several threads at once.
    Raises IllegalModel (the model breaks rules) and EvaluationError.
    """

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model in the format that the path's ending says.

        These are .onnx, .tflite, .circle, and .xml (OpenVINO IR) with its .bin.

        All files are written or none is; a failure leaves what was there, and nothing else.

        Raises IllegalModel, Inexpressible where that format cannot say what the model does, ValueError where a file
        would be one that the model was loaded from, and OSError.
        """
        self._save(os.fsencode(path))

    def show(self) -> Picture:
        """A picture of the model, with the rules it breaks."""
        return Picture(self._svg(), self._page, self._write)


def load(source: str | os.PathLike[str] | bytes | ModelProto, *, operators: Operators | None = None) -> Model:
    """Load a model from a file (.onnx, .tflite, .circle, or .xml with its .bin), from bytes, or from a `ModelProto`.

    Bytes are ONNX, or TensorFlow Lite or Circle where they have its identifier.

    External data must lie in the file's folder or below it; bytes and a `ModelProto` may have none.

    `operators` adds operators that the reference lacks: "Op", or "domain.Op" outside ONNX's own, to a function that
    gets the operands (None: left out) and, by keyword, the attributes, and gives the output, or a tuple of as many
    outputs as the node has. It is asked only where the reference has no operator of that name and opset.

    Raises UnreadableModel; OSError where the file cannot be opened.
    """
    given = dict(operators or {})
    if isinstance(source, str | os.PathLike):
        return _load_file(os.fspath(source), given)
    if isinstance(source, bytes):
        return Model(source, given)
    serialize = getattr(source, "SerializeToString", None)
    if serialize is None:
        raise TypeError(f"a path, bytes or a ModelProto is asked for, {type(source).__name__} is given")
    return Model(serialize(), given)


def _load_file(path: str | bytes, operators: dict[str, Callable[..., Any]]) -> Model:
    try:
        return Model(path, operators)
    except UnreadableModel as error:
        unreadable = error
    with Path(os.fsdecode(path)).open("rb"):  # whether it can be opened is the operating system's to say
        pass
    raise unreadable
