"""The GitHub action and the GitLab snippet of docs/ci.md: their steps, run as written, in a runtime's repository."""

import json
import os
import re
import subprocess
import textwrap
import zipfile
from pathlib import Path

import pytest
from regressing_adapter import regressing_adapter

ROOT = Path(__file__).resolve().parents[1]
BIN = Path(os.environ.get("IFCERT_BIN", ROOT / "build" / "release" / "bin"))
ACTION = (ROOT / "action.yml").read_text()
PAGE = (ROOT / "docs" / "ci.md").read_text()
RULE = "onnx/if/then-when-true"

# The reference, in a build that refuses every model while there is a file `regression`.
ADAPTER = regressing_adapter("""
name, version = "my-runtime", "1.0"
broken = (pathlib.Path(__file__).parent / "regression").exists()
""")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """The repository of a runtime, with its adapter in ci/ifcert, and the wheel of ifcert beside it."""
    adapter = tmp_path / "repository" / "ci" / "ifcert"
    adapter.mkdir(parents=True)
    (adapter / "adapter.py").write_text(ADAPTER)
    (adapter / "adapter.json").write_text(
        json.dumps(
            {
                "name": "my-runtime",
                "systems": ["onnx"],
                "version": "1.0",
                "home": "https://example.org",
                "install": None,
                "command": ["python3", "{adapter}/adapter.py", str(BIN / "ifcert-reference-adapter")],
                "reads": [str(BIN)],
            }
        )
    )
    (tmp_path / "repository" / "Makefile").write_text("all:\n")
    # A wheel whose command is the one that was built: what is tried is the steps, not the package.
    with zipfile.ZipFile(tmp_path / "ifcert-0-py3-none-any.whl", "w") as wheel:
        command = zipfile.ZipInfo("ifcert-0.data/scripts/ifcert")
        command.external_attr = 0o100755 << 16
        wheel.writestr(command, f'#!/bin/sh\nexec {BIN / "ifcert"} "$@"\n')
        wheel.writestr("ifcert-0.dist-info/METADATA", "Metadata-Version: 2.1\nName: ifcert\nVersion: 0\n")
        wheel.writestr("ifcert-0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr("ifcert-0.dist-info/RECORD", "")
    return tmp_path / "repository"


def steps_of_action() -> list[tuple[str, dict[str, str], str]]:
    """Of each step its name, its variables with the inputs that they are of, and its script."""
    steps = []
    for step in re.split(r"^    - name: ", ACTION, flags=re.MULTILINE)[1:]:
        variables = dict(re.findall(r"^        (\w+): \$\{\{ inputs\.(\w+) \}\}$", step, re.MULTILINE))
        script = textwrap.dedent(step.partition("      run: |\n")[2])
        assert "${{" not in script  # an input that is text of the script would be run
        steps.append((step.splitlines()[0], variables, script))
    return steps


class Job:
    """Runs the action's steps in a repository, as GitHub does."""

    def __init__(self, repository: Path, **inputs: str) -> None:
        self.repository = repository
        self.files = repository.parent / "runner"
        self.files.mkdir(exist_ok=True)
        declared = ACTION.partition("inputs:\n")[2].partition("outputs:\n")[0]
        names = re.findall(r"^  (\w+):$", declared, re.MULTILINE)
        defaults = dict.fromkeys(names, "")
        defaults |= dict(re.findall(r"^  (\w+):\n    description: .*\n    default: (\S+)$", declared, re.MULTILINE))
        defaults |= {name: "" for name, value in defaults.items() if value == '""'}
        assert set(inputs) <= set(names)
        self.inputs = defaults | inputs
        self.said = ""

    def run(self) -> str | None:
        """The name of the step that failed; None where the job is green."""
        for name in ("path", "summary"):
            (self.files / name).write_text("")
        for name, variables, script in steps_of_action():
            added = [line for line in (self.files / "path").read_text().splitlines() if line]
            environment = os.environ | {variable: self.inputs[of] for variable, of in variables.items()}
            environment |= {
                "PATH": ":".join([*reversed(added), os.environ["PATH"]]),
                "RUNNER_TEMP": str(self.files),
                "GITHUB_PATH": str(self.files / "path"),
                "GITHUB_STEP_SUMMARY": str(self.files / "summary"),
                "GITHUB_ACTION_PATH": "/nowhere",
            }
            (self.files / "step.sh").write_text(script)
            run = subprocess.run(
                ["bash", "--noprofile", "--norc", "-eo", "pipefail", self.files / "step.sh"],
                cwd=self.repository,
                env=environment,
                capture_output=True,
                text=True,
                timeout=300,
                check=False,
            )
            self.said += run.stdout + run.stderr
            if run.returncode != 0:
                return name
        return None

    @property
    def summary(self) -> str:
        return (self.files / "summary").read_text()


def test_the_action_is_green_until_the_runtime_does_worse_than_its_certificate(repository: Path) -> None:
    adapter = repository / "ci" / "ifcert"
    job = Job(
        repository,
        adapter="./ci/ifcert",
        certificate="ci/ifcert/certificate.json",
        arguments=f"--rule {RULE}",
        wheel=str(repository.parent / "ifcert-0-py3-none-any.whl"),
    )
    assert job.run() is None, job.said
    assert "::notice::no certificate to compare with; commit ifcert-results/certificate.json" in job.said
    (repository / "ifcert-results" / "certificate.json").rename(adapter / "certificate.json")

    assert job.run() is None, job.said
    assert "## my-runtime 1.0\n\n1 as before (rules, each axis counted once)\n" in job.summary
    assert job.summary.index("## my-runtime 1.0") < job.summary.index(RULE), "the difference comes before the report"

    (adapter / "regression").touch()
    assert job.run() == "Compare with the last certificate"
    assert f"\n  broke {RULE}\n" in job.said
    assert f"| broke | `{RULE}` | `computes` | " in job.summary

    (adapter / "certificate.json").unlink()
    job.said = ""
    assert job.run() == "Certify"
    assert "known-failures init ifcert-results" in job.said
    assert "commit ifcert-results/certificate.json" in job.said


def test_the_action_is_red_where_the_adapter_keeps_everything_from_being_judged(repository: Path) -> None:
    adapter = repository / "ci" / "ifcert"
    (adapter / "certificate.json").write_text("not read")
    manifest = json.loads((adapter / "adapter.json").read_text()) | {"version": "2.0"}
    (adapter / "adapter.json").write_text(json.dumps(manifest))
    wheel = str(repository.parent / "ifcert-0-py3-none-any.whl")
    certificate = "ci/ifcert/certificate.json"
    job = Job(repository, adapter="./ci/ifcert", certificate=certificate, arguments=f"--rule {RULE}", wheel=wheel)
    assert job.run() == "Certify"
    assert "hello reports version '1.0' of the runtime; the manifest pins '2.0'" in job.said


def test_the_gitlab_snippet_does_the_same(repository: Path) -> None:
    snippet = re.search(r"```yaml\ncertify:\n(.*?)```", PAGE, re.DOTALL)
    assert snippet
    lines = re.findall(
        r"^    - (.*)$", snippet[1].partition("  script:\n")[2].partition("  artifacts:")[0], re.MULTILINE
    )
    script = "\n".join(line[1:-1] if line.startswith("'") else line for line in lines).replace(
        "certify ./ci/ifcert ", f"certify ./ci/ifcert --rule {RULE} "
    )
    assert script.count(RULE) == 1
    adapter = repository / "ci" / "ifcert"
    environment = os.environ | {"IFCERT_WHEEL": str(repository.parent / "ifcert-0-py3-none-any.whl")}

    def run() -> subprocess.CompletedProcess[str]:
        command = ["bash", "-eo", "pipefail", "-c", script]
        return subprocess.run(
            command, cwd=repository, env=environment, capture_output=True, text=True, timeout=300, check=False
        )

    first = run()
    assert first.returncode == 1, "there is no certificate yet"
    assert "commit ifcert-results/certificate.json into ci/ifcert" in first.stdout
    (repository / "ifcert-results" / "certificate.json").rename(adapter / "certificate.json")
    assert run().returncode == 0
    (adapter / "regression").touch()
    broken = run()
    assert broken.returncode == 1
    assert f"\n  broke {RULE}\n" in broken.stdout


def test_the_page_names_inputs_that_the_action_has() -> None:
    example = re.search(r"uses: OWNER/ifcert@REF.*?with:\n(.*?)(?:      - uses: |```)", PAGE, re.DOTALL)
    assert example
    named = re.findall(r"^ {10}(\w+):", example[1], re.MULTILINE)
    assert named
    assert set(named) <= set(re.findall(r"^  (\w+):$", ACTION, re.MULTILINE))
