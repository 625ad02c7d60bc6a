"""Mutants that somebody wrote without sight of the vectors: what sees each, and the share of those that vectors kill.

A patch is tried on all vectors of its format until one kills it, those of the rules of the changed functions first; if
none does, on rewritings of the vectors, where the runner has them; and then on random models, which say nothing about
the vectors: they are the second net.
"""

import contextlib
import json
import subprocess
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Event
from typing import Any

from mutation_testing import build, run
from mutation_testing.outcome import (
    FELL,
    KILLED,
    SURVIVED,
    UNCOMPILED,
    Suite,
    expect_same_answers,
    has_wrong_answer,
    judged,
    once,
    own_rules,
    rules_in_reach,
)
from mutation_testing.patches import KINDS, Patch, changed_functions, patched_text
from undone import Undone

FIGURES = "conformance/mutants/mutation/without_sight.json"
REWRITINGS = "--rewritings"  # of `ifcert certify`
TOGETHER = "6"
SECONDS = 300  # for the random models of one mutant


@dataclass(frozen=True)
class Sighting:
    """What became of a patch. `by` is a vector and its verdict; of a survivor, what random models show, if they do."""

    patch: Patch
    outcome: str
    by: str = ""

    @property
    def found_at_random(self) -> bool:
        """No vector sees it, but a random model does."""
        return self.outcome == SURVIVED and self.by.startswith("random models")


def sighting_of(suite: Suite, patch: Patch, folder: Path) -> Sighting:
    """Builds the mutant in this folder and tries it on vectors; what none kills is put into a folder beside it."""
    once(suite, f"{patch.file} answers", lambda: expect_same_answers(suite, patch.file, folder / "original"))
    before, after = (suite.root / patch.file).read_text(), patched_text(suite.root, patch)
    made = build.compiled(suite.commands, after, folder)
    if made is None:
        return Sighting(patch, UNCOMPILED)
    build.linked(suite.commands, build.ADAPTER, made, folder / "adapter")
    own = own_rules(suite, patch.file, changed_functions(before, after))
    reach = [rule for rule in rules_in_reach(suite, patch.file) if rule.startswith(f"{patch.system}/")]
    verdicts = judged(suite, [rule for rule in own if rule in reach], reach, folder)
    if not has_wrong_answer(verdicts) and has_rewritings(suite.root):
        verdicts += tried_on_rewritings(suite, reach, folder)
    for verdict in verdicts:
        if verdict.is_wrong:
            return Sighting(patch, KILLED, f"{verdict.vector}: {verdict.verdict}")
    left = left_in(folder.parent, patch)
    left.mkdir()
    (folder / "adapter").rename(left / "adapter")
    fell = next((f"{verdict.vector}: {verdict.verdict}" for verdict in verdicts if verdict.fell), "")
    return Sighting(patch, FELL if fell else SURVIVED, fell)


def left_in(made: Path, patch: Patch) -> Path:
    """The folder that has the adapter of a mutant that no vector kills."""
    return made / f"left-{patch.name}"


def second_sighting(suite: Suite, first: Sighting, made: Path, seconds: float, stop: Event) -> Sighting:
    """What random models show of a mutant that no vector kills."""
    shown = seen_by_random_models(suite.root, first.patch.system, left_in(made, first.patch), seconds, stop)
    return replace(first, by=shown) if shown else first


def has_rewritings(root: Path) -> bool:
    """Whether the runner can rewrite the files of vectors."""
    said = subprocess.run([root / run.IFCERT, "certify", "--help"], capture_output=True, text=True)
    return REWRITINGS in said.stdout


def tried_on_rewritings(suite: Suite, rules: Iterable[str], folder: Path) -> list[run.Verdict]:
    """The verdicts on the format's vectors and their rewritings, until one is wrong: first of a few in one file, then,
    which takes minutes, of each alone.
    """
    adapter = run.adapter_in(suite.root, folder, folder / "adapter")
    vectors = [vector for rule in rules for vector in suite.vectors[rule]]
    verdicts: list[run.Verdict] = []
    for count in (TOGETHER, "all"):
        verdicts = run.certified(suite.root, adapter, vectors, has_wrong_answer, options=(REWRITINGS, count))
        if has_wrong_answer(verdicts):
            break
    return verdicts


def seen_by_random_models(root: Path, system: str, folder: Path, seconds: float, stop: Event) -> str:
    """The first failure of `ifcert fuzz`; nothing if there is none in this time, or before another thread says `stop`.

    Read from the campaign's journal while it is being written: nothing is made smaller.
    """
    adapter = run.adapter_in(root, folder / "random", folder / "adapter")
    manifest = json.loads((adapter / "adapter.json").read_text())
    (adapter / "adapter.json").write_text(json.dumps(manifest | {"systems": [system]}))
    out = folder / "random" / "fuzzed"
    command = [root / run.IFCERT, "fuzz", adapter, "--time", str(seconds), "--relations", "--examples", "0"]
    command += ["--jobs", "1", "--out", out]
    with (folder / "random" / "said.txt").open("w+") as said:
        fuzz = subprocess.Popen(command, stdout=said, stderr=said, start_new_session=True)
        try:
            found = first_failure(fuzz, out / "reference" / "journal.jsonl", stop)
        finally:
            run.end(fuzz)
        said.seek(0)
        if not (out / "reference" / "journal.jsonl").exists() and not stop.is_set():
            raise Undone(f"`{run.IFCERT} fuzz` ended with {fuzz.returncode}:\n{said.read()[-2000:]}")
    return found


