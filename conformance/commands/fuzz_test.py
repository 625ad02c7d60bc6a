"""ifcert fuzz and ifcert shrink find what a lying adapter does wrong, and leave little around it."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import onnx
import pytest

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(os.environ.get("IFCERT_BIN", ROOT / "build" / "release" / "bin"))
IFCERT = BIN / "ifcert"
ONNXRUNTIME = ROOT / ".adapters" / "onnxruntime" / "bin" / "python"

# The reference, wrapped in a liar: an If in a branch of an If runs the wrong branch; a model with a Scan kills the
# process; one with a Transpose is refused; one with an Expand hangs; the seventh model is too much for a process; every
# model is accepted, and computes nothing; an illegal model kills the process; some names are refused.
ADAPTER = """
import json, os, subprocess, sys, time

lies = sys.argv[3].split(",")
reads_models = not {"accept", "die"} & set(lies)
if reads_models:  # it takes half a second
    import onnx

OUTPUTS = {"load": {"outputs": []}, "run": []}

def graphs_of(node):
    return [attribute.g for attribute in node.attribute if attribute.type == onnx.AttributeProto.GRAPH]

def all_nodes(graph):
    for node in graph.node:
        yield node
        for inner in graphs_of(node):
            yield from all_nodes(inner)

def lie(graph, in_if):
    changed = False
    for node in graph.node:
        if node.op_type == "If" and in_if:
            for attribute in node.attribute:
                attribute.name = "else_branch" if attribute.name == "then_branch" else "then_branch"
            changed = True
        for inner in graphs_of(node):
            changed = lie(inner, in_if or node.op_type == "If") or changed
    return changed

def changed_model(path):
    try:
        model = onnx.load(path)
    except Exception:
        return path, set()
    operators = {node.op_type for node in all_nodes(model.graph)}
    if lie(model.graph, False):
        path = os.path.join(os.environ["TMPDIR"], "lie.onnx")
        onnx.save(model, path)
    return path, operators

