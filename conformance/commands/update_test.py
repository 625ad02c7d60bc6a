"""certify --update runs what has changed since the results were made, and keeps the other results as they are.

The first run is of an adapter that computes right, each later one of an adapter that computes wrong: what fails then
was run then.
"""

import hashlib
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from resume_test import (
    FILES,
    IFCERT,
    ROOT,
    RULE,
    add_vector,
    kill_after,
    lines_of,
    link_what_is_read,
    sha256,
    write_vectors,
)

COMPUTING = 12  # vectors; beside them is one that is refused, the twin of which is the first of them
LAST = f"compute-{COMPUTING - 1:02}"

ADAPTER = """
import sys
sys.path.insert(0, {lying!r})
from honest import Honest, elements, outputs, serve


class Adapter(Honest):
    def hello(self):
        return super().hello() | dict(unsupported_features={unsupported})

    def run(self, request):
        if self.said().endswith({hangs_on!r}):
            sys.stdin.read()  # until the runner is gone
        x = request["inputs"][0]["value"]
        return outputs(x["shape"], [{sign} * element for element in elements(x)])


serve(Adapter())
"""


class Project:
    """A project with an adapter, whose vectors change."""

    def __init__(self, root: Path) -> None:
        """Begin with vectors that the adapter computes, and one that it refuses."""
        self.root = root
        self.out = root / "out"
        link_what_is_read(root)
        self.folder = root / "vectors" / "onnx" / "generated" / "if" / "then-when-true"
        self.folder.mkdir(parents=True)
        self.vectors = [add_vector(self.folder, "negate/a-before", f"compute-{i:02}", None) for i in range(COMPUTING)]
        self.vectors.append(add_vector(self.folder, "refuse/faulty", "refused", "compute-00"))
        self.write_vectors()
        self.adapter = root / "conformance" / "adapters" / "one"
        self.adapter.mkdir(parents=True)
        self.write_manifest("1.0")
        self.write_adapter(sign=-1)
        first = self.certify()
        assert first.returncode == 0, first.stdout + first.stderr
        self.write_adapter(sign=1)

    def write_vectors(self) -> None:
        """Write the lines and the manifest."""
        write_vectors(self.root, self.folder / "vectors.jsonl", self.vectors)

    def write_adapter(self, sign: int, hangs_on: str = "nothing", unsupported: str = "[]") -> None:
        """Write the adapter's program, which is not part of its identity."""
        lying = str(ROOT / "conformance" / "testing" / "faulty_adapters")
        text = ADAPTER.format(lying=lying, sign=sign, hangs_on=hangs_on, unsupported=unsupported)
        (self.adapter / "adapter.py").write_text(text)

    def write_manifest(self, version: str) -> None:
        """Write the adapter's manifest."""
        manifest = {"name": "one", "systems": ["onnx"], "version": version, "home": "https://example.org"}
        manifest |= {"install": None, "command": ["python3", "{adapter}/adapter.py", "one"]}
        lying = str(ROOT / "conformance" / "testing" / "faulty_adapters")
        (self.adapter / "adapter.json").write_text(json.dumps(manifest | {"reads": [lying]}))

    def change(self, *names: str) -> None:
        """Give those vectors another title."""
        for vector in self.vectors:
            if vector["id"].removeprefix(f"{RULE}/") in names:
                vector["title"] += ", changed"
        self.write_vectors()

    def command(self, *more: str) -> list[str]:
        """Certify the adapter on all vectors."""
        return [str(IFCERT), "certify", "one", "--jobs", "1", "--out", str(self.out), *more]

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a command of ifcert to its end."""
        environment = os.environ | {"IFCERT_HOME": str(self.root)}
        return subprocess.run(words, env=environment, capture_output=True, text=True, timeout=100, check=False)

    def certify(self, *more: str) -> subprocess.CompletedProcess[str]:
        """Certify to the end."""
        return self.run(*self.command(*more))

    def lines(self) -> list[dict[str, Any]]:
        """The lines of results.jsonl."""
        return [json.loads(line) for line in (self.out / "results.jsonl").read_text().splitlines()]

    def failing(self) -> list[str]:
        """The vectors that do not pass."""
        return [line["vector"].removeprefix(f"{RULE}/") for line in self.lines()[1:-1] if line["verdict"] != "PASS"]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A project with the results of one run."""
    return Project(tmp_path)


def test_only_vectors_that_have_changed_are_run(project: Project) -> None:
    before = project.lines()
    project.change("compute-03", LAST)
    update = project.certify("--update")
    assert update.returncode == 1, update.stderr
    assert update.stdout.startswith(f"Updating {project.out}/results.jsonl: 11 of its 13 results are kept\n")
    assert project.failing() == ["compute-03", LAST]
    after = project.lines()
    assert [line.get("vector") for line in after] == [line.get("vector") for line in before]
    kept = [line["milliseconds"] for line in before[1:-1] if not line["vector"].endswith(("compute-03", LAST))]
    assert [line["milliseconds"] for line in after[1:-1] if line["verdict"] == "PASS"] == kept
    assert sorted(file.name for file in project.out.iterdir()) == FILES


def test_every_report_says_how_many_results_are_kept_and_since_when(project: Project) -> None:
    since = project.lines()[0]["started"]
    project.change("compute-03")
    update = project.certify("--update")
    said = f"12 of 13 results are of earlier runs, since {since}"
    assert said in update.stdout
    assert said in (project.out / "report.md").read_text()
    kept = {"results": 12, "since": since}
    assert project.lines()[0]["kept"] == kept
    for name in ["report.json", "certificate.json"]:
        assert json.loads((project.out / name).read_text())["kept"] == kept
    verified = project.run(str(IFCERT), "verify", str(project.out / "certificate.json"))
    assert verified.returncode == 0, verified.stderr
    project.change("compute-05")
    project.certify("--update")
    assert project.lines()[0]["kept"] == kept, "those of the first run are there still"
    whole = project.certify()
    assert "kept" not in project.lines()[0] and "earlier runs" not in whole.stdout


