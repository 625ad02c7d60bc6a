"""The dimensions of a cross, their values, and the combinations that cannot be."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product

# A row, or a part of it: the value of each dimension, or of some.
Row = Mapping[str, str]


@dataclass(frozen=True)
class Dimension:
    """A dimension: its name, what it is, and its values, each with a meaning. The first value is the plain form.

    `always`: a case is named by its value even where that is the plain form.
    """

    name: str
    about: str
    values: Mapping[str, str]
    always: bool = False

    @property
    def base(self) -> str:
        """The plain form, which a model has that is not about this dimension."""
        return next(iter(self.values))


@dataclass(frozen=True)
class Exclusion:
    """A combination that cannot be: no row has, for each of these dimensions, one of the values named.

    `because` is the id of a sentence in sentences.json, or a reason in words.
    """

    when: Mapping[str, frozenset[str]]
    because: str

    def forbids(self, row: Row) -> bool:
        """Whether a row, or a part of one, has the combination. A part that lacks one of the dimensions has not."""
        return all(row.get(name) in values for name, values in self.when.items())


def without(because: str, **when: str) -> Exclusion:
    """`without("scan-tensors", kind="sequence optional", place="scan")`: the values of each dimension, with spaces."""
    return Exclusion({name.rstrip("_"): frozenset(values.split()) for name, values in when.items()}, because)


@dataclass(frozen=True)
class Cross:
    """A cross: its dimensions, what cannot be, and the dimensions of which all triples are wanted, not only pairs.

    `part`: what of the system it is about, where the system has another cross of everything.
    """

    system: str
    dimensions: Sequence[Dimension]
    exclusions: Sequence[Exclusion]
    triples: Sequence[str]
    part: str = ""

    @property
    def name(self) -> str:
        """The system, and the part: onnx, onnx-rewrites."""
        return f"{self.system}-{self.part}" if self.part else self.system

    @property
    def file(self) -> str:
        """The file of its rows in the system's folder, if they are kept in one: crosses.json, faults.json."""
        return f"{self.part or 'crosses'}.json"

    def __post_init__(self) -> None:
        """Raises ValueError for an exclusion, or a triple, of what is no dimension or none of its values."""
        values = {dimension.name: set(dimension.values) for dimension in self.dimensions}
        for exclusion in self.exclusions:
            for name, excluded in exclusion.when.items():
                if not excluded <= values.get(name, set()):
                    unknown = sorted(excluded - values.get(name, set()))
                    raise ValueError(f"{self.system}: {exclusion.because!r} excludes {name}={', '.join(unknown)}")
        if not set(self.triples) <= values.keys():
            raise ValueError(f"{self.system}: triples of {sorted(set(self.triples) - values.keys())}")

    @property
    def base(self) -> dict[str, str]:
        """The plain form of every dimension."""
        return {dimension.name: dimension.base for dimension in self.dimensions}

    def forbidding(self, row: Row) -> list[Exclusion]:
        """The exclusions that forbid the row, or the part of one."""
        return [exclusion for exclusion in self.exclusions if exclusion.forbids(row)]

    def row(self, part: Row) -> dict[str, str] | None:
        """A legal row with these coordinates, the others as plain as can be; None where there is none."""
        plain = self.base | dict(part)
        return self._completed({}, list(self.dimensions), part) if self.forbidding(plain) else plain

    def _completed(self, chosen: dict[str, str], rest: Sequence[Dimension], part: Row) -> dict[str, str] | None:
        if self.forbidding(chosen):
            return None
        if not rest:
            return dict(chosen)
        first, *others = sorted(rest, key=lambda each: each.name not in part)
        values = [part[first.name]] if first.name in part else first.values
        for value in values:
            found = self._completed(chosen | {first.name: value}, others, part)
            if found is not None:
                return found
        return None

    def wanted(self) -> Iterator[dict[str, str]]:
        """Every pair of values of two dimensions, and every triple of those of three of `triples`; legal or not."""
        for names in self.tuples():
            values = [self._named(name).values for name in names]
            yield from (dict(zip(names, chosen, strict=True)) for chosen in product(*values))

    def tuples(self) -> list[tuple[str, ...]]:
        """The pairs of dimensions, and the triples that are wanted."""
        names = [dimension.name for dimension in self.dimensions]
        triples = [name for name in names if name in self.triples]
        return [*combinations(names, 2), *combinations(triples, 3)]

    def _named(self, name: str) -> Dimension:
        return next(dimension for dimension in self.dimensions if dimension.name == name)


def parts_of(cross: Cross, row: Row) -> Iterable[tuple[tuple[str, str], ...]]:
    """The pairs and triples that a row covers, each as (dimension, value) twice or three times."""
    return (tuple((name, row[name]) for name in names) for names in cross.tuples())