honest = subprocess.Popen([sys.argv[2]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
refuses, loads = False, 0
for line in sys.stdin:
    request = json.loads(line)
    command = request["cmd"]
    if command == "load":
        path, operators = changed_model(request["model"]) if reads_models else (request["model"], set())
        loads += 1
        if loads == 7 and "tire" in lies:
            os.abort()
        refuses = "Transpose" in operators and "refuse" in lies
        if "names" in lies:
            with open(request["model"], "rb") as model:
                content = model.read()
            refuses = any(name in content for name in (b"x" * 270, b"/a:0.b-c d/", b"unused_", b"pytorch"))
        if "Scan" in operators and "crash" in lies:
            print("the node", request["id"], "of 7 is out of order", file=sys.stderr, flush=True)
            os.abort()
        if "Expand" in operators and "hang" in lies:
            time.sleep(60)
        if "swap" in lies:
            request["model"] = path
    if command == "load" and refuses:
        answer = {"id": request["id"], "refused": {"message": "node If_3: node Loop: Transpose is too much for us"}}
    elif command in ("run", "reread") and refuses:
        answer = {"id": request["id"], "skipped": {}}
    else:
        honest.stdin.write(json.dumps(request) + "\\n")
        if command == "bye":
            break
        answer = json.loads(honest.stdout.readline())
        if "refused" in answer and "die" in lies:
            os.abort()
        if "accept" in lies and command in ("load", "run"):
            answer = {"id": request["id"], "loaded" if command == "load" else "outputs": OUTPUTS[command]}
        if "hello" in answer:
            answer["hello"]["adapter"] = sys.argv[1]
            answer["hello"]["formats"] = ["onnx"]
    print(json.dumps(answer), flush=True)
"""


def make_adapter(folder: Path, name: str, lies: str) -> Path:
    """An adapter that tells these lies."""
    made = folder / name
    made.mkdir()
    (made / "adapter.py").write_text(ADAPTER)
    version = json.loads((ROOT / "conformance/adapters/reference/adapter.json").read_text())["version"]
    command = [sys.executable, "{adapter}/adapter.py", name, str(BIN / "ifcert-reference-adapter"), lies]
    manifest = {"name": name, "systems": ["onnx"], "version": version, "home": "https://example.org", "install": None}
    reads = [str(ROOT / ".venv"), str(BIN), str(Path(onnx.__file__).parents[1])]
    (made / "adapter.json").write_text(json.dumps(manifest | {"command": command, "reads": reads}))
    return made


def fuzz(adapter: Path | str, out: Path, *more: object) -> subprocess.CompletedProcess[str]:
    arguments = [IFCERT, "fuzz", adapter, "--out", out, *map(str, more)]
    return subprocess.run(arguments, capture_output=True, text=True, timeout=500, check=False)


def findings(out: Path) -> list[dict]:
    return [json.loads(line) for line in (out / "findings.jsonl").read_text().splitlines()]


def told(out: Path) -> list[tuple]:
    """The parts of the findings that depend neither on time nor on luck."""
    return [(line["verdict"], line["cause"], line["form"], line["seeds"], line["failures"]) for line in findings(out)]


@pytest.fixture(scope="module")
def swapping(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """An adapter that swaps nested branches, and the folder of a campaign that found it."""
    folder = tmp_path_factory.mktemp("swapping")
    adapter = make_adapter(folder, "swapping", "swap")
    run = fuzz(adapter, folder / "out", "--seed", 80, "--count", 40, "--jobs", 2)
    assert run.returncode == 1, run.stdout + run.stderr
    return adapter, folder / "out"


def test_the_reference_has_no_findings(tmp_path: Path) -> None:
    run = subprocess.run(
        [IFCERT, "fuzz", "reference", "--count", "60", "--relations", "--out", tmp_path],
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert (run.returncode, (tmp_path / "findings.jsonl").read_text()) == (0, ""), run.stdout
    assert "60 seeds" in run.stdout


def test_swapped_branches_are_found_and_little_else_is_left(swapping: tuple[Path, Path]) -> None:
    found = findings(swapping[1])
    assert found
    assert {line["verdict"].split()[0] for line in found} == {"FAIL"}
    assert all("If{" in line["form"].partition("If{")[2] for line in found)
    assert min(line["nodes"] for line in found) <= 5
    assert all(line["smallest"] for line in found)


def test_a_finding_has_all_that_shows_it(swapping: tuple[Path, Path]) -> None:
    _, out = swapping
    for line in findings(out):
        folder = out / line["folder"]
        names = {file.name for file in folder.iterdir()}
        assert names >= {"model.onnx", "model.txt", "model.svg", "model.html", "vector.json", "finding.json"}
        assert onnx.load(folder / "model.onnx").graph.node
        assert "If(" in (folder / "model.txt").read_text()
        assert (folder / "original" / "model.onnx").stat().st_size > (folder / "model.onnx").stat().st_size
        steps = json.loads((folder / "vector.json").read_text())["steps"]
        assert [next(iter(step)) for step in steps] == ["load"] + ["run"] * (len(steps) - 1)


@pytest.mark.skipif(not ONNXRUNTIME.exists(), reason="onnxruntime is not installed: ifcert adapter install onnxruntime")
def test_a_findings_script_shows_the_defect_by_the_plain_api_alone(tmp_path: Path) -> None:
    """docs/deviations/onnxruntime.md#onnxruntime-loop-trip-number."""
    run = fuzz("onnxruntime", tmp_path, "--seed", 107, "--count", 1, "--examples", 1, "--shrink-seconds", 5)
    assert run.returncode == 1, run.stdout + run.stderr
    [line] = findings(tmp_path)
    script = tmp_path / line["folder"] / "show.py"
    empty = tmp_path / "empty"
    empty.mkdir()
    shown = subprocess.run(
        [ONNXRUNTIME, "-I", script], cwd=empty, env={}, capture_output=True, text=True, timeout=60, check=False
    )
    assert shown.returncode == 1, shown.stdout + shown.stderr
    assert "Fail: [ONNXRuntimeError]" in shown.stderr and "while running Loop node" in shown.stderr
    assert not list(empty.iterdir())


def test_the_page_has_the_constructs_that_the_generator_makes() -> None:
    generator = BIN / "generator_report"
    if not generator.exists():
        pytest.skip("generator_report is not built: cmake --build --preset release")
    run = subprocess.run([generator, "mix", "0", "5000"], capture_output=True, text=True, timeout=200, check=True)
    assert run.stdout in (ROOT / "docs" / "fuzzing.md").read_text()


def test_shrink_makes_the_generated_model_as_small(swapping: tuple[Path, Path], tmp_path: Path) -> None:
    adapter, out = swapping
    line = min(findings(out), key=lambda found: found["nodes"])
    finding = out / line["folder"]
    for given in [finding, finding / "finding.json"]:
        arguments = [IFCERT, "shrink", given, "--adapter", adapter, "--out", tmp_path / "small"]
        run = subprocess.run(arguments, capture_output=True, text=True, timeout=300, check=False)
        assert run.returncode == 1, run.stderr
        assert json.loads((tmp_path / "small" / "finding.json").read_text())["nodes"] <= line["nodes"]


def test_shrink_leaves_a_model_alone_that_passes(swapping: tuple[Path, Path], tmp_path: Path) -> None:
    model = ROOT / "vectors/onnx/generated/if/then-when-true/test-cc-if.onnx"
    run = subprocess.run(
        [IFCERT, "shrink", model, "--adapter", swapping[0], "--out", tmp_path / "small"],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (run.returncode, (tmp_path / "small").exists()) == (0, False), run.stderr
    assert "does not fail" in run.stdout


def test_shrink_replaces_nothing_but_findings(swapping: tuple[Path, Path], tmp_path: Path) -> None:
    adapter, out = swapping
    (tmp_path / "precious").write_text("mine")
    finding = out / findings(out)[0]["folder"]
    run = subprocess.run(
        [IFCERT, "shrink", finding, "--adapter", adapter, "--out", tmp_path],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert run.returncode == 2
    assert "is not replaced" in run.stderr
    assert (tmp_path / "precious").read_text() == "mine"


def broken_rules(model: Path) -> set[str]:
    """The rules that the model breaks, as ifcert check reports them."""
    run = subprocess.run([IFCERT, "check", "--format", "json", model], capture_output=True, text=True, check=False)
    (file,) = json.loads(run.stdout)["files"]
    return {found["rule"] for found in file["findings"] if found["level"] == "error"}


def shrink(model: Path, adapter: Path | str, out: Path) -> subprocess.CompletedProcess[str]:
    arguments = [IFCERT, "shrink", model, "--adapter", adapter, "--out", out]
    return subprocess.run(arguments, capture_output=True, text=True, timeout=300, check=False)


ILLEGAL = ROOT / "vectors/onnx/generated/if/output-count/cross-fault-if-has-more-place-uncalled.onnx"


@pytest.fixture(scope="module")
def accepting(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An adapter that accepts every model."""
    return make_adapter(tmp_path_factory.mktemp("accepting"), "accepting", "accept")


def test_an_illegal_model_that_is_accepted_becomes_small_and_breaks_the_same_rule(
    accepting: Path, tmp_path: Path
) -> None:
    run = shrink(ILLEGAL, accepting, tmp_path / "small")
    assert run.returncode == 1, run.stderr
    assert run.stdout.startswith("LENIENT: "), run.stdout
    found = json.loads((tmp_path / "small" / "finding.json").read_text())
    assert found["breaks"] == ["onnx/if/output-count"]
    assert found["nodes"] <= 4
    assert broken_rules(tmp_path / "small" / "model.onnx") == broken_rules(ILLEGAL) == {"onnx/if/output-count"}
    draft = json.loads((tmp_path / "small" / "vector.json").read_text())
    assert draft["axis"] == "diagnoses"
    assert all(next(iter(step.values()))["expect"] == {"refused": {}} for step in draft["steps"])


@pytest.mark.skipif(not ONNXRUNTIME.exists(), reason="onnxruntime is not installed: ifcert adapter install onnxruntime")
def test_a_leniency_of_onnxruntime_becomes_small(tmp_path: Path) -> None:
    """docs/deviations/onnxruntime.md#onnxruntime-never-called."""
    run = shrink(ILLEGAL, "onnxruntime", tmp_path / "small")
    assert (run.returncode, run.stdout.partition(":")[0]) == (1, "LENIENT"), run.stdout + run.stderr
    assert broken_rules(tmp_path / "small" / "model.onnx") == {"onnx/if/output-count"}
    assert json.loads((tmp_path / "small" / "finding.json").read_text())["nodes"] <= 4


def test_an_illegal_model_that_is_refused_is_left_alone(swapping: tuple[Path, Path], tmp_path: Path) -> None:
    run = shrink(ILLEGAL, swapping[0], tmp_path / "small")
    assert (run.returncode, (tmp_path / "small").exists()) == (0, False), run.stderr


def test_a_fault_that_is_lost_in_the_graph_form_is_said_to_be(accepting: Path, tmp_path: Path) -> None:
    shadowing = ROOT / "vectors/onnx/generated/if/no-shadowing/initializer-named-as-graph-input.onnx"
    run = shrink(shadowing, accepting, tmp_path / "small")
    assert run.returncode == 2
    assert "breaks onnx/if/no-shadowing, but no longer does once it is read and written again" in run.stderr


def test_illegal_models_that_kill_the_process_become_small(tmp_path: Path) -> None:
    """The graph form holds the fault of seed 18, but not that of seed 19, which a finding's seed makes again."""
    adapter = make_adapter(tmp_path, "dying", "die")
    run = fuzz(adapter, tmp_path / "out", "--seed", 18, "--count", 2, "--jobs", 2)
    assert run.returncode == 1, run.stdout + run.stderr
    found = {line["seed"]: line for line in findings(tmp_path / "out")}
    assert [found[seed]["kind"] for seed in (18, 19)] == ["fault type-of-a-later-opset", "fault made-later"]
    for line in found.values():
        folder = tmp_path / "out" / line["folder"]
        assert line["verdict"] == "CRASH (signal 6)"
        assert len(line["breaks"]) == 1
        for model in (folder / "model.onnx", folder / "original" / "model.onnx"):
            assert broken_rules(model) == set(line["breaks"])
        assert line["nodes"] <= 6, line["kind"]
        again = shrink(folder, adapter, tmp_path / "again")
        assert again.returncode == 1, again.stderr
        assert broken_rules(tmp_path / "again" / "model.onnx") == set(line["breaks"])


def test_findings_do_not_depend_on_jobs_or_on_interruptions(swapping: tuple[Path, Path], tmp_path: Path) -> None:
    adapter, out = swapping
    started = subprocess.Popen(
        [IFCERT, "fuzz", adapter, "--out", tmp_path, "--seed", "80", "--count", "40", "--jobs", "1"]
    )
    journal = tmp_path / "swapping" / "journal.jsonl"
    while not (journal.exists() and len(journal.read_text().splitlines()) > 10):
        time.sleep(0.02)
    started.send_signal(signal.SIGKILL)
    started.wait(timeout=30)
    with journal.open("a") as torn:
        torn.write('{"seed":77,"verd')
    run = fuzz(adapter, tmp_path, "--seed", 80, "--count", 40, "--jobs", 1, "--resume")
    assert run.returncode == 1, run.stderr
    assert told(tmp_path) == told(out)


def test_the_first_interrupt_keeps_what_was_done(swapping: tuple[Path, Path], tmp_path: Path) -> None:
    started = subprocess.Popen(
        [IFCERT, "fuzz", swapping[0], "--out", tmp_path, "--count", "100000"], stdout=subprocess.PIPE, text=True
    )
    journal = tmp_path / "swapping" / "journal.jsonl"
    while not (journal.exists() and len(journal.read_text().splitlines()) > 5):
        time.sleep(0.02)
    started.send_signal(signal.SIGINT)
    printed, _ = started.communicate(timeout=60)
    assert started.returncode == 2
    assert "--resume continues" in printed


def test_a_journal_of_other_settings_is_not_resumed(swapping: tuple[Path, Path]) -> None:
    run = fuzz(swapping[0], swapping[1], "--count", 40, "--resume", "--seed", 7)
    assert run.returncode == 2
    assert "belongs to a campaign with other settings" in run.stderr


def test_crashes_hangs_and_refusals_are_findings_of_their_own(tmp_path: Path) -> None:
    adapter = make_adapter(tmp_path, "brutal", "crash,hang,refuse")
    limits = ["--timeout", 1, "--shrink-seconds", 15, "--examples", 1]
    run = fuzz(adapter, tmp_path / "out", "--seed", 48, "--count", 16, "--jobs", 2, *limits)
    assert run.returncode == 1, run.stderr
    found = {line["verdict"]: line for line in findings(tmp_path / "out") if line["kind"] == "model"}
    assert set(found) == {"CRASH (signal 6)", "TIMEOUT", "FAIL (wrongly-refused)"}
    assert "Scan" in found["CRASH (signal 6)"]["form"]
    assert "out of order" in found["CRASH (signal 6)"]["cause"]
    assert "Transpose" in found["FAIL (wrongly-refused)"]["form"]
    assert "Expand" in found["TIMEOUT"]["form"]


def test_a_file_that_is_written_otherwise_is_a_relation(tmp_path: Path) -> None:
    adapter = make_adapter(tmp_path, "brief", "names")
    options = ["--relations", "--seed", 0, "--count", 16, "--jobs", 2, "--shrink-seconds", 15, "--examples", 1]
    run = fuzz(adapter, tmp_path / "out", *options)
    assert run.returncode == 1, run.stdout + run.stderr
    found = findings(tmp_path / "out")
    assert {line["kind"].partition(" rewritten ")[0] for line in found} == {"relation"}
    assert min(line["nodes"] for line in found) <= 2  # the smallest model is written otherwise, too


def test_what_does_not_fail_alone_is_unstable(tmp_path: Path) -> None:
    adapter = make_adapter(tmp_path, "tired", "tire")
    run = fuzz(adapter, tmp_path / "out", "--count", 16, "--jobs", 1)
    assert run.returncode == 1, run.stderr
    found = findings(tmp_path / "out")
    assert {line["verdict"] for line in found} == {"FAIL (unstable)"}
    assert found[0]["unstable"] == "in one process CRASH (signal 6); alone in a fresh one it passes"