def test_a_changed_twin_makes_the_refusal_run_again(project: Project) -> None:
    project.change("compute-00")
    project.certify("--update")
    assert project.failing() == ["compute-00", "refused"]


def test_a_twin_whose_result_is_kept_is_run_for_its_refusal(project: Project) -> None:
    project.change("refused")
    project.certify("--update")
    assert project.failing() == ["refused"]
    assert project.lines()[-2]["verdict"] == "NOT-SHOWN"


def test_vectors_may_be_added_and_withdrawn(project: Project) -> None:
    del project.vectors[5]
    project.vectors.insert(2, add_vector(project.folder, "negate/a-before", "added", None))
    project.write_vectors()
    project.certify("--update")
    assert project.failing() == ["added"]
    ids = [vector["id"] for vector in project.vectors]
    assert [line["vector"] for line in project.lines()[1:-1]] == ids


def test_a_changed_model_is_run_again(project: Project) -> None:
    model = project.vectors[4]["model"]
    (project.folder / model).write_text("negate, too")
    project.vectors[4]["files"] = {model: sha256(project.folder / model)}
    project.write_vectors()
    project.certify("--update")
    assert project.failing() == ["compute-04"]


def test_where_nothing_has_changed_the_results_are_compared_with_the_list_of_today(project: Project) -> None:
    entry = {"vector": f"{RULE}/compute-01", "verdict": "FAIL", "fault": "wrong-value"}
    failures = [entry | {"link": "https://example.org", "note": "once"}]
    (project.adapter / "known_failures.json").write_text(json.dumps({"adapter": "one", "failures": failures}))
    update = project.certify("--update")
    assert update.returncode == 1, update.stderr
    assert "compute-01: PASS, listed as FAIL (wrong-value)" in update.stdout
    (project.adapter / "known_failures.json").unlink()
    assert project.certify("--update").returncode == 0
    assert project.failing() == []


def test_results_without_digests_of_vectors_are_kept_as_long_as_the_manifest_is_the_same(project: Project) -> None:
    lines = project.lines()
    digest = ""
    text = ""
    for line in lines:  # as an earlier ifcert wrote them
        line.pop("vector_digest", None)
        del line["sha256"]
        plain = json.dumps(line, separators=(",", ":"), ensure_ascii=False)
        digest = hashlib.sha256((digest + plain).encode()).hexdigest()
        text += f'{plain[:-1]},"sha256":"{digest}"}}\n'
    (project.out / "results.jsonl").write_text(text)
    update = project.certify("--update")
    assert update.returncode == 0, update.stderr
    assert all("vector_digest" in line for line in project.lines()[1:-1]), "the next update needs no such manifest"
    (project.out / "results.jsonl").write_text(text)
    project.change("compute-03")
    project.certify("--update")
    assert len(project.failing()) == COMPUTING + 1


def test_without_results_all_vectors_are_run(project: Project) -> None:
    (project.out / "results.jsonl").unlink()
    update = project.certify("--update")
    assert update.stdout.startswith(f"No results to update in {project.out}: running all vectors\n")
    assert len(project.failing()) == COMPUTING + 1


def test_results_of_another_runtime_or_with_other_settings_are_not_kept(project: Project) -> None:
    before = (project.out / "results.jsonl").read_bytes()
    project.change("compute-03")
    other = project.certify("--update", "--timeout", "29")
    assert other.returncode == 2
    assert "has the results of another run: limits.timeout_s is 30.0 there and 29.0 here" in other.stderr
    assert "(to run all vectors, leave out --update)" in other.stderr
    feature = {"what": "kind:optional", "why": "none", "link": "https://example.org"}
    project.write_adapter(1, unsupported=f"[{feature}]")
    declares = project.certify("--update")
    assert declares.returncode == 2
    assert "different runtimes: cannot" in declares.stderr
    project.write_manifest("1.1")
    version = project.certify("--update")
    assert version.returncode == 2
    assert 'adapters.0.version is "1.0" there and "1.1" here' in version.stderr
    for option in [["--shard", "1/2"], ["--on", "local"]]:
        assert "excludes" in project.certify("--update", *option).stderr
    assert (project.out / "results.jsonl").read_bytes() == before


def test_results_that_are_not_selected_are_not_lost(project: Project) -> None:
    for more in [[], ["--resume"]]:
        fewer = project.certify("--update", "--vector", "*/compute-*", *more)
        assert fewer.returncode == 2
        assert "results that would be removed, not replaced: 1 of one" in fewer.stderr


def test_a_killed_update_goes_on_where_it_ended(project: Project) -> None:
    before = (project.out / "results.jsonl").read_bytes()
    project.change(*(f"compute-{i:02}" for i in range(4, COMPUTING)))
    project.write_adapter(-1, hangs_on="compute-07")
    journal = project.out / "results.jsonl.part"
    kill_after(2 + 3, 0, project.root, project.command("--update"), journal)
    assert lines_of(journal) == 2 + 3, "the header, the hello, and three results"
    assert (project.out / "results.jsonl").read_bytes() == before
    project.write_adapter(1)
    resumed = project.certify("--update", "--resume")
    assert "3 trials are already recorded" in resumed.stdout
    assert project.failing() == [f"compute-{i:02}" for i in range(7, COMPUTING)]
    assert project.lines()[0]["kept"]["results"] == 5
    again = project.certify("--update", "--resume")
    assert again.stdout.startswith(f"Updating {project.out}/results.jsonl: 13 of its 13 results are kept\n")
