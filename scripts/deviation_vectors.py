"""The vectors of a record in Markdown, from the lists of known failures: a line for each outcome, sorted by rule."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from vector_lines import rule_of

ENDS = {"CRASH": "crash", "TIMEOUT": "time-out", "MEMORY": "memory", "LENIENT": "computed"}
VARIANT = re.compile(r"(?:(?<=-cold-)|(?<=-opset-))\d+$")  # the number of a vector that is one of a series
FEW_RULES, MANY_NAMES, FEW_NAMES = 8, 6, 2

Failure = dict[str, Any]


def outcome_of(failure: Failure) -> str:
    """What was seen, in words: "crash", "memory or crash", "crash, without the If too", "crash with main-into-loop"."""
    verdicts = [failure.get("was", failure["verdict"]), *([failure["or"]] if "or" in failure else [])]
    words = " or ".join(ENDS[each] if each in ENDS else failure["fault"].replace("-", " ") for each in verdicts)
    words += f" with `{failure['rewriting']}`" if "rewriting" in failure else ""
    return words + (", without the If too" if failure["verdict"] == "NOT-IF" else "")


def vector_lines(failures: Iterable[Failure], all_vectors: Collection[str]) -> list[str]:
    """A line for each outcome, axis and set of adapters: "2 wrong value (open): ...". What all lines share is left out.

    The failures have their adapter and axis (deviation_records.failures_by_record); all_vectors are the suite's ids. A
    line of many rules has a nested list.
    """
    adapters: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for each in failures:
        adapters[each["vector"], outcome_of(each), each["axis"]].append(each["adapter"])
    groups: dict[tuple[str, str, tuple[str, ...]], list[str]] = defaultdict(list)
    for (vector, outcome, axis), names in adapters.items():
        groups[outcome, axis, tuple(names)].append(vector)
    shares_axis = len({axis for _, axis, _ in groups}) == 1
    shares_adapters = len({names for _, _, names in groups}) == 1
    lines = []
    for (outcome, axis, names), vectors in sorted(groups.items(), key=lambda group: (-len(group[1]), group[0])):
        more = [] if shares_axis else [axis]
        more += [] if shares_adapters else [f"`{name}`" for name in names]
        where = f" ({', '.join(more)})" if more else ""
        rules = by_rule(vectors, all_vectors)
        listed = "; ".join(rules) if len(rules) <= FEW_RULES else "\n- ".join(["", *rules]).replace("\n", "\n  ")
        lines.append(f"{len(vectors)} {outcome}{where}: {listed}".replace(": \n", ":\n"))
    return lines


def by_rule(vectors: Iterable[str], all_vectors: Collection[str]) -> list[str]:
    """The vectors' names, each rule once, with counts in place of the names that would make it long."""
    groups: dict[str, list[str]] = defaultdict(list)
    for vector in sorted(vectors):
        groups[rule_of(vector)].append(vector)
    totals = Counter(map(rule_of, all_vectors))
    series = Counter(map(pattern_of, all_vectors))
    limit = MANY_NAMES if len(groups) <= FEW_RULES else FEW_NAMES
    return [named(rule, group, totals[rule], series, limit) for rule, group in groups.items()]


def named(rule: str, vectors: list[str], total: int, series: Mapping[str, int], limit: int) -> str:
    """The names of some vectors of a rule that has `total` of them: at most `limit`, and how many more there are."""
    names = [name.removeprefix(f"{rule}/") for name in folded(vectors, series)]
    if len(names) <= limit:
        return f"`{rule}/{names[0]}" if len(names) == 1 else f"`{rule}/` {', '.join(f'`{name}' for name in names)}"
    if len(vectors) == total:
        return f"`{rule}/*` (all {total})"
    return f"`{rule}/` {', '.join(f'`{name}' for name in names[:limit])} and others ({len(vectors)} of {total})"


def folded(vectors: list[str], series: Mapping[str, int]) -> list[str]:
    """The ids, each closed by its backtick; those of one series as a pattern, with how many if not all are there."""
    found = Counter(map(pattern_of, vectors))
    labels = []
    for vector in vectors:
        pattern = pattern_of(vector)
        count, total = found[pattern], series[pattern]
        some = "" if count == total else f" ({count} of {total})"
        labels.append(f"{vector}`" if count == 1 else f"{pattern}`{some}")
    return list(dict.fromkeys(labels))


def pattern_of(vector: str) -> str:
    """The id, with a star for the number of one of a series: "rule/name-cold-*" of "rule/name-cold-2"."""
    return VARIANT.sub("*", vector)
