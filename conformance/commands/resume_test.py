"""A run that is killed and resumed, or split into shards and merged, ends with the report of an undisturbed run."""

import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
IFCERT = Path(os.environ.get("IFCERT_BIN", ROOT / "build" / "release" / "bin")) / "ifcert"
KILLS = 20
COMPUTING, REFUSED = 30, 10  # vectors
TRIALS = 2 * (COMPUTING + REFUSED)
RULE = "onnx/if/then-when-true"
TIMES = {"started", "ended", "milliseconds", "runtime_milliseconds", "jobs", "efforts", "sha256"}
TIMES |= {"seconds", "confirming_seconds", "sibling_seconds"}
FILES = ["certificate.json", "junit.xml", "report.html", "report.json", "report.md", "results.jsonl"]

# Fails according to its own lists of lies: an honest adapter would never fail.
ADAPTER = """
import sys, time
sys.path.insert(0, {lying!r})
from honest import Honest, elements, outputs, serve


class Slow(Honest):
    def run(self, request):
        time.sleep(0.003)
        number = int(self.said().split("-")[-1])
        if number % 7 == 3:
            return {{"refused": {{"message": "seven"}}}}
        x = request["inputs"][0]["value"]
        return outputs(x["shape"], [-element + (number % 5 == 4) for element in elements(x)])


serve(Slow())
"""


def sha256(path: Path) -> str:
    """The digest in the form of the manifest."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def add_vector(folder: Path, source: str, name: str, twin: str | None) -> dict[str, Any]:
    """The line of a copy of a vector of test_data under another name and a rule that the reference knows."""
    rule, _, case = source.rpartition("/")
    origin = ROOT / "conformance" / "testing" / "test_data" / "onnx" / "generated" / "test" / rule
    lines = map(json.loads, (origin / "vectors.jsonl").read_text().splitlines())
    vector: dict[str, Any] = next(line for line in lines if line["id"].endswith(f"/{case}"))
    vector |= {"id": f"{RULE}/{name}", "rules": [RULE]}
    if twin:
        vector["twin"] = f"{RULE}/{twin}"
    model = f"{name}.onnx"
    (folder / model).write_text(f"{(origin / vector['model']).read_text()} {name}")
    return vector | {
        "model": model,
        "source": "vectors/onnx/choice/many.py",
        "profiles": ["onnx"],
        "files": {model: sha256(folder / model)},
    }


def link_what_is_read(project: Path) -> None:
    """Give the project this one's folders of schemas and of plain APIs."""
    for folder in [
        "conformance/schemas",
        "conformance/protocol",
        "conformance/reproduce/plain_apis",
        "vectors/schemas",
    ]:
        (project / folder).parent.mkdir(parents=True, exist_ok=True)
        (project / folder).symlink_to(ROOT / folder)


def write_vectors(project: Path, lines: Path, vectors: list[dict[str, Any]]) -> None:
    """Write the lines of the vectors, and the manifest of the project."""
    lines.write_text("".join(f"{json.dumps(vector)}\n" for vector in vectors))
    manifest = {"format": 5, "files": {str(lines.relative_to(project / "vectors")): sha256(lines)}}
    (project / "vectors" / "manifest.json").write_text(json.dumps(manifest))


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Refusals with twins among many vectors, and two adapters; all but two of their failures are listed."""
    project = tmp_path_factory.mktemp("project")
    (project / "conformance" / "adapters").mkdir(parents=True)
    link_what_is_read(project)
    lines = project / "vectors" / "onnx" / "generated" / "if" / "then-when-true" / "vectors.jsonl"
    lines.parent.mkdir(parents=True)
    vectors = [add_vector(lines.parent, "negate/a-before", f"compute-{i:02}", None) for i in range(COMPUTING)]
    for i in range(REFUSED):
        vectors.append(add_vector(lines.parent, "refuse/faulty", f"refuse-{i:02}", f"compute-{i:02}"))
    write_vectors(project, lines, vectors)
    for name in ["one", "two"]:
        folder = project / "conformance" / "adapters" / name
        folder.mkdir()
        lying = str(ROOT / "conformance" / "testing" / "faulty_adapters")
        (folder / "adapter.py").write_text(ADAPTER.format(lying=lying))
        adapter = {"name": name, "systems": ["onnx"], "version": "1.0", "home": "https://example.org"}
        command = ["python3", "{adapter}/adapter.py", name]
        (folder / "adapter.json").write_text(
            json.dumps(adapter | {"install": None, "command": command, "reads": [lying]})
        )
        fails = [i for i in range(COMPUTING) if i % 7 == 3 or i % 5 == 4]
        failures = [listed(f"compute-{i:02}") for i in fails if i not in (4, 10)]
        lists = {"adapter": name, "failures": failures}
        (folder / "known_failures.json").write_text(json.dumps(lists))
    return project


def listed(name: str) -> dict[str, str]:
    """An entry of the known-failure list, for the adapter's actual failure."""
    fault = "wrongly-refused" if int(name[-2:]) % 7 == 3 else "wrong-value"
    entry = {"vector": f"{RULE}/{name}", "verdict": "FAIL", "fault": fault}
    return entry | {"link": "https://example.org", "note": "on purpose"}


