"""Covering arrays: few rows that have every wanted pair and triple. Made by covertable, and made plainer here."""

from collections import Counter
from collections.abc import Sequence

from covertable import make  # type: ignore[import-untyped]

from ifcert.authoring.crosses.dimensions import Cross, Row, parts_of


def covering_rows(cross: Cross, kept: Sequence[Row] = ()) -> list[dict[str, str]]:
    """Rows that cover the cross, those kept that are legal among them: the same on every machine.

    What covertable chooses for coordinates that no pair needs is arbitrary, so each row is made as plain as can be.
    """
    kept = [whole for row in kept if not cross.forbidding(whole := cross.base | dict(row))]
    rows = make(
        {dimension.name: list(dimension.values) for dimension in cross.dimensions},
        strength=2,
        sub_models=[{"fields": list(cross.triples), "strength": 3}] if cross.triples else [],
        constraints=_constraints(cross),
        presets=kept,
    )
    found = [{name: row[name] for name in cross.base} for row in rows]
    return _plainer(cross, kept, [row for row in found if row not in kept])


def _constraints(cross: Cross) -> list[dict[str, object]]:
    """The exclusions as covertable has them: not (one of these values and one of those)."""
    return [
        {
            "operator": "or",
            "conditions": [
                {"operator": "not", "condition": {"operator": "in", "left": name, "values": sorted(values)}}
                for name, values in exclusion.when.items()
            ],
        }
        for exclusion in cross.exclusions
    ]


def _plainer(cross: Cross, kept: Sequence[dict[str, str]], added: Sequence[dict[str, str]]) -> list[dict[str, str]]:
    """The rows, each with the base value where no pair needs another, without added ones that others make needless."""
    covered = Counter(part for row in [*kept, *added] for part in parts_of(cross, row))
    for row in added:
        for name, base in cross.base.items():
            other = row | {name: base}
            gone = set(parts_of(cross, row)) - set(parts_of(cross, other))
            if gone and not cross.forbidding(other) and all(covered[part] > 1 for part in gone):
                covered.subtract(parts_of(cross, row))
                covered.update(parts_of(cross, other))
                row[name] = base
    needed = []
    for row in added:
        if all(covered[part] > 1 for part in parts_of(cross, row)):
            covered.subtract(parts_of(cross, row))
        else:
            needed.append(row)
    return [*kept, *needed]
