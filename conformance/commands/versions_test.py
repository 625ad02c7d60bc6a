"""NAME@VERSION, ifcert history and ifcert bisect: other versions of a runtime than the pinned one."""

import json
import os
import subprocess
import zipfile
from pathlib import Path

import pytest
from ray_nodes import cluster_of_one, needs_ray
from regressing_adapter import regressing_adapter

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(os.environ.get("IFCERT_BIN", ROOT / "build" / "release" / "bin"))
RULE = "onnx/if/then-when-true"
VECTOR = f"{RULE}/test-cc-if"

# The reference, wrapped in a package that refuses every model in version 1.2, and can be installed as 1.3 nowhere.
ADAPTER = regressing_adapter("""
try:
    from toyengine import VERSION as version
except ImportError:
    version = open(sys.argv[2] + "/node_modules/toyengine").read().strip()
name = sys.argv[3] if len(sys.argv) > 3 else "toy"
broken = version.startswith("1.2")
""")


# Three clients that know versions of toyengine, and fetch nothing.
CLIENTS = {
    "node": "echo v20.1.0",
    "npm": """
[ "$*" = "view toyengine versions --json" ] && echo '["1.0.0", "1.1.0", "1.2.0-rc", "1.2.0", "1.4.0"]' && exit
version=$(sed -n 's/.*"toyengine": "\\([^"]*\\)".*/\\1/p' "$3/package.json")
case $version in
  1.[0124].0) mkdir "$3/node_modules"; echo "$version" > "$3/node_modules/toyengine";;
  *) echo "npm error notarget No matching version found for toyengine@$version." >&2; exit 1;;
esac
""",
}


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


@pytest.fixture(scope="module")
def toy_js(toy: Path) -> Path:
    """The same folder, with the adapter `toy-js`, whose runtime npm installs."""
    for name, script in CLIENTS.items():
        client = toy / "clients" / name
        client.parent.mkdir(exist_ok=True)
        client.write_text(f"#!/bin/sh\n{script}\n")
        client.chmod(0o755)
    files = {
        "adapter.py": ADAPTER,
        "package.json": json.dumps({"dependencies": {"toyengine": "1.4.0"}}),
        "package-lock.json": "{}",
        "adapter.json": json.dumps(
            {
                "name": "toy-js",
                "systems": ["onnx"],
                "version": "1.4.0",
                "home": "https://example.org",
                "install": {"environment": "toy-js", "npm": "{adapter}"},
                "command": [
                    "python3",
                    "{adapter}/adapter.py",
                    str(BIN / "ifcert-reference-adapter"),
                    "{environment}",
                    "toy-js",
                ],
                "reads": [str(BIN)],
            }
        ),
    }
    (toy / "toy-js").mkdir()
    for name, text in files.items():
        (toy / "toy-js" / name).write_text(text)
    return toy


def ifcert(toy: Path, *words: object) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(toy / "wheels"),
        "IFCERT_ADAPTERS": str(toy / "environments"),
        "PATH": f"{toy / 'clients'}:{os.environ['PATH']}",
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


def test_a_version_that_pip_does_not_find_is_refused_in_one_sentence(toy: Path) -> None:
    run = ifcert(toy, "adapter", "install", "./toy@9.9")
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr == "ifcert: cannot install the adapter toy@9.9: pip finds no version 9.9 of toyengine\n"


def test_another_version_by_npm_is_an_adapter_of_its_own(toy_js: Path, tmp_path: Path) -> None:
    assert ifcert(toy_js, "adapter", "install", "./toy-js@1.1.0").returncode == 0
    run = ifcert(toy_js, "certify", "./toy-js@1.1.0", "./toy-js", "--rule", RULE, "--out", tmp_path / "out")
    assert run.returncode == 0, run.stdout + run.stderr
    found = [(it["name"], it["version"]) for it in header_of(tmp_path / "out")["adapters"]]
    assert found == [("toy-js@1.1.0", "1.1.0"), ("toy-js", "1.4.0")]


def test_the_list_of_known_failures_is_of_the_pinned_version(toy_js: Path, tmp_path: Path) -> None:
    """1.2.0 fails as the list says, but the list is not its own."""
    entry = {"vector": VECTOR, "verdict": "FAIL", "fault": "wrongly-refused", "link": "https://x.org", "note": "n"}
    listed = toy_js / "toy-js" / "known_failures.json"
    listed.write_text(json.dumps({"adapter": "toy-js", "failures": [entry]}))
    run = ifcert(toy_js, "certify", "./toy-js@1.2.0", "--vector", VECTOR, "--out", tmp_path / "out")
    listed.unlink()
    assert run.returncode == 1, run.stdout + run.stderr
    assert "not listed" in run.stdout


