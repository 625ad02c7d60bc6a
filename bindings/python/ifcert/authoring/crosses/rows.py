"""The rows of a cross: kept in vectors/<system>/<file>.json, so that they stay when a dimension is added."""

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

from ifcert.authoring.crosses.dimensions import Cross, Row

LONGEST = 70


def read_rows(folder: Path, cross: Cross) -> list[dict[str, str]]:
    """The rows of the file in a system's folder, each complete: the file has what is not base. None without a file."""
    path = folder / cross.file
    return [cross.base | row for row in json.loads(path.read_text())["rows"]] if path.exists() else []


def rows_text(cross: Cross, rows: Iterable[Row]) -> str:
    """The file: a line for each row, sorted, with the coordinates that are not base."""
    base = cross.base
    lines = [json.dumps({name: row[name] for name in base if row[name] != base[name]}) for row in rows]
    return '{"rows": [\n  ' + ",\n  ".join(sorted(lines, key=lambda line: (len(line), line))) + "\n]}\n"


def case_of_row(cross: Cross, row: Row) -> str:
    """The name of a row's case: `cross-captured-scan-2`, its values that are not base, in the order of dimensions.

    A dimension that is `always` named is named by its base value, too.

    A name that would be longer than most file names ends in a digest of the coordinates instead. A dimension that is
    added later changes no name, since the rows that are there have its base value.
    """
    base = cross.base
    always = {dimension.name for dimension in cross.dimensions if dimension.always}
    coordinates = [(name, row[name]) for name in base if row[name] != base[name] or name in always]
    words = [f"{name}-{value}" for name, value in coordinates]
    whole = "-".join(["cross", *words] if words else ["cross", "plain"])
    if len(whole) <= LONGEST:
        return whole
    digest = hashlib.sha256(json.dumps(sorted(coordinates)).encode()).hexdigest()[:8]
    while len("-".join(["cross", *words, digest])) > LONGEST:
        words.pop()
    return "-".join(["cross", *words, digest])


def title_of_row(cross: Cross, row: Row) -> str:
    """What is not plain, in the words of the dimensions."""
    said = [
        f"{dimension.name}: {dimension.values[row[dimension.name]]}"
        for dimension in cross.dimensions
        if row[dimension.name] != dimension.base
    ]
    return "; ".join(said) or "every dimension of the cross in its plain form"
