"""NAME@VERSION, ifcert history and ifcert bisect: other versions of a runtime than the pinned one."""

import json
import os
import subprocess
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(os.environ.get("IFCERT_BIN", ROOT / "build" / "release" / "bin"))
RULE = "onnx/if/then-when-true"
VECTOR = f"{RULE}/test-cc-if"

# The reference, wrapped in a package that refuses every model in version 1.2, and can be installed as 1.3 nowhere.
ADAPTER = """
import json, subprocess, sys
import toyengine

honest = subprocess.Popen([sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
for line in sys.stdin:
    request = json.loads(line)
    if request["cmd"] == "load" and toyengine.VERSION == "1.2":
        answer = {"id": request["id"], "refused": {"message": "a regression"}}
    elif request["cmd"] in ("run", "reread") and toyengine.VERSION == "1.2":
        answer = {"id": request["id"], "skipped": {}}
    else:
        honest.stdin.write(line)
        if request["cmd"] == "bye":
            break
        answer = json.loads(honest.stdout.readline())
        if "hello" in answer:
            answer["hello"]["adapter"] = "toy"
            answer["hello"]["runtime"]["version"] = toyengine.VERSION
            answer["hello"]["formats"] = ["onnx"]
    print(json.dumps(answer), flush=True)
"""


def make_wheel(folder: Path, version: str, needs: str = "") -> None:
    """A package of one module that knows its version."""
    info = f"toyengine-{version}.dist-info"
    metadata = f"Metadata-Version: 2.1\nName: toyengine\nVersion: {version}\n{needs}"
    with zipfile.ZipFile(folder / f"toyengine-{version}-py3-none-any.whl", "w") as wheel:
        wheel.writestr("toyengine.py", f"VERSION = {version!r}\n")
        wheel.writestr(f"{info}/METADATA", metadata)
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the adapter `toy`, the packages that pip finds, and the environments."""
    folder = tmp_path_factory.mktemp("versions")
    for name in ("wheels", "toy"):
        (folder / name).mkdir()
    for version in ("1.0", "1.1", "1.2", "1.4"):
        make_wheel(folder / "wheels", version)
    make_wheel(folder / "wheels", "1.3", "Requires-Dist: nowhere-to-be-found\n")
    (folder / "toy" / "adapter.py").write_text(ADAPTER)
    (folder / "toy" / "adapter.json").write_text(
        json.dumps(
            {
                "name": "toy",
                "systems": ["onnx"],
                "version": "1.4",
                "home": "https://example.org",
                "install": {"environment": "toy", "python": ["toyengine==1.4"]},
                "command": ["{environment}/bin/python", "{adapter}/adapter.py", str(BIN / "ifcert-reference-adapter")],
                "reads": [str(BIN)],
            }
        )
    )
    return folder


def ifcert(toy: Path, *words: object) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(toy / "wheels"),
        "IFCERT_ADAPTERS": str(toy / "environments"),
    }
    command = [BIN / "ifcert", *map(str, words)]
    return subprocess.run(command, cwd=toy, env=environment, capture_output=True, text=True, timeout=300, check=False)


def header_of(results: Path) -> dict:
    with (results / "results.jsonl").open() as lines:
        return json.loads(next(lines))


def test_another_version_is_an_adapter_of_its_own(toy: Path, tmp_path: Path) -> None:
    run = ifcert(toy, "certify", "./toy@1.1", "./toy", "--rule", RULE, "--out", tmp_path / "out")
    assert run.returncode == 0, run.stdout + run.stderr
    other, pinned = header_of(tmp_path / "out")["adapters"]
    assert [(it["name"], it["version"]) for it in (other, pinned)] == [("toy@1.1", "1.1"), ("toy", "1.4")]
    assert other["files"] != pinned["files"]
    assert (toy / "environments" / "toy@1.1").is_dir()


def test_the_pinned_version_is_the_adapter_itself(toy: Path, tmp_path: Path) -> None:
    run = ifcert(toy, "certify", "./toy@1.4", "--rule", RULE, "--out", tmp_path / "out")
    assert run.returncode == 0, run.stderr
    assert header_of(tmp_path / "out")["adapters"][0]["name"] == "toy"


def test_a_runtime_that_is_not_a_python_package_has_only_its_pinned_version(toy: Path) -> None:
    run = ifcert(toy, "certify", "reference@9", "--out", toy / "never")
    assert run.returncode == 2
    assert "reference: only its pinned version" in run.stderr


def test_history_shows_what_each_release_broke_and_mended(toy: Path, tmp_path: Path) -> None:
    run = ifcert(toy, "history", "./toy", "1.0..1.4", "--rule", RULE, "--out", tmp_path / "out")
    assert run.returncode == 2, run.stdout  # one release cannot be installed
    assert "Not certified (see above): 1.3\n" in run.stdout
    history = json.loads((tmp_path / "out" / "history.json").read_text())
    assert [it["version"] for it in history["versions"]] == ["1.0", "1.1", "1.2", "1.4"]
    passes = history["passes"][RULE]
    assert passes[0] == passes[1] == passes[3] != passes[2]
    assert passes[2].startswith("0/")
    assert f"    {VECTOR}: PASS → FAIL (wrongly-refused)\n" in run.stdout
    assert f"    {VECTOR}: FAIL (wrongly-refused) → PASS\n" in run.stdout
    assert f"| {RULE} | {' | '.join(passes)} |\n" in (tmp_path / "out" / "history.md").read_text()
    again = ifcert(toy, "history", "./toy", "1.0..1.4", "--rule", RULE, "--out", tmp_path / "out")
    assert again.stdout.count("Nothing to resume") == 4


def test_bisect_finds_the_release_that_changed_a_verdict(toy: Path, tmp_path: Path) -> None:
    run = ifcert(toy, "bisect", VECTOR, "./toy", "1.0..1.2", "--out", tmp_path / "out")
    assert run.returncode == 0, run.stderr
    assert run.stdout.endswith(
        f"\n{VECTOR}\n  ./toy 1.1: PASS\n  ./toy 1.2: FAIL (wrongly-refused)\n"
        "    the model was refused, expected it to load\n    runtime: a regression\n"
    ), run.stdout


def test_bisect_says_when_there_is_nothing_to_find(toy: Path, tmp_path: Path) -> None:
    run = ifcert(toy, "bisect", VECTOR, "./toy", "1.0..1.4", "--out", tmp_path / "out")
    assert run.returncode == 1
    assert "is PASS in 1.0 and in 1.4: nothing to bisect\n" in run.stdout


@pytest.mark.parametrize("range_", ["1.0", "1.4..1.0", "a..b", "7..8"])
def test_a_wrong_range_is_refused(toy: Path, range_: str, tmp_path: Path) -> None:
    run = ifcert(toy, "history", "./toy", range_, "--out", tmp_path / "out")
    ours = [line for line in run.stderr.splitlines() if not line.startswith("WARNING: pip index")]
    assert (run.returncode, len(ours)) == (2, 1)
    assert not (tmp_path / "out").exists()
