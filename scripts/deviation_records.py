"""The records of deviations, conformance/deviations/NAME.json, and the listed failures that name them.

A file is of one runtime, and becomes the page docs/deviations/NAME.md (scripts/deviations). A record that several
runtimes share, such as one of ONNX Runtime that its packages for Web and Java show too, is in one file.
"""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from listed_failures import has_list, listed_failures, listed_rewritings
from vector_lines import read_vectors, rule_of

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "conformance" / "deviations"
SEVERITIES = ("silent wrong value", "crash or hang", "wrongly refused", "wrongly accepted", "leniency")
ENDS = ("CRASH", "TIMEOUT", "MEMORY")
GROUPS = ("If", "around If", "file")  # of rules; the first counts most

Record = dict[str, Any]
Failure = dict[str, Any]


def read_documents(folder: Path = FOLDER) -> dict[str, dict[str, Any]]:
    """The files by name: {"runtime", "adapters": {name: version}, "about": [Markdown], "records": [...]}."""
    return {path.stem: json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))}


def homes_of(documents: dict[str, dict[str, Any]]) -> dict[str, str]:
    """Record → the file that it is in."""
    return {record["id"]: name for name, document in documents.items() for record in document["records"]}


def versions_of(documents: dict[str, dict[str, Any]]) -> dict[str, str]:
    """Adapter → the version of the runtime that the records describe."""
    return {adapter: version for document in documents.values() for adapter, version in document["adapters"].items()}


def failures_by_record(adapters: Iterable[str]) -> dict[str, list[Failure]]:
    """Record → the failures in these adapters' lists that name it, each with its adapter, axis and rule.

    Those of rewritings come last. Entries with a link of another kind name none.
    """
    axes = {vector["id"]: vector["axis"] for vector in read_vectors()}
    found: dict[str, list[Failure]] = {}
    for adapter in filter(has_list, adapters):
        for failure in [*listed_failures(adapter), *listed_rewritings(adapter)]:
            more = {"adapter": adapter, "axis": axes[failure["vector"]], "rule": rule_of(failure["vector"])}
            found.setdefault(failure.get("deviation", ""), []).append(failure | more)
    found.pop("", None)
    return found


def verdict_of(failure: Failure) -> str:
    """What happened: an entry that is not of the If, NOT-IF, says it in `was`."""
    return failure.get("was", failure["verdict"])


def severity_of(failure: Failure, record: Record) -> str:
    """One of SEVERITIES. Of what differs from run to run only the record says what is seen at worst."""
    verdict = verdict_of(failure)
    if verdict == "LENIENT":
        return "leniency"
    if verdict in ENDS:
        return "crash or hang"
    if failure["fault"] == "unstable":
        return record["severity"] if record["severity"] != "leniency" else "wrongly accepted"
    return {"wrongly-refused": "wrongly refused", "wrongly-accepted": "wrongly accepted"}.get(
        failure["fault"], "silent wrong value"
    )


def worst(severities: Iterable[str]) -> str:
    """The first of them in SEVERITIES."""
    return min(severities, key=SEVERITIES.index)


def groups_of_rules(page: Path = ROOT / "docs" / "rules.md") -> dict[str, str]:
    """Rule → what it is about, one of GROUPS, as the page of the rules says."""
    return dict(re.findall(r"^### (\S+)\n(?:(?!### ).*\n)*?\| about \| (.+) \|$", page.read_text(), re.MULTILINE))


def kind_of(record: Record, failures: Iterable[Failure], groups: dict[str, str]) -> str:
    """Whether it is the If, by its failures: "not If", "If, and elsewhere", "If", "around If", "file", or "—".

    A failure is not of the If where the model without its Ifs shows it too (NOT-IF), and none of a record is where the
    record says that it needs no If. Of a leniency this is not known.
    """
    failing = [failure for failure in failures if verdict_of(failure) != "LENIENT"]
    elsewhere = sum(failure["verdict"] == "NOT-IF" for failure in failing)
    if failing and record.get("needs_if") is False:
        return "not If"
    if elsewhere:
        return "not If" if elsewhere == len(failing) else "If, and elsewhere"
    found = {groups[failure["rule"]] for failure in failing}
    return min(found, key=GROUPS.index) if found else "—"


def disagreements(documents: dict[str, dict[str, Any]], failures: dict[str, list[Failure]]) -> list[str]:
    """How the records and the lists of known failures differ, a sentence each."""
    records = {record["id"]: record for document in documents.values() for record in document["records"]}
    homes = homes_of(documents)
    found = []
    for id in sorted(failures.keys() - records.keys()):
        adapters = ", ".join(sorted({failure["adapter"] for failure in failures[id]}))
        found.append(f"{id}: no file of conformance/deviations has a record of this id, which is named for {adapters}")
    for id, record in records.items():
        own = documents[homes[id]]["adapters"]
        if not any(failure["adapter"] in own for failure in failures.get(id, [])):
            found.append(f"{id}: no list of {', '.join(own)} names it, so it is in the wrong file or no longer seen")
            continue
        axes = sorted({failure["axis"] for failure in failures[id]})
        if axes != sorted(record["axes"]):
            found.append(
                f"{id}: its axes are {', '.join(record['axes'])}; those of the listed vectors {', '.join(axes)}"
            )
        listed = worst(severity_of(failure, record) for failure in failures[id])
        if listed != record["severity"]:
            found.append(f"{id}: its severity is {record['severity']}; of the listed failures it is {listed}")
    return found
