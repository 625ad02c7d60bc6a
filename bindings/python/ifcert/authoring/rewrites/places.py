"""Models that hold a pattern at a place near an If, and what they compute."""

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from onnx import ModelProto, helper

from ifcert.authoring.elements import element_of_dtype
from ifcert.authoring.models import model
from ifcert.authoring.rewrites.numpy_operators import computed, parsed
from ifcert.authoring.rewrites.pattern import Pattern, Values
from ifcert.authoring.vector import Run

# "the pattern ..."; m is the value between its two parts.
PLACES = {
    "branches": "in both branches",
    "into": "its first part before the If, the second in both branches",
    "out": "its first part in both branches, the second after the If",
    "inner": "its first part in then, the second in both branches of an If there",
    "before": "before the If, whose branches read its result",
    "after": "after the If, whose result it reads",
    "loop": "in both branches of an If in a Loop's body",
    "function": "in both branches of an If in a function",
}
SOURCES = {
    "initializer": "initializers of the main graph",
    "own": "initializers of the graph that reads them",
    "constant": "Constants of the graph that reads them",
    "captured": "Constants of the main graph",
    "fed": "fed",
    "overridable": "initializers that a run may replace",
    "computed": "copies of initializers",
}
NO_OPS = {
    "none": "",
    "identity": "Identity",
    "cast": "a Cast to the same type",
    "reshape": "a Reshape to the same shape",
    "transpose": "a Transpose that moves nothing",
    "transposes": "two Transposes",
    "unsqueeze": "an Unsqueeze and a Squeeze",
}
READERS = {
    "none": "",
    "node": "another node reads m",
    "output": "the graph that computes m returns it too",
    "branch": "another If's branches read m",
}
CONDS = {
    "fed": "",
    "true": "its cond is an initializer, true",
    "false": "its cond is an initializer, false",
    "not": "its cond is Not of an initializer, false",
}
WIDTHS = {"own": "", "one": "shape [1]", "ones": "one dim more than x has", "full": "the shape of x"}
DIMENSIONS = {
    "pattern-place": PLACES,
    "constants": SOURCES,
    "no-op": NO_OPS,
    "m-reader": READERS,
    "width": WIDTHS,
    "pattern-cond": CONDS,
}


@dataclass(frozen=True)
class Setting:
    """A value of each dimension."""

    place: str
    source: str
    no_op: str
    reader: str
    width: str
    cond: str

    @property
    def coordinates(self) -> tuple[str, ...]:
        """The values in the order of DIMENSIONS."""
        return self.place, self.source, self.no_op, self.reader, self.width, self.cond


class CannotBeBuiltError(Exception):
    """The pattern has no exact model with this setting; the message says why."""


@dataclass
class Scope:
    """A graph being written: its nodes and its initializers."""

    name: str
    nodes: list[str] = field(default_factory=list)
    stored: list[str] = field(default_factory=list)

    def text(self, outputs: Sequence[str]) -> str:
        """The graph as a branch."""
        stored = f"<{', '.join(self.stored)}>" if self.stored else ""
        return f"{self.name} () => ({', '.join(outputs)}) {stored} {{ {'  '.join(self.nodes)} }}"


def declared(array: np.ndarray, name: str = "") -> str:
    """The array's type and shape, and the name, as text."""
    element = element_of_dtype(array.dtype).text
    shape = f"[{','.join(map(str, array.shape))}]" if array.ndim else ""
    return f"{element}{shape} {name}".strip()


def held(array: np.ndarray) -> str:
    """The values as text."""
    values = array.astype(int) if array.dtype == bool else array
    return (
        "{"
        + ", ".join(
            np.format_float_positional(each, trim="-") if each.dtype.kind == "f" else str(each)
            for each in values.ravel()
        )
        + "}"
    )


def twice(source: str, to: str, array: np.ndarray) -> str:
    """A node whose result differs from its operand."""
    return f"{to} = Not ({source})" if array.dtype == bool else f"{to} = Add ({source}, {source})"


def doubled(array: np.ndarray) -> np.ndarray:
    """What it computes."""
    return ~array if array.dtype == bool else array + array