def first_failure(fuzz: subprocess.Popen, journal: Path, stop: Event) -> str:
    """The seed, the case and the verdict. A model that only took too long may have done so on a busy machine."""
    at = 0
    while True:
        ended = fuzz.poll() is not None or stop.is_set()
        with contextlib.suppress(FileNotFoundError):
            lines, at = run.lines_from(journal, at)
            for failure in (each for line in lines for each in json.loads(line).get("failures", [])):
                if failure["verdict"] != "TIMEOUT":
                    return f"random models, seed {failure['seed']} ({failure['kind']}): {failure['verdict']}"
        if ended:
            return ""
        time.sleep(0.05)


def table_of(sightings: Iterable[Sighting]) -> str:
    """A row for each patch, and the counts."""
    sightings = list(sightings)
    width = max(len(each.patch.name) for each in sightings)
    rows = [f"{'mutant':{width}}  kind  outcome    by"]
    for each in sightings:
        silent = "" if each.patch.is_decided else " (the texts are silent)"
        rows.append(f"{each.patch.name:{width}}  {each.patch.kind:4}  {each.outcome:9}  {each.by}{silent}".rstrip())
    return "\n".join([*rows, "", summary_of(figure_of(sightings)), *by_kind(sightings)])


def by_kind(sightings: list[Sighting]) -> list[str]:
    """How many of each kind are killed or fall, of those that the texts decide."""
    rows = []
    made = [each for each in sightings if each.outcome != UNCOMPILED and each.patch.is_decided]
    for kind in KINDS:
        those = [each for each in made if each.patch.kind == kind]
        if those:
            rows.append(f"kind {kind}: {sum(each.outcome in (KILLED, FELL) for each in those)} of {len(those)}")
    return rows


def figure_of(sightings: Iterable[Sighting], vectors: int = 0) -> dict[str, Any]:
    """What the page keeps of a run. A mutant that does not compile is none."""
    made = [each for each in sightings if each.outcome != UNCOMPILED]
    decided = [each for each in made if each.patch.is_decided]
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "vectors": vectors,
        "mutants": len(made),
        "decided": len(decided),
        "killed": sum(each.outcome == KILLED for each in decided),
        "fell": sum(each.outcome == FELL for each in decided),
        "at random": sum(each.found_at_random for each in decided),
    }


def summary_of(figure: dict[str, Any]) -> str:
    """The counts as a sentence."""
    return (
        f"{figure['mutants']} mutants, of which the texts decide {figure['decided']}: {figure['killed']} are killed, "
        f"{figure['fell']} fall ({share_of(figure)}), random models find {figure['at random']} more"
    )


def share_of(figure: dict[str, Any]) -> str:
    """The killed and the fallen, of those that the texts decide."""
    if "share" in figure:
        return f"{figure['share']} %"
    dead = figure["killed"] + figure.get("fell", 0)
    return f"{100 * dead / figure['decided']:.0f} %" if figure["decided"] else "–"


def read_figures(root: Path) -> list[dict[str, Any]]:
    """The figures of all times, oldest first."""
    path = root / FIGURES
    return json.loads(path.read_text()) if path.exists() else []


def keep_figure(root: Path, figure: dict[str, Any]) -> None:
    """Adds a figure; one of the same day, with as many vectors, is replaced."""
    made = (figure["date"], figure["vectors"])
    figures = [each for each in read_figures(root) if (each["date"], each.get("vectors")) != made]
    lines = ",\n".join("  " + json.dumps(each) for each in [*figures, figure])
    (root / FIGURES).write_text(f"[\n{lines}\n]\n")


def section_of(root: Path) -> str:
    """The page's section."""
    rows = ["| measured | vectors | mutants | decided by the texts | killed | fell | share | only random models find |"]
    rows.append("|---|--:|--:|--:|--:|--:|--:|--:|")
    for figure in read_figures(root):
        counts = [figure.get(name) or "–" for name in ("vectors", "mutants", "decided", "killed", "fell")]
        row = [figure["date"], *map(str, counts), share_of(figure), str(figure.get("at random", "–"))]
        rows.append(f"| {' | '.join(row)} |")
    return SECTION + "\n".join(rows) + "\n"


SECTION = f"""
## Mutants written without sight of the vectors

A tool changes a line; an implementer errs in an idea. So now and then somebody who has read the reference and the
texts, and no vector, writes some sixty mutants: a cache with the wrong key, a value looked up in the wrong scope where
two features meet, a list whose order is taken to mean something, an edge value of an operator that makes conds. They
are patches of several lines, each below a head that says what decides that it is wrong. `scripts/mutation --patches
FOLDER` tries each on all vectors of its format, then on their rewritings, where the runner has them, and what survives
on random models, for at most {SECONDS // 60} minutes.

The share is that of the killed and the fallen among those that the texts decide: a runtime that crashes or hangs on a
vector has failed it, too. (The first rows count the killed alone.) Every time the mutants are others, and may be harder
to see, so that two rows compare only where they are of one day. The patches are not kept here, for whoever wrote
vectors against them would have had sight of them: the next ones are written anew, in a folder elsewhere, by somebody
who opens neither `vectors/` nor this project's other mutants. scripts/mutation_testing/patches.py describes the head.

"""
