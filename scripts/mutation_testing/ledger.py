"""The ledger: one line for each mutant that was tried; and the reasons why some of the survivors may survive."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from mutation_testing.outcome import FELL, KILLED, SURVIVED, Entry
from mutation_testing.sampling import Mutant
from undone import Undone

LEDGER = "conformance/mutants/mutation/ledger.jsonl"
EXPLAINED = "conformance/mutants/mutation/explained.json"

Key = tuple[str, str, str, int, str]

REASONS = {
    "equivalent": "The mutant does the same on every model.",
    "message": "Only the text of a message or a place changes, or which of several faults is reported: a verdict never "
    "depends on these.",
    "limit": "Only a model beyond what the suite may ask of a runtime would show it: its size, its time or its memory.",
    "open": "The texts leave open what should happen, so no vector may demand it.",
    "out of reach": "No model file reaches it through an adapter.",
}


@dataclass(frozen=True)
class Reason:
    """Why mutants survive, as a person wrote it."""

    kind: str
    why: str


def key_of(entry: Entry) -> Key:
    """The members that identify a mutant."""
    return entry["file"], entry["function"], entry["line"], entry.get("nth", 0), entry["to"]


def key_of_mutant(mutant: Mutant) -> Key:
    """The same for a mutant that was drawn."""
    return mutant.file, mutant.function, mutant.line, mutant.nth, mutant.to


def read_ledger(root: Path) -> dict[Key, Entry]:
    """A line that was cut off by an interruption is left out; any other damage is an error."""
    path = root / LEDGER
    lines = path.read_text().split("\n")[:-1] if path.exists() else []
    try:
        return {key_of(entry): entry for entry in map(json.loads, lines)}
    except (json.JSONDecodeError, KeyError) as fault:
        raise Undone(f"{LEDGER} is damaged: {fault}") from fault


def append_to_ledger(root: Path, entry: Entry) -> None:
    """Appends the line in one call."""
    with (root / LEDGER).open("a") as file:
        file.write(json.dumps(entry, ensure_ascii=False) + "\n")


def write_ledger(root: Path, entries: Iterable[Entry]) -> None:
    """Whole or not at all, sorted, so that a change shows as a small difference."""
    path = root / LEDGER
    lines = sorted(json.dumps(entry, ensure_ascii=False) for entry in entries)
    new = path.with_suffix(".new")
    new.write_text("".join(f"{line}\n" for line in lines))
    new.rename(path)


def read_reasons(root: Path) -> dict[Key, Reason]:
    """The mutants that may survive, with the reasons."""
    path = root / EXPLAINED
    reasons: dict[Key, Reason] = {}
    for group in json.loads(path.read_text()) if path.exists() else []:
        if group["kind"] not in REASONS:
            raise Undone(f"{EXPLAINED}: the kind {group['kind']!r} is not one of {', '.join(REASONS)}")
        for mutant in group["mutants"]:
            if key_of(mutant) in reasons:
                raise Undone(f"{EXPLAINED} explains twice: {mutant}")
            reasons[key_of(mutant)] = Reason(group["kind"], group["why"])
    return reasons


def faults_of(entries: Iterable[Entry], reasons: dict[Key, Reason]) -> list[str]:
    """Survivors that nobody explained, and explanations of mutants that vectors do see."""
    faults = []
    for entry in entries:
        explained = key_of(entry) in reasons
        if entry["outcome"] == SURVIVED and not explained:
            faults.append(f"survived: {text_of_entry(entry)}")
        if entry["outcome"] in (KILLED, FELL) and explained:
            faults.append(f"{EXPLAINED} explains a mutant that {entry['first']} sees: {text_of_entry(entry)}")
    return faults


def text_of_entry(entry: Entry) -> str:
    """For a person."""
    return f"{entry['file']}, {entry['function'] or 'outside functions'}\n  - {entry['line']}\n  + {entry['to']}"