def equal(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether the arrays have the same type, shape and values."""
    return one.dtype == other.dtype and one.shape == other.shape and bool(np.array_equal(one, other))


def produced(nodes: str) -> list[str]:
    """The values that the nodes compute."""
    return [name for node in parsed(nodes) for name in node.output]


def read(nodes: str) -> list[str]:
    """The values that the nodes read, each once."""
    return list(dict.fromkeys(name for node in parsed(nodes) for name in node.input if name))


def widened(constants: Values, width: str, x: np.ndarray) -> Values:
    """The scalars among the constants in another shape that broadcasts."""
    shapes = {"own": (), "one": (1,), "ones": (1,) * (x.ndim + 1), "full": x.shape}
    return {key: np.full(shapes[width], each) if each.ndim == 0 else each for key, each in constants.items()}


class Written:
    """A model of a pattern with a setting: the text is collected scope by scope."""

    def __init__(self, pattern: Pattern, setting: Setting) -> None:
        """Write the model. Raises CannotBeBuiltError."""
        self.pattern, self.setting = pattern, setting
        self.constants = {
            "t": widened(pattern.then, setting.width, pattern.x),
            "e": widened(pattern.other, setting.width, pattern.x),
        }
        self.main = Scope("main_graph")
        self.outer = Scope("choose") if setting.place == "function" else self.main  # what encloses the If
        self.inputs: dict[str, np.ndarray] = {}
        self.overridable: dict[str, np.ndarray] = {}
        self.results: list[str] = []
        self.arguments: list[str] = []
        self._check()
        getattr(self, f"_{setting.place}")()

    def _check(self) -> None:
        if self.setting.width != "own" and not self.pattern.scalars:
            raise CannotBeBuiltError("its constants have but one shape")
        if self.setting.reader != "none" and self.pattern.inexact:
            raise CannotBeBuiltError("m has no exact value")
        if self.setting.reader != "none" and "m = Relu" in self.pattern.first:
            raise CannotBeBuiltError("m has zeros from Relu, to which no text gives a sign")
        if self.pattern.sources and self.setting.source not in self.pattern.sources:
            raise CannotBeBuiltError("it is looked for with other sources")

    # The text.

    def constant(self, name: str, side: str, scope: Scope) -> str:
        """The name in this scope of a constant, which is declared where its source says."""
        array, source = self.constants[side][name], self.setting.source
        own = source in ("own", "constant")
        full = f"{name}_{side}_{scope.name}" if own and scope is not self.main else f"{name}_{side}"
        text = f"{declared(array, full)} = {held(array)}"
        node = f"{full} = Constant <value = {declared(array)} {held(array)}> ()"
        match source:
            case "own" | "constant":
                where, text = (scope.stored, text) if source == "own" else (scope.nodes, node)
            case "captured":
                where, text = self.outer.nodes, node
            case "computed":
                where, text = self.outer.nodes, f"{full} = Identity ({full}_stored)"
                self._store(f"{declared(array, full)}_stored = {held(array)}")
                self.passed(f"{full}_stored")
            case _:
                where = []
                if source != "fed":
                    self._store(text)
                if source != "initializer":
                    (self.inputs if source == "fed" else self.overridable)[full] = array
                self.passed(full)
        if text not in where:
            where.append(text)
        return full

    def _store(self, text: str) -> None:
        if text not in self.main.stored:
            self.main.stored.append(text)

    def passed(self, name: str) -> None:
        """The function takes the value."""
        if name not in self.arguments:
            self.arguments.append(name)

    def feed(self, name: str, array: np.ndarray) -> str:
        """The input of this name."""
        self.inputs[name] = array
        self.passed(name)
        return name

    def _cond(self) -> None:
        """Declare cond."""
        if self.setting.cond == "fed":
            self.feed("cond", np.bool_(True))
            return
        name = "uncond" if self.setting.cond == "not" else "cond"
        self._store(f"bool {name} = {{{int(self.setting.cond == 'true')}}}")
        self.passed(name)
        if name == "uncond":
            self.outer.nodes.append("cond = Not (uncond)")

    def part(self, nodes: str, side: str, scope: Scope, **known: str) -> None:
        """Write the nodes; values are named after the side, but the `known` have other names."""
        names = {name: f"{name}_{side}" for name in [*read(nodes), *produced(nodes)]}
        names |= {name: self.constant(name, side, scope) for name in read(nodes) if name in self.constants[side]}
        names |= known
        scope.nodes.append(re.sub(r"\b[a-z]\w*\b(?! = [\[\"\d-])", lambda found: names.get(found[0], found[0]), nodes))

    def no_op(self, source: str, array: np.ndarray, scope: Scope) -> str:
        """The name of the value behind the no-op."""
        to = f"n{source}"
        dims, at = f"dims_{to}", f"at_{to}"
        turn = [*range(array.ndim)][::-1]
        constants = {
            dims: np.int64(array.shape),
            at: np.int64([0]),
        }
        text = {
            "none": "",
            "identity": f"{to} = Identity ({source})",
            "cast": f"{to} = Cast <to = {helper.np_dtype_to_tensor_dtype(array.dtype)}> ({source})",
            "reshape": f"{to} = Reshape ({source}, {dims})",
            "transpose": f"{to} = Transpose <perm = {turn[::-1]}> ({source})",
            "transposes": f"t{to} = Transpose ({source})  {to} = Transpose (t{to})",
            "unsqueeze": f"u{to} = Unsqueeze ({source}, {at})  {to} = Squeeze (u{to}, {at})",
        }[self.setting.no_op]
        if not text:
            return source
        if array.ndim == 0 and self.setting.no_op in ("transpose", "transposes"):
            raise CannotBeBuiltError("m has no dims")
        for name, each in constants.items():
            if name in text:
                scope.nodes.append(f"{name} = Constant <value = {declared(each)} {held(each)}> ()")
        scope.nodes.append(text)
        return to

    def reader(self, m: str, array: np.ndarray, scope: Scope) -> list[str]:
        """The value that the scope returns besides, if any."""
        match self.setting.reader:
            case "node":
                scope.nodes.append(twice(m, f"w{m}", array))
                return [f"w{m}"]
            case "output":
                return [m]
            case "branch":
                self.feed("reads", np.bool_(True))
                scope.nodes.append(
                    f"w{m} = If (reads) <then_branch = reads_{m} () => (p{m}) {{ {twice(m, f'p{m}', array)} }}, "
                    f"else_branch = copies_{m} () => (q{m}) {{ q{m} = Identity ({m}) }}>"
                )
                return [f"w{m}"]
            case _:
                return []

    # The values.

    def first(self, side: str, x: np.ndarray, constants: Mapping[str, Values]) -> dict[str, np.ndarray]:
        """What the first part computes from x: its own values."""
        found = _exact(self.pattern.first, {**constants[side], "x": x}, self.pattern.inexact)
        return {name: found[name] for name in produced(self.pattern.first)}

    def second(self, side: str, values: Values, x: np.ndarray, constants: Mapping[str, Values]) -> np.ndarray:
        """What the second part computes from x and the values of the first."""
        return _exact(self.pattern.second, {**constants[side], **values, "x": x}, self.pattern.inexact)["z"]

    def extra(self, m: np.ndarray, reads: bool) -> list[np.ndarray]:
        """What the reader returns."""
        match self.setting.reader:
            case "node":
                return [doubled(m)]
            case "output":
                return [m]
            case "branch":
                return [doubled(m) if reads else m]
            case _:
                return []

    def whole(self, side: str, constants: Mapping[str, Values], x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The values m and z."""
        values = self.first(side, x, constants)
        return values["m"], self.second(side, values, x, constants)

    # The places. Each writes the text, and sets `outcome`, which gives the results for conds and constants.

    def _both(self, side: str, scope: Scope, x: str = "x") -> list[str]:
        """Both parts in one scope; the names of z and of what the reader adds."""
        values = self.first(side, self.pattern.x, self.constants)
        self.part(self.pattern.first, side, scope, x=x)
        behind = self.no_op(f"m_{side}", values["m"], scope)
        known = {name: f"{name}_{side}" for name in values}
        self.part(self.pattern.second, side, scope, x=x, **{**known, "m": behind})
        return [f"z_{side}", *self.reader(f"m_{side}", values["m"], scope)]

    def _sides_differ(self) -> bool:
        x = self.pattern.x
        return not equal(self.whole("t", self.constants, x)[1], self.whole("e", self.constants, x)[1])

    def _finished(self, outputs: list[str], array: np.ndarray, scope: Scope) -> list[str]:
        """The outputs of else, made to differ from those of then."""
        if self.differs:
            return outputs
        scope.nodes.append(twice(outputs[0], f"last_{outputs[0]}", array))
        return [f"last_{outputs[0]}", *outputs[1:]]

    def _branches(self) -> None:
        self._cond()
        self.feed("x", self.pattern.x)
        self.differs = self._sides_differ()
        then, other = Scope("then_graph"), Scope("else_graph")
        of_then = self._both("t", then)
        of_other = self._finished(self._both("e", other), self.whole("e", self.constants, self.pattern.x)[1], other)
        names = ["y", "w"][: len(of_then)]
        self._choose(names, "cond", then.text(of_then), other.text(of_other))
        self.results = names

    def _choose(self, names: Sequence[str], cond: str, then: str, other: str, scope: Scope | None = None) -> None:
        nodes = (scope or self.outer).nodes
        nodes.append(f"{', '.join(names)} = If ({cond}) <then_branch = {then}, else_branch = {other}>")

    def _outcome_of_branches(self, conds: Mapping[str, bool], constants: Mapping[str, Values]) -> list[np.ndarray]:
        m, z = self.whole("t" if conds["cond"] else "e", constants, self.pattern.x)
        if not conds["cond"] and not self.differs:
            z = doubled(z)
        return [z, *self.extra(m, conds.get("reads", True))]

    _function = _loop = _branches
    _outcome_of_function = _outcome_of_branches

    def _outcome_of_loop(self, conds: Mapping[str, bool], constants: Mapping[str, Values]) -> list[np.ndarray]:
        return [np.stack([each, each]) for each in self._outcome_of_branches(conds, constants)]

    def _into(self) -> None:
        self._cond()
        x = self.feed("x", self.pattern.x)
        values = self.first("t", self.pattern.x, self.constants)
        self.part(self.pattern.first, "t", self.main, x=x)
        extra = self.reader("m_t", values["m"], self.main)
        known = {name: f"{name}_t" for name in values}
        then, other = Scope("then_graph"), Scope("else_graph")
        z = {side: self.second(side, values, self.pattern.x, self.constants) for side in "te"}
        self.differs = not equal(z["t"], z["e"])
        for side, scope in (("t", then), ("e", other)):
            behind = self.no_op("m_t", values["m"], scope)
            self.part(self.pattern.second, side, scope, **{**known, "x": x, "m": behind})
        self._choose(["y"], "cond", then.text(["z_t"]), other.text(self._finished(["z_e"], z["e"], other)))
        self.results = ["y", *extra]

    def _outcome_of_into(self, conds: Mapping[str, bool], constants: Mapping[str, Values]) -> list[np.ndarray]:
        values = self.first("t", self.pattern.x, constants)
        z = self.second("t" if conds["cond"] else "e", values, self.pattern.x, constants)
        if not conds["cond"] and not self.differs:
            z = doubled(z)
        return [z, *self.extra(values["m"], conds.get("reads", True))]

    def _out(self) -> None:
        self._cond()
        x = self.feed("x", self.pattern.x)
        values = {side: self.first(side, self.pattern.x, self.constants) for side in "te"}
        self.differs = not equal(values["t"]["m"], values["e"]["m"])
        crossing = ["m", *(name for name in values["t"] if name != "m" and name in read(self.pattern.second))]
        texts = []
        for side, scope in (("t", Scope("then_graph")), ("e", Scope("else_graph"))):
            self.part(self.pattern.first, side, scope, x=x)
            extra = self.reader(f"m_{side}", values[side]["m"], scope)
            if extra == [f"m_{side}"]:
                raise CannotBeBuiltError("both branches return m already")
            outputs = [f"{name}_{side}" for name in crossing]
            outputs = outputs if side == "t" else self._finished(outputs, values["e"]["m"], scope)
            texts.append(scope.text([*outputs, *extra]))
        chosen = [f"chosen_{name}" for name in crossing]
        extra = ["w"] if extra else []
        self._choose([*chosen, *extra], "cond", *texts)
        behind = self.no_op("chosen_m", values["t"]["m"], self.main)
        if behind != "chosen_m" and values["t"]["m"].shape != values["e"]["m"].shape:
            raise CannotBeBuiltError("m has one shape in then and another in else")
        known = dict(zip(crossing, chosen, strict=True)) | {"x": x, "m": behind, "z": "y"}
        self.part(self.pattern.second, "t", self.main, **known)
        self.results = ["y", *extra]

    def _outcome_of_out(self, conds: Mapping[str, bool], constants: Mapping[str, Values]) -> list[np.ndarray]:
        values = self.first("t" if conds["cond"] else "e", self.pattern.x, constants)
        extra = self.extra(values["m"], conds.get("reads", True))
        if not conds["cond"] and not self.differs:
            values = {**values, "m": doubled(values["m"])}
        return [self.second("t", values, self.pattern.x, constants), *extra]

    def _inner(self) -> None:
        self._cond()
        self.feed("deep", np.bool_(True))
        x = self.feed("x", self.pattern.x)
        values = self.first("t", self.pattern.x, self.constants)
        scope = Scope("then_graph")
        self.part(self.pattern.first, "t", scope, x=x)
        extra = self.reader("m_t", values["m"], scope)
        behind = self.no_op("m_t", values["m"], scope)
        known = {**{name: f"{name}_t" for name in values}, "x": x, "m": behind}
        z = {side: self.second(side, values, self.pattern.x, self.constants) for side in "te"}
        self.differs = not equal(z["t"], z["e"])
        texts = []
        for side, deep in (("t", Scope("deep_then")), ("e", Scope("deep_else"))):
            self.part(self.pattern.second, side, deep, **known)
            texts.append(deep.text(["z_t"] if side == "t" else self._finished(["z_e"], z["e"], deep)))
        self._choose(["inner_z"], "deep", *texts, scope=scope)
        other = Scope("else_graph")
        stands = [z["t"], *self.extra(values["m"], True)]
        names = ["one_z", "one_w"][: len(stands)]
        for name, each in zip(names, stands, strict=True):
            ones = np.ones(each.shape, each.dtype)
            other.nodes.append(f"{name} = Constant <value = {declared(ones)} {held(ones)}> ()")
        self.results = ["y", "w"][: len(stands)]
        self._choose(self.results, "cond", scope.text(["inner_z", *extra]), other.text(names))

    def _outcome_of_inner(self, conds: Mapping[str, bool], constants: Mapping[str, Values]) -> list[np.ndarray]:
        values = self.first("t", self.pattern.x, constants)
        z = self.second("t" if conds["deep"] else "e", values, self.pattern.x, constants)
        if not conds["cond"]:
            like = self.second("t", values, self.pattern.x, constants)
            return [np.ones(each.shape, each.dtype) for each in (like, *self.extra(values["m"], True))]
        if not conds["deep"] and not self.differs:
            z = doubled(z)
        return [z, *self.extra(values["m"], conds.get("reads", True))]

    def _before(self) -> None:
        self._cond()
        self.feed("x", self.pattern.x)
        _, z = self.whole("t", self.constants, self.pattern.x)
        _, *extra = self._both("t", self.main)
        self._choose(
            ["y"],
            "cond",
            f"then_graph () => (a) {{ {twice('z_t', 'a', z)} }}",
            "else_graph () => (b) { b = Identity (z_t) }",
        )
        self.results = ["y", *extra]

    def _outcome_of_before(self, conds: Mapping[str, bool], constants: Mapping[str, Values]) -> list[np.ndarray]:
        m, z = self.whole("t", constants, self.pattern.x)
        return [doubled(z) if conds["cond"] else z, *self.extra(m, conds.get("reads", True))]

    def _after(self) -> None:
        self._cond()
        self.feed("x", self.pattern.x)
        self._choose(
            ["v"],
            "cond",
            "then_graph () => (a) { a = Identity (x) }",
            f"else_graph () => (b) {{ {twice('x', 'b', self.pattern.x)} }}",
        )
        z, *extra = self._both("t", self.main, "v")
        self.results = [z, *extra]

    def _outcome_of_after(self, conds: Mapping[str, bool], constants: Mapping[str, Values]) -> list[np.ndarray]:
        x = self.pattern.x if conds["cond"] else doubled(self.pattern.x)
        m, z = self.whole("t", constants, x)
        return [z, *self.extra(m, conds.get("reads", True))]

    # The model and its runs.

    def outcome(self, conds: Mapping[str, bool], constants: Mapping[str, Values]) -> list[np.ndarray]:
        """The results."""
        results = getattr(self, f"_outcome_of_{self.setting.place}")(conds, constants)
        if any(each.dtype.kind == "f" and (np.signbit(each) & (each == 0)).any() for each in results):
            raise CannotBeBuiltError("a result has a negative zero")
        return results

    def every_run(self) -> Iterator[tuple[Mapping[str, np.ndarray], list[np.ndarray]]]:
        """What is fed, and the results."""
        names = [name for name in self.inputs if self.inputs[name].dtype == bool and name in ("cond", "deep", "reads")]
        for chosen in itertools.product((True, False), repeat=len(names)):
            conds = {"cond": self.setting.cond != "false", **dict(zip(names, chosen, strict=True))}
            fed = {name: np.bool_(conds[name]) if name in conds else each for name, each in self.inputs.items()}
            yield fed, self.outcome(conds, self.constants)
            swapped = self._swapped()
            if swapped:
                yield {**fed, **swapped}, self.outcome(conds, {"t": self.constants["e"], "e": self.constants["t"]})

    def _swapped(self) -> Mapping[str, np.ndarray]:
        """Each initializer that may be replaced, with the value of its namesake on the other side."""
        swapped = {}
        for full, array in self.overridable.items():
            name, _, side = full.rpartition("_")
            other = self.constants["e" if side == "t" else "t"][name]
            if other.shape != array.shape or other.dtype.kind == "i":
                return {}
            swapped[full] = other
        return swapped

    def built(self) -> tuple[ModelProto, list[Run]]:
        """The model and its runs. Raises CannotBeBuiltError."""
        possible = self._of_every_cond()
        runs = list(self.every_run())
        first = self.inputs | self.overridable
        inputs = ", ".join(declared(each, name) for name, each in first.items())
        outputs = ", ".join(
            _common([results[at] for results in possible], name) for at, name in enumerate(self._main_results())
        )
        stored = f"<{', '.join(self._main_stored())}>" if self._main_stored() else ""
        nodes, more = self._main_nodes()
        text = f"main_graph ({inputs}) => ({outputs}) {stored} {{ {nodes} }} {more}"
        made = model(text, domains={"local": 1} if more else None)
        names = self._main_results()
        return made, [Run(fed, dict(zip(names, results, strict=True))) for fed, results in runs]

    def _of_every_cond(self) -> list[list[np.ndarray]]:
        """The results for each value of the conds, also those that a constant cond never has.

        Raises CannotBeBuiltError where the first result is the same for two values of a cond.
        """
        conds = [{"cond": True, "deep": True}, {"cond": False, "deep": True}, {"cond": True, "deep": False}]
        then, other, deep = (self.outcome(each, self.constants) for each in conds)
        if equal(then[0], other[0]) or (self.setting.place == "inner" and equal(then[0], deep[0])):
            raise CannotBeBuiltError("then and else give the same")
        return [then, other, deep]

    def _main_results(self) -> list[str]:
        return [f"all_{name}" for name in self.results] if self.setting.place == "loop" else self.results

    def _main_stored(self) -> list[str]:
        return [*self.main.stored, *(["int64 trips = {2}", "bool go = {1}"] if self.setting.place == "loop" else [])]

    def _main_nodes(self) -> tuple[str, str]:
        """The nodes of the main graph, and the function."""
        nodes = "  ".join(self.main.nodes)
        if self.setting.place == "loop":
            made = ", ".join(self.results)
            body = f"step (int64 trip, bool on) => (bool on_out, {made}) {{ on_out = Identity (on)  {nodes} }}"
            return f"{', '.join(self._main_results())} = Loop (trips, go) <body = {body}>", ""
        if self.setting.place == "function":
            taken, made = ", ".join(self.arguments), ", ".join(self.results)
            body = "  ".join(self.outer.nodes)
            function = f'<domain: "local", opset_import: ["" : 16]> choose ({taken}) => ({made}) {{ {body} }}'
            return f"{made} = local.choose ({taken})", function
        return nodes, ""


def _common(arrays: Sequence[np.ndarray], name: str) -> str:
    """A type with a shape that fits all of the arrays."""
    element = element_of_dtype(arrays[0].dtype).text
    if len({each.ndim for each in arrays}) > 1:
        raise CannotBeBuiltError("results of several ranks: no type that is declared fits them")
    shape = [
        str(lengths[0]) if len(set(lengths)) == 1 else "?"
        for lengths in zip(*(each.shape for each in arrays), strict=True)
    ]
    return f"{element}[{','.join(shape)}] {name}" if shape else f"{element} {name}"


def _exact(nodes: str, values: Values, inexact: bool) -> dict[str, np.ndarray]:
    """What the nodes compute; in float64 they give the same. Raises CannotBeBuiltError where they do not."""
    with np.errstate(all="ignore"):
        try:
            found = computed(nodes, values)
            wide = {name: each.astype("d") if each.dtype == np.float32 else each for name, each in values.items()}
            again = {} if inexact else computed(nodes, wide)
        except (ValueError, IndexError) as error:
            raise CannotBeBuiltError(f"numpy: {error}") from error
    for name in again:
        if not np.array_equal(found[name].astype(again[name].dtype), again[name]) or not _finite(found[name]):
            raise CannotBeBuiltError(f"{name} has no exact value in float32")
    return found


def _finite(array: np.ndarray) -> bool:
    return array.dtype.kind != "f" or bool(np.isfinite(array).all())
