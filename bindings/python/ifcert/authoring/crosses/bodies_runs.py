"""The runs of a row for OpenVINO IR and TensorFlow Lite: what is fed, and what numpy says must be returned."""

from collections.abc import Sequence

import numpy as np

from ifcert.authoring.crosses.bodies import Array, Body, results
from ifcert.authoring.crosses.bodies_models import Site
from ifcert.authoring.crosses.dimensions import Row
from ifcert.authoring.vector import Concurrent, Reread, Run, Step

FIXED = ("constant", "folded")


def steps(main: Body, inputs: Sequence[str], outputs: Sequence[str], row: Row) -> list[Step]:
    """The runs; the names are those of the model's inputs and outputs, in the order of its file."""
    site = Site(row, closed=True)
    first = row["first"] == "true"
    trips = {"three": 3, "none": 0, "one": 1, "later": 3}[row.get("trips", "three")]

    def run(decided: bool, *, trips: int = trips, long: bool = False, turned: bool = False, hold: bool = False) -> Run:
        given = _fed(site, decided, trips, long=long, turned=turned)
        found = results(main, [given[value.name] for value in main.parameters])
        made = dict(zip((value.name for value in main.results), found, strict=True))
        return Run({name: given[name] for name in inputs}, {name: made[name] for name in outputs}, hold)

    other = run(not first, turned=row["cond"] in FIXED)
    match row["runs"]:
        case "once":
            return [run(first)]
        case "shapes":
            return [run(first), run(first, long=True)]
        case "held":
            return [run(first, hold=True), other, Reread(0)]
        case "concurrent":
            return [Concurrent([run(first), other])]
        case _:
            return [*([run(first, trips=0)] if row.get("trips") == "later" else []), run(first), other]


def _fed(site: Site, decided: bool, trips: int, *, long: bool, turned: bool) -> dict[str, Array]:
    x = site.array(3, 5, 1) if long else site.array(5, 3) if turned else site.array(3, 5)
    place = site.row["place"]
    return {
        "e": np.array(place not in ("else", "deep")),
        "d": np.array(True),
        "c": np.array(decided),
        "m": np.array(1, np.int32),
        "n": np.array(2 if decided else 1, np.int32),
        "q": np.array(decided),
        "r": np.array(False),
        "trips": np.array(trips, np.int32),
        "x": x,
        "w": site.array(6, 2, 5) if long else site.array(6, 2),
        "k": site.scalar(2),
    }
