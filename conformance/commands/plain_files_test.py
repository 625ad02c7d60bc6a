"""Files that are pipes, repeat a key, or cannot be temporary: each command says so at once, in one line."""

import json
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
IFCERT = Path(os.environ.get("IFCERT_BIN", ROOT / "build" / "release" / "bin")) / "ifcert"
VECTOR = "onnx/if/then-when-true/test-cc-if"
MODEL = ROOT / "vectors" / "onnx" / "generated" / "if" / "then-when-true" / "test-cc-if.onnx"
CERTIFY = ["certify", "reference", "--vector", VECTOR]


def ifcert(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [str(IFCERT), *map(str, arguments)]
    return subprocess.run(
        command, env=os.environ | environment, capture_output=True, text=True, timeout=120, check=False
    )


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """The folder of a certification."""
    assert ifcert(*CERTIFY, "--out", tmp_path / "results").returncode == 0
    return tmp_path / "results"


def adapter_in(folder: Path) -> Path:
    """An adapter that would start the reference."""
    folder.mkdir()
    manifest = {"name": folder.name, "systems": ["onnx"], "version": "1", "home": "https://example.org"}
    command = [str(IFCERT.parent / "ifcert-reference-adapter")]
    (folder / "adapter.json").write_text(json.dumps(manifest | {"install": None, "command": command}))
    (folder / "known_failures.json").write_text(json.dumps({"adapter": folder.name, "failures": []}))
    return folder


def piped(path: Path) -> Path:
    """A pipe that nobody writes to, in place of a file."""
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    return path


def expect_refusal(run: subprocess.CompletedProcess[str], path: Path, why: str) -> None:
    """Exit code 2 and one line that names the file and what is wrong with it."""
    assert (run.returncode, run.stderr.count("\n")) == (2, 1), run.stdout + run.stderr
    assert str(path) in run.stderr, run.stderr
    assert why in run.stderr, run.stderr


NO_PLAIN_FILE = "a pipe, not a plain file"


@pytest.mark.parametrize(
    ("command", "file"),
    [
        ("verify", "certificate.json"),
        ("verify", "results.jsonl"),
        ("diff", "certificate.json"),
        ("diff", "results.jsonl"),
        ("merge", "results.jsonl"),
        ("resume", "results.jsonl.part"),
    ],
)
def test_a_pipe_in_place_of_a_result_is_refused(command: str, file: str, results: Path, tmp_path: Path) -> None:
    pipe = piped(results / file)
    words: dict[str, list[object]] = {
        "verify": ["verify", results / "certificate.json"],
        "diff": ["diff", pipe, pipe],
        "merge": ["merge", results, "--out", tmp_path / "merged"],
        "resume": [*CERTIFY, "--resume", "--out", results],
    }
    expect_refusal(ifcert(*words[command]), pipe, NO_PLAIN_FILE)


def test_a_pipe_in_place_of_a_key_or_a_signature_is_refused(results: Path, tmp_path: Path) -> None:
    pipe = piped(tmp_path / "pipe")
    certificate = results / "certificate.json"
    expect_refusal(ifcert(*CERTIFY, "--sign", pipe, "--out", tmp_path / "out"), pipe, NO_PLAIN_FILE)
    expect_refusal(ifcert("verify", certificate, "--key", pipe, "--signature", certificate), pipe, NO_PLAIN_FILE)
    expect_refusal(ifcert("verify", certificate, "--key", certificate, "--signature", pipe), pipe, NO_PLAIN_FILE)


@pytest.mark.parametrize("file", ["adapter.json", "known_failures.json"])
def test_a_pipe_in_place_of_an_adapters_file_is_refused(file: str, tmp_path: Path) -> None:
    adapter = adapter_in(tmp_path / "mine")
    pipe = piped(adapter / file)
    expect_refusal(ifcert("certify", adapter, "--vector", VECTOR, "--out", tmp_path / "out"), pipe, NO_PLAIN_FILE)


@pytest.mark.parametrize("command", ["check", "show", "run", "convert", "shrink"])
def test_a_pipe_in_place_of_a_model_is_refused(command: str, tmp_path: Path) -> None:
    pipe = piped(tmp_path / "model.onnx")
    more: dict[str, list[object]] = {
        "convert": [tmp_path / "out.xml"],
        "shrink": ["--adapter", "reference", "--out", tmp_path / "out"],
    }
    run = ifcert(command, pipe, *more.get(command, []))
    assert run.returncode == 2, run.stdout + run.stderr
    assert str(pipe) in run.stderr


def test_a_pipe_in_place_of_a_finding_is_refused(tmp_path: Path) -> None:
    finding = piped(tmp_path / "finding.json")
    (tmp_path / "vector.json").write_text("{}")
    run = ifcert("shrink", tmp_path, "--adapter", "reference", "--out", tmp_path / "out")
    assert run.returncode == 2, run.stdout + run.stderr
    assert finding.exists()


def twice(text: str, key: str, value: object) -> str:
    """A JSON object that begins with one more member of this name."""
    return f"{{{json.dumps(key)}:{json.dumps(value)},{text.lstrip()[1:]}"


def test_a_repeated_key_is_refused_in_every_file_of_a_user(results: Path, tmp_path: Path) -> None:
    adapter = adapter_in(tmp_path / "mine")
    manifest = adapter / "adapter.json"
    text = manifest.read_text()
    manifest.write_text(twice(text, "version", "0"))
    certify = ["certify", adapter, "--vector", VECTOR, "--out", tmp_path / "out"]
    expect_refusal(ifcert(*certify), manifest, "repeats the key 'version'")
    manifest.write_text(text)
    listed = adapter / "known_failures.json"
    entry = '{"vector":"onnx/if/a/b","vector":"onnx/if/a/c","verdict":"FAIL","link":"https://x.org","note":"n"}'
    listed.write_text(f'{{"adapter":"mine","failures":[{entry}]}}')
    expect_refusal(ifcert(*certify), listed, "repeats the key 'vector' in failures[0]")
    certificate = results / "certificate.json"
    certificate.write_text(twice(certificate.read_text(), "certificate", 1))
    verified = ifcert("verify", certificate)
    assert (verified.returncode, "the certificate repeats the key 'certificate'" in verified.stdout) == (1, True)
    expect_refusal(ifcert("diff", certificate, certificate), certificate, "repeats the key 'certificate'")


@pytest.mark.parametrize("variable", ["TMPDIR", "TMP"])
@pytest.mark.parametrize("command", ["certify", "fuzz", "shrink", "smoke"])
def test_a_temporary_folder_that_is_missing_is_named(command: str, variable: str, tmp_path: Path) -> None:
    words: dict[str, list[object]] = {
        "certify": [*CERTIFY, "--out", tmp_path / "out"],
        "fuzz": ["fuzz", "reference", "--count", "1", "--out", tmp_path / "out"],
        "shrink": ["shrink", MODEL, "--adapter", "reference", "--out", tmp_path / "out"],
        "smoke": ["adapter", "smoke", "reference"],
    }
    missing = tmp_path / "missing"
    without = {name: value for name, value in os.environ.items() if name not in ("TMPDIR", "TMP", "TEMP", "TEMPDIR")}
    command_line = [str(IFCERT), *map(str, words[command])]
    run = subprocess.run(
        command_line, env=without | {variable: str(missing)}, capture_output=True, text=True, timeout=120, check=False
    )
    assert run.returncode == 2
    assert run.stderr == f"ifcert: {variable} names {missing} for temporary files: No such file or directory\n"