def command(out: Path, *more: str) -> list[str]:
    """Certifies both adapters on everything."""
    return [str(IFCERT), "certify", "one", "two", "--jobs", "2", "--out", str(out), *more]


def run(project: Path, arguments: list[str]) -> subprocess.CompletedProcess[str]:
    """Runs to the end."""
    environment = os.environ | {"IFCERT_HOME": str(project)}
    return subprocess.run(arguments, env=environment, capture_output=True, text=True, timeout=60)


def start(project: Path, arguments: list[str]) -> subprocess.Popen[str]:
    """Starts and does not wait."""
    environment = os.environ | {"IFCERT_HOME": str(project)}
    return subprocess.Popen(arguments, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def without_times(value: object) -> object:
    """The same document without times (and without the jobs, which do not affect results)."""
    if isinstance(value, dict):
        return {key: without_times(item) for key, item in value.items() if key not in TIMES}
    return [without_times(item) for item in value] if isinstance(value, list) else value


def found(out: Path) -> tuple[list[Any], object]:
    """The contents of results.jsonl and report.json, without times."""
    results = [json.loads(line) for line in (out / "results.jsonl").read_text().splitlines()]
    return [without_times(line) for line in results], without_times(json.loads((out / "report.json").read_text()))


@pytest.fixture(scope="module")
def undisturbed(project: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[int, str, Path]:
    """The run that the others are compared with: its exit code, its last output, its folder."""
    out = tmp_path_factory.mktemp("undisturbed")
    whole = run(project, command(out))
    assert whole.returncode == 1, whole.stderr
    verdicts = {line.get("verdict") for line in found(out)[0]}
    assert verdicts == {None, "PASS", "FAIL", "NOT-SHOWN"}
    return whole.returncode, whole.stdout, out


def lines_of(journal: Path) -> int:
    """The number of whole lines."""
    return journal.read_bytes().count(b"\n") if journal.exists() else 0


def kill_after(lines: int, pause: float, project: Path, arguments: list[str], journal: Path) -> int:
    """Kills the run a little after its journal has a certain length; returns the number of lines left."""
    process = start(project, arguments)
    while process.poll() is None and lines_of(journal) < lines:
        time.sleep(0.001)
    time.sleep(pause)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    return lines_of(journal)


def some_moment(chance: random.Random) -> tuple[int, float]:
    """Mostly in the middle, sometimes before the first trial or after the last, while the reports are written."""
    edges = [0, 1, TRIALS + 1, TRIALS + 3, TRIALS + 3]
    lines = chance.choice(edges) if chance.random() < 0.25 else chance.randrange(2, TRIALS)
    return lines, chance.uniform(0, 0.02)


def test_an_adapter_that_is_not_installed_is_installed_and_one_folder_is_not_certified_twice(
    project: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(project / "conformance" / "adapters" / "one", tmp_path / "mine")
    (folder / "known_failures.json").unlink()
    manifest = json.loads((folder / "adapter.json").read_text())
    install = {"environment": "of-mine", "python": ["packaging==26.3"]}
    start = {"command": ["{environment}/bin/python", "{adapter}/adapter.py", "one"]}
    (folder / "adapter.json").write_text(json.dumps(manifest | {"name": "mine", "install": install} | start))
    arguments = [str(IFCERT), "certify", str(folder), "--out", str(tmp_path / "out")]
    environment = os.environ | {"IFCERT_HOME": str(project), "IFCERT_ADAPTERS": str(tmp_path / "adapters")}
    ended = subprocess.run(arguments, env=environment, capture_output=True, text=True, timeout=100)
    assert "Installing mine 1.0\n" in ended.stdout, ended.stdout + ended.stderr
    assert ended.returncode == 2, ended.stderr  # its hello names another adapter, so nothing is judged
    twice = run(project, [str(IFCERT), "certify", "one", f"{project}/conformance/adapters/one", "--out", str(tmp_path)])
    assert (twice.returncode, twice.stdout) == (2, "")
    assert twice.stderr == f"ifcert: one and {project}/conformance/adapters/one are both the adapter one\n"
    twice = run(project, [str(IFCERT), "certify", "one", "one", "--vector", "none", "--out", str(tmp_path)])
    assert twice.stderr == "ifcert: the adapter one is named twice\n"  # before the vectors are read


def test_a_run_killed_anywhere_and_resumed_ends_like_an_undisturbed_one(
    project: Path, undisturbed: tuple[int, str, Path], tmp_path: Path
) -> None:
    exit_code, _, whole = undisturbed
    chance = random.Random(4)
    kills, in_the_middle = 0, 0
    while kills < KILLS:
        out = tmp_path / f"after-{kills}"
        for link in range(chance.choice([1, 1, 2, 3])):  # a single kill, or several
            more = ["--resume"] if link else []
            journal = out / "results.jsonl.part"
            left = kill_after(*some_moment(chance), project, command(out, *more), journal)
            kills += 1
            in_the_middle += 3 < left < TRIALS
        resumed = run(project, command(out, "--resume"))
        assert resumed.returncode == exit_code, resumed.stderr
        assert found(out) == found(whole)
        assert sorted(file.name for file in out.iterdir()) == FILES
    assert in_the_middle >= KILLS // 4


def test_a_run_is_resumed_only_with_its_own_settings(project: Path, tmp_path: Path) -> None:
    journal = tmp_path / "results.jsonl.part"
    kill_after(10, 0, project, command(tmp_path), journal)
    before = journal.read_bytes()
    changes = {
        "limits.timeout_s": ["--timeout", "29"],
        "selector": ["--vector", "onnx/*"],
        "limits.strict": ["--strict"],
        "limits.repeat": ["--repeat", "2"],
        "shard": ["--shard", "1/2"],
    }
    for term, change in changes.items():
        other = run(project, command(tmp_path, "--resume", *change))
        assert other.returncode == 2, change
        assert f"is the journal of another run: {term} is " in other.stderr
    fewer = [word for word in command(tmp_path, "--resume") if word != "two"]
    assert "adapters.1.name is" in run(project, fewer).stderr
    assert journal.read_bytes() == before
    one_job = ["1" if word == "2" else word for word in command(tmp_path, "--resume")]
    assert run(project, one_job).returncode == 1


def test_without_resume_a_run_begins_again(project: Path, undisturbed: tuple[int, str, Path], tmp_path: Path) -> None:
    (tmp_path / "results.jsonl.part").write_text("anything\n")
    again = run(project, command(tmp_path))
    assert again.returncode == undisturbed[0]
    assert found(tmp_path) == found(undisturbed[2])
    assert not (tmp_path / "results.jsonl.part").exists()


def test_a_complete_run_has_nothing_to_resume(project: Path, undisturbed: tuple[int, str, Path]) -> None:
    out = undisturbed[2]
    before = (out / "results.jsonl").read_bytes()
    again = run(project, command(out, "--resume"))
    assert again.returncode == undisturbed[0]
    assert again.stdout.startswith("Nothing to resume: ")
    assert again.stdout.split("\n", 1)[1] == undisturbed[1]
    assert (out / "results.jsonl").read_bytes() == before
    other = run(project, command(out, "--resume", "--strict"))
    assert other.returncode == 2
    assert "has the results of another run: limits.strict is false there and true here" in other.stderr


def test_an_interrupted_run_prints_how_to_continue(
    project: Path, undisturbed: tuple[int, str, Path], tmp_path: Path
) -> None:
    for number, how in enumerate([signal.SIGINT, signal.SIGTERM]):
        process = start(project, command(tmp_path, *(["--resume"] if number else [])))
        while process.poll() is None and lines_of(tmp_path / "results.jsonl.part") < 20 * (number + 1):
            time.sleep(0.001)
        process.send_signal(how)
        printed = process.communicate()[0]
        assert process.returncode == 2
        assert printed.splitlines()[-1].startswith("Interrupted with ")
        assert printed.endswith("results left; run the same command with --resume to continue\n")
        assert "known-failure lists" not in printed
        assert [file.name for file in tmp_path.iterdir()] == ["results.jsonl.part"]
    assert run(project, command(tmp_path, "--resume")).returncode == undisturbed[0]
    assert found(tmp_path) == found(undisturbed[2])


@pytest.fixture(scope="module")
def shards(project: Path, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The folders of three shards."""
    folders = []
    for number in [1, 2, 3]:
        folders.append(str(tmp_path_factory.mktemp(f"shard-{number}")))
        shard = run(project, command(Path(folders[-1]), "--shard", f"{number}/3"))
        assert shard.returncode in (0, 1), shard.stderr  # the unlisted failures are in one of them
        header, *results, _ = found(Path(folders[-1]))[0]
        assert header["shard"] == f"{number}/3"
        assert len(results) // 2 in (TRIALS // 6, TRIALS // 6 + 1)
    return folders


def merge(project: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Runs ifcert merge."""
    return run(project, [str(IFCERT), "merge", *map(str, arguments)])


def test_merged_shards_are_the_whole(
    project: Path, undisturbed: tuple[int, str, Path], shards: list[str], tmp_path: Path
) -> None:
    merged = merge(project, shards[2], shards[0], shards[1], "--out", tmp_path)
    assert merged.returncode == undisturbed[0], merged.stderr
    assert found(tmp_path) == found(undisturbed[2])
    assert sorted(file.name for file in tmp_path.iterdir()) == FILES


def test_merge_refuses_gaps_overlaps_and_unfinished_shards(project: Path, shards: list[str], tmp_path: Path) -> None:
    first, second, third = shards
    out = ["--out", tmp_path / "out"]
    torn = tmp_path / "torn"
    torn.mkdir()
    text = (Path(third) / "results.jsonl").read_text()
    (torn / "results.jsonl").write_text(text[: text.rindex('{"footer"')])
    unfinished = tmp_path / "unfinished"
    unfinished.mkdir()
    (unfinished / "results.jsonl.part").write_text("")
    other = tmp_path / "other"
    run(project, command(other, "--shard", "3/3", "--strict"))
    refusals = {
        "shard 3/3 is missing": [first, second],
        "overlap: both are shard 1/3": [first, second, third, first],
        "no footer: the run that wrote it did not end": [first, second, torn],
        "has not finished (certify --resume finishes it)": [first, second, unfinished],
        "different runs: limits.strict is true there and false here": [first, second, other],
        "cannot read": [first, second, tmp_path / "nowhere"],
    }
    for why, folders in refusals.items():
        refused = merge(project, *folders, *out)
        assert (refused.returncode, refused.stdout) == (2, ""), why
        assert why in refused.stderr
    assert "its results would be lost" in merge(project, *shards, "--out", first).stderr
    assert not out[1].exists()


def test_no_command_accepts_results_in_which_a_byte_was_changed(
    project: Path, undisturbed: tuple[int, str, Path], tmp_path: Path
) -> None:
    text = (undisturbed[2] / "results.jsonl").read_bytes()
    chance = random.Random(7)
    out = tmp_path / "edited"
    out.mkdir()
    for number in range(60):
        at = chance.randrange(len(text))
        edited = text[:at] + bytes([text[at] ^ 1 << chance.randrange(8)]) + text[at + 1 :]
        (out / "results.jsonl").write_bytes(edited)
        arguments = [str(IFCERT), "merge", str(out), "--out", str(tmp_path / "merged")]
        refused = run(project, command(out, "--resume") if number % 4 == 0 else arguments)
        assert (refused.returncode, refused.stdout) == (2, ""), at
        line = 1 + text.count(b"\n", 0, at)
        assert f"results.jsonl is not a result: its line {line} " in refused.stderr
    assert not (tmp_path / "merged").exists()


def test_the_vectors_of_a_changed_journal_line_are_run_again(
    project: Path, undisturbed: tuple[int, str, Path], tmp_path: Path
) -> None:
    journal = tmp_path / "results.jsonl.part"
    kill_after(30, 0, project, command(tmp_path), journal)
    lines = journal.read_bytes().split(b"\n")
    lines[20] = lines[20].replace(b'"verdict":"PASS"', b'"verdict":"FAIL"').replace(b'"milli', b'"mitti')
    journal.write_bytes(b"\n".join(lines))
    resumed = run(project, command(tmp_path, "--resume"))
    assert resumed.returncode == undisturbed[0], resumed.stderr
    assert "Its line 21 was changed: what was recorded from this line on is run again" in resumed.stdout
    assert found(tmp_path) == found(undisturbed[2])


def test_vectors_that_were_changed_during_a_run_leave_no_results(project: Path, tmp_path: Path) -> None:
    model = project / "vectors" / "onnx" / "generated" / "if" / "then-when-true" / "compute-07.onnx"
    before = model.read_bytes()
    out = tmp_path / "out"
    process = start(project, command(out))
    try:
        while process.poll() is None and lines_of(out / "results.jsonl.part") < 10:
            time.sleep(0.001)
        model.write_bytes(b"positive")
        printed = process.communicate()[0]
    finally:
        model.write_bytes(before)
    assert process.returncode == 2
    assert f"vectors were changed while they were run: {RULE}/compute-07: " in printed
    assert [file.name for file in out.iterdir()] == ["results.jsonl.part"]
    resumed = run(project, command(out, "--resume"))
    assert resumed.returncode == 2
    assert "results.jsonl.part is not resumed: vectors were changed while they were run" in resumed.stderr
    assert merge(project, out, "--out", tmp_path / "merged").returncode == 2


def test_merge_refuses_results_of_other_vectors(project: Path, shards: list[str], tmp_path: Path) -> None:
    manifest = project / "vectors" / "manifest.json"
    text = manifest.read_text()
    try:
        manifest.write_text(text + "\n")
        refused = merge(project, *shards, "--out", tmp_path)
    finally:
        manifest.write_text(text)
    assert refused.returncode == 2
    assert "was made with the manifest" in refused.stderr
