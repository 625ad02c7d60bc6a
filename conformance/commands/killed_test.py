"""Commands that are killed at many moments leave nothing that the next start does not remove, and nothing wrong."""

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
from killed import WITH_FOLDERS, Scene, moments
from regressing_adapter import regressing_adapter

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(os.environ.get("IFCERT_BIN", ROOT / "build" / "release" / "bin"))
IFCERT = BIN / "ifcert"
RULE = "onnx/if/then-when-true"
VECTOR = f"{RULE}/test-cc-if"
KILL, TERM, INTERRUPT = signal.SIGKILL, signal.SIGTERM, signal.SIGINT
ENDINGS = [(KILL, False)] * 4 + [(TERM, False)] * 2 + [(INTERRUPT, True)] * 2  # Ctrl-C goes to the whole group
ENVIRONMENTS = {"toy", "toy@1.0.0", "toy@1.1.0"}
VARYING = {"milliseconds", "runtime_milliseconds", "sha256", "confirmed_by"}

# The reference, which refuses every model in version 1.2 of the engine that npm "installs".
ADAPTER = regressing_adapter("""
name, version = "toy", open(sys.argv[2] + "/node_modules/toyengine").read().strip()
broken = version.startswith("1.2")
""")
CLIENTS = {
    "node": "echo v20.1.0",
    "npm": """
[ "$*" = "view toyengine versions --json" ] && echo '["1.0.0", "1.1.0", "1.2.0"]' && exit
version=$(sed -n 's/.*"toyengine": "\\([^"]*\\)".*/\\1/p' "$3/package.json")
mkdir "$3/node_modules"; echo "$version" > "$3/node_modules/toyengine"
""",
}

# Accepts every model, and computes nothing.
LIAR = """
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    command = request["cmd"]
    runtime = {"name": "Liar", "version": "1", "language": "Python", "home": "https://example.org"}
    answers = {
        "hello": {"protocol": 1, "adapter": "liar", "runtime": runtime, "formats": ["onnx"], "computes": True,
                  "threads": True, "holds": True, "unsupported_features": []},
        "load": {"loaded": {"outputs": []}},
        "run": {"outputs": []},
        "unload": {"unloaded": {}},
    }
    if command == "bye":
        break
    answer = {"hello": answers["hello"]} if command == "hello" else {"id": request["id"], **answers[command]}
    print(json.dumps(answer), flush=True)
"""


def make_adapter(folder: Path, name: str, source: str, manifest: dict[str, Any]) -> Path:
    """An adapter of this source."""
    folder = folder / name
    folder.mkdir()
    (folder / "adapter.py").write_text(source)
    described = {"name": name, "systems": ["onnx"], "home": "https://example.org"} | manifest
    (folder / "adapter.json").write_text(json.dumps(described))
    return folder


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    """An empty scene, with a package manager that fetches nothing."""
    clients = tmp_path / "clients"
    clients.mkdir()
    for name, script in CLIENTS.items():
        (clients / name).write_text(f"#!/bin/sh\n{script}\n")
        (clients / name).chmod(0o755)
    variables = {"IFCERT_ADAPTERS": str(tmp_path / "environments"), "PATH": f"{clients}:{os.environ['PATH']}"}
    return Scene(tmp_path, variables)


@pytest.fixture
def toy(scene: Scene) -> str:
    """The adapter of an engine with three releases."""
    command = ["python3", "{adapter}/adapter.py", str(BIN / "ifcert-reference-adapter"), "{environment}"]
    install = {"environment": "toy", "npm": "{adapter}"}
    manifest = {"version": "1.2.0", "install": install, "command": command, "reads": [str(BIN)]}
    folder = make_adapter(scene.folder, "toy", ADAPTER, manifest)
    (folder / "package.json").write_text(json.dumps({"dependencies": {"toyengine": "1.2.0"}}))
    (folder / "package-lock.json").write_text("{}")
    return "./toy"


def without_times_and_luck(text: str) -> list[Any]:
    """The lines of a results.jsonl, without what differs from run to run (docs/runner.md, "Resuming")."""
    return [{name: value for name, value in json.loads(line).items() if name not in VARYING}
            for line in text.splitlines()]  # fmt: skip


