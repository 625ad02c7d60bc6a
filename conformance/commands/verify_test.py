"""ifcert verify: a certificate matches its results and the vectors, byte by byte, and who signed it."""

import json
import os
import random
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
IFCERT = Path(os.environ.get("IFCERT_BIN", ROOT / "build" / "release" / "bin")) / "ifcert"
RULE = "onnx/if/cond-is-bool"


def ifcert(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [IFCERT, *map(str, words)], capture_output=True, text=True, timeout=300, check=False, errors="replace"
    )


def openssl(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["openssl", *map(str, words)], capture_output=True, text=True, timeout=60, check=False)


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two pairs of keys."""
    folder = tmp_path_factory.mktemp("keys")
    for name in ("ours", "theirs"):
        assert openssl("genpkey", "-algorithm", "ed25519", "-out", folder / f"{name}.pem").returncode == 0
        public = openssl("pkey", "-in", folder / f"{name}.pem", "-pubout", "-out", folder / f"{name}.pub")
        assert public.returncode == 0
    return folder


@pytest.fixture(scope="module")
def certified(keys: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a signed certification of two adapters."""
    out = tmp_path_factory.mktemp("certified") / "results"
    adapters = ["reference", "onnx-checker"]
    run = ifcert("certify", *adapters, "--rule", RULE, "--out", out, "--sign", keys / "ours.pem")
    assert run.returncode == 0, run.stderr
    return out


def test_a_certificate_is_what_its_results_give(certified: Path) -> None:
    run = ifcert("verify", certified / "certificate.json")
    assert (run.returncode, run.stderr) == (0, "")
    certificate = json.loads((certified / "certificate.json").read_text())
    reference, checker = certificate["adapters"]
    assert reference["levels"]["onnx"]["computes"]["reached"]
    assert "files" not in reference
    assert len(checker["files"]) == 64  # the digest of its environment
    assert set(reference["rules"]) == {RULE}


def test_an_edited_byte_is_found(certified: Path, tmp_path: Path) -> None:
    right = (certified / "certificate.json").read_bytes()
    edited = tmp_path / "certificate.json"
    chosen = random.Random(1)
    for _ in range(20):
        at = chosen.randrange(len(right))
        edited.write_bytes(right[:at] + bytes([right[at] ^ chosen.randrange(1, 256)]) + right[at + 1 :])
        run = ifcert("verify", edited, "--results", certified / "results.jsonl")
        assert run.returncode == 1, (at, run.stdout)
        assert "does not match" in run.stdout


def test_the_first_difference_is_named(certified: Path, tmp_path: Path) -> None:
    edited = tmp_path / "certificate.json"
    edited.write_text((certified / "certificate.json").read_text().replace('"reached":false', '"reached":true'))
    run = ifcert("verify", edited, "--results", certified / "results.jsonl")
    assert run.returncode == 1
    assert "/reached: the certificate has true; the results have false\n" in run.stdout


def test_edited_results_are_refused(certified: Path, tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"
    results.write_text((certified / "results.jsonl").read_text().replace('"PASS"', '"FAIL"', 1))
    run = ifcert("verify", certified / "certificate.json", "--results", results)
    assert run.returncode == 2
    assert "was changed" in run.stderr


def test_the_signature_is_the_keys_and_openssls_command_agrees(certified: Path, keys: Path, tmp_path: Path) -> None:
    certificate, signature = certified / "certificate.json", certified / "certificate.json.sig"
    assert ifcert("verify", certificate, "--key", keys / "ours.pub").returncode == 0
    agrees = openssl(
        "pkeyutl", "-verify", "-pubin", "-inkey", keys / "ours.pub", "-rawin", "-in", certificate, "-sigfile", signature
    )
    assert agrees.returncode == 0, agrees.stderr
    other = ifcert("verify", certificate, "--key", keys / "theirs.pub")
    assert other.returncode == 1
    assert "not of this certificate, or not by the key" in other.stdout
    damaged = tmp_path / "damaged.sig"
    damaged.write_bytes(signature.read_bytes()[:-1])
    run = ifcert("verify", certificate, "--key", keys / "ours.pub", "--signature", damaged)
    assert run.returncode == 1


def test_what_is_not_an_ed25519_key_is_refused_before_anything_runs(keys: Path, tmp_path: Path) -> None:
    openssl("genpkey", "-algorithm", "rsa", "-out", tmp_path / "rsa.pem")
    (tmp_path / "empty").touch()
    for key in (tmp_path / "rsa.pem", keys / "ours.pub", tmp_path / "empty"):
        run = ifcert("certify", "reference", "--rule", RULE, "--out", tmp_path / "out", "--sign", key)
        assert (run.returncode, run.stdout) == (2, "")
        assert "is not a private Ed25519 key" in run.stderr
    assert not (tmp_path / "out").exists()


def test_an_unsigned_run_leaves_no_old_signature(keys: Path, tmp_path: Path) -> None:
    words = ["certify", "reference", "--rule", RULE, "--out", tmp_path / "out"]
    assert ifcert(*words, "--sign", keys / "ours.pem").returncode == 0
    assert (tmp_path / "out" / "certificate.json.sig").exists()
    assert ifcert(*words).returncode == 0
    assert not (tmp_path / "out" / "certificate.json.sig").exists()


def test_the_badge_shows_what_holds_and_only_of_a_right_certificate(certified: Path, tmp_path: Path) -> None:
    words = ["verify", certified / "certificate.json", "--badge", tmp_path / "if.svg"]
    assert "2 adapters; --adapter must name one for the badge" in ifcert(*words).stderr
    assert ifcert(*words, "--adapter", "reference").returncode == 0
    assert "If · 1 of 1 rules" in (tmp_path / "if.svg").read_text()
    edited = tmp_path / "certificate.json"
    edited.write_text((certified / "certificate.json").read_text() + "\n")
    run = ifcert("verify", edited, "--results", certified / "results.jsonl", "--badge", tmp_path / "wrong.svg")
    assert run.returncode == 1
    assert not (tmp_path / "wrong.svg").exists()