def test_a_version_that_npm_does_not_find_is_refused_in_one_sentence(toy_js: Path, tmp_path: Path) -> None:
    run = ifcert(toy_js, "certify", "./toy-js@9.9.9", "--out", tmp_path / "out")
    assert run.returncode == 2
    assert run.stderr == "ifcert: cannot install the adapter toy-js@9.9.9: npm finds no version 9.9.9 of toyengine\n"


def test_bisect_goes_through_the_versions_that_npm_lists(toy_js: Path, tmp_path: Path) -> None:
    run = ifcert(toy_js, "bisect", VECTOR, "./toy-js", "1.0..1.2", "--out", tmp_path / "out")
    assert run.returncode == 0, run.stderr
    assert f"\n{VECTOR}\n  ./toy-js 1.1.0: PASS\n  ./toy-js 1.2.0: NOT-IF (wrongly-refused)\n" in run.stdout


@pytest.mark.parametrize("adapter", ["onnxruntime-java", "rten"])
def test_history_says_where_no_client_lists_the_versions(toy: Path, adapter: str, tmp_path: Path) -> None:
    run = ifcert(toy, "history", adapter, "0.1..9.9", "--out", tmp_path / "out")
    assert run.returncode == 2
    assert "has no command that lists the released versions of a package" in run.stderr


def test_history_shows_what_each_release_broke_and_fixed(toy: Path, tmp_path: Path) -> None:
    run = ifcert(toy, "history", "./toy", "1.0..1.4", "--rule", RULE, "--out", tmp_path / "out")
    assert run.returncode == 2, run.stdout  # one release cannot be installed
    assert "Not certified (see above): 1.3\n" in run.stdout
    history = json.loads((tmp_path / "out" / "history.json").read_text())
    assert [it["version"] for it in history["versions"]] == ["1.0", "1.1", "1.2", "1.4"]
    passes = history["passes"][RULE]
    assert passes[0] == passes[1] == passes[3] != passes[2]
    assert passes[2].startswith("0/")
    assert f"    {VECTOR}: PASS → NOT-IF (wrongly-refused)\n" in run.stdout
    assert f"    {VECTOR}: NOT-IF (wrongly-refused) → PASS\n" in run.stdout
    assert f"| {RULE} | {' | '.join(passes)} |\n" in (tmp_path / "out" / "history.md").read_text()
    again = ifcert(toy, "history", "./toy", "1.0..1.4", "--rule", RULE, "--out", tmp_path / "out")
    assert again.stdout.count("Nothing to resume") == 4


def expect_the_history_of_one_process(toy: Path, folder: Path, on: str) -> None:
    """Three releases: one passes, one fails, one cannot be installed."""
    words = ("history", "./toy", "1.1..1.3", "--rule", RULE)
    here, there = folder / "here", folder / "there"
    assert ifcert(toy, *words, "--out", here).returncode == 2
    run = ifcert(toy, *words, "--on", on, "--out", there)
    assert run.returncode == 2, run.stdout + run.stderr
    assert "Not certified: ./toy@1.3: " in run.stdout
    assert "cannot install the adapter toy@1.3" in run.stdout
    for name in ("history.json", "history.md"):
        assert (there / name).read_text() == (here / name).read_text()
    ledger = [json.loads(line) for line in (there / "cluster" / "ledger.jsonl").read_text().splitlines()]
    assert {line["shard"] for line in ledger if "digest" in line} == {"./toy@1.1", "./toy@1.2"}
    again = ifcert(toy, *words, "--on", on, "--out", there)
    assert again.returncode == 2, again.stdout + again.stderr
    assert (there / "history.json").read_text() == (here / "history.json").read_text()


def test_history_in_shards_on_this_machine_is_that_of_one_process(toy: Path, tmp_path: Path) -> None:
    expect_the_history_of_one_process(toy, tmp_path, "local=2")


@needs_ray
def test_history_on_ray_is_that_of_one_process(toy: Path, tmp_path: Path) -> None:
    with cluster_of_one(tmp_path) as address:
        expect_the_history_of_one_process(toy, tmp_path, f"ray={address}")


def test_bisect_finds_the_release_that_changed_a_verdict(toy: Path, tmp_path: Path) -> None:
    run = ifcert(toy, "bisect", VECTOR, "./toy", "1.0..1.2", "--out", tmp_path / "out")
    assert run.returncode == 0, run.stderr
    assert run.stdout.endswith(
        f"\n{VECTOR}\n  ./toy 1.1: PASS\n  ./toy 1.2: NOT-IF (wrongly-refused)\n"
        "    the model was refused; it should have loaded\n    runtime: a regression\n"
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