def names_in(folder: Path) -> set[str]:
    """The paths of all files in a folder."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def expect_no_leftovers(scene: Scene, folders: list[Path]) -> None:
    """After another start, there are no temporary folders, neither of runs nor of installations."""
    certified = [IFCERT, "certify", "reference", "--vector", VECTOR, "--replace", "--out", scene.folder / "next"]
    assert scene.run(certified).returncode == 0
    assert scene.left(folders) == []
    environments = scene.folder / "environments"
    assert not environments.exists() or {path.name for path in environments.iterdir()} <= ENVIRONMENTS


def test_a_killed_certification_leaves_nothing_once_another_has_started(scene: Scene) -> None:
    command = [IFCERT, "certify", "reference", "--rule", RULE, "--jobs", "2", "--replace", "--out", "out"]
    had = scene.kill(command, WITH_FOLDERS, KILL)
    assert had
    for moment in moments(scene.seconds(command), 8):
        had += scene.kill(command, moment, KILL)
    expect_no_leftovers(scene, had)


def test_a_killed_history_is_continued_by_the_same_command(scene: Scene, toy: str) -> None:
    command = [IFCERT, "history", toy, "1.0..1.2", "--rule", RULE, "--jobs", "2", "--out"]
    seconds = scene.seconds([*command, "undisturbed"])
    undisturbed = scene.folder / "undisturbed"
    expected = (undisturbed / "history.json").read_text()
    had = []
    for number, moment in enumerate(moments(seconds, len(ENDINGS))):
        ending, group = ENDINGS[number]
        out = scene.folder / f"out-{number}"
        for environment in (scene.folder / "environments").iterdir():
            environment.rename(scene.folder / f"away-{number}-{environment.name}")  # to install it once more
        had += scene.kill([*command, out], moment, ending, group=group)
        for whole in (out / "history.json", out / "history.md"):
            assert not whole.exists() or whole.read_text() == (undisturbed / whole.name).read_text()
        again = scene.run([*command, out])
        assert again.returncode == 0, again.stdout + again.stderr
        assert (out / "history.json").read_text() == expected
        assert names_in(out) == names_in(undisturbed)
        for version in ("1.0.0", "1.1.0", "1.2.0"):
            results = [folder / version / "results.jsonl" for folder in (undisturbed, out)]
            first, second = (without_times_and_luck(file.read_text())[1:-1] for file in results)
            assert first == second
    expect_no_leftovers(scene, had)


def test_a_killed_bisection_is_continued_by_the_same_command(scene: Scene, toy: str) -> None:
    command = [IFCERT, "bisect", VECTOR, toy, "1.0..1.2", "--out"]
    seconds = scene.seconds([*command, "undisturbed"])
    had = []
    for number, moment in enumerate(moments(seconds, len(ENDINGS))):
        ending, group = ENDINGS[number]
        out = scene.folder / f"out-{number}"
        had += scene.kill([*command, out], moment, ending, group=group)
        again = scene.run([*command, out])
        assert again.returncode == 0, again.stdout + again.stderr
        assert f"{VECTOR}\n  ./toy 1.1.0: PASS\n  ./toy 1.2.0: NOT-IF (wrongly-refused)\n" in again.stdout
        assert names_in(out) == names_in(scene.folder / "undisturbed")
    expect_no_leftovers(scene, had)


def findings_in(out: Path) -> list[Any]:
    """What a campaign found, without what depends on time."""
    lines = [json.loads(line) for line in (out / "findings.jsonl").read_text().splitlines()]
    return [(line["verdict"], line["cause"], line["form"], line["seeds"], line["failures"]) for line in lines]


def test_a_killed_campaign_is_continued_and_its_findings_are_whole(scene: Scene) -> None:
    manifest = {"version": "1", "install": None, "command": [sys.executable, "{adapter}/adapter.py"]}
    liar = make_adapter(scene.folder, "liar", LIAR, manifest)
    command = [IFCERT, "fuzz", liar, "--count", "6", "--jobs", "2", "--out"]
    seconds = scene.seconds([*command, "undisturbed"])
    undisturbed = scene.folder / "undisturbed"
    assert findings_in(undisturbed)
    had = []
    for number, moment in enumerate(moments(seconds, len(ENDINGS))):
        ending, group = ENDINGS[number]
        out = scene.folder / f"out-{number}"
        had += scene.kill([*command, out], moment, ending, group=group)
        for finding in (out / "liar" / "findings").glob("*"):
            assert {"finding.json", "vector.json", "model.txt"} <= names_in(finding)
        again = scene.run([*command, out, "--resume"])
        assert again.returncode == 1, again.stdout + again.stderr
        assert findings_in(out) == findings_in(undisturbed)
        assert names_in(out) == names_in(undisturbed)
    expect_no_leftovers(scene, had)


def test_a_killed_merge_leaves_results_that_are_whole_or_none(scene: Scene) -> None:
    for part in ("1/2", "2/2"):
        words = ["certify", "reference", "--rule", RULE, "--shard", part, "--out", f"part-{part[0]}"]
        assert scene.run([IFCERT, *words]).returncode == 0
    command = [IFCERT, "merge", "part-1", "part-2", "--out"]
    seconds = scene.seconds([*command, "undisturbed"])
    undisturbed = scene.folder / "undisturbed"
    for number, moment in enumerate(moments(seconds, len(ENDINGS))):
        ending, group = ENDINGS[number]
        out = scene.folder / f"out-{number}"
        scene.kill([*command, out], moment, ending, group=group)
        if (out / "results.jsonl").exists():
            assert (out / "results.jsonl").read_text() == (undisturbed / "results.jsonl").read_text()
        assert scene.run([*command, out]).returncode == 0
        assert names_in(out) == names_in(undisturbed)
    expect_no_leftovers(scene, [])
