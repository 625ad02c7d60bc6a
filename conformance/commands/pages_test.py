"""The examples of README.md and docs/convert.md print what the pages show."""

import doctest
import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(os.environ.get("IFCERT_BIN", ROOT / "build" / "release" / "bin"))
# These need packages from PyPI, or a program that draws.
NEEDS_MORE = re.compile(r"pip download|ddddocr|\| dot|&& dot")


def examples_of(page: str) -> list[tuple[str, str]]:
    """The commands of the indented blocks, each with the lines that follow it."""
    blocks = re.findall(r"(?m)(?:^ {4}.*\n|^\n(?= {4}))+", (ROOT / page).read_text() + "\n")
    found = []
    for block in blocks:
        text = re.sub(r"(?m)^ {4}", "", block).rstrip("\n") + "\n"
        for part in re.split(r"(?m)^\$ ", text)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output.rstrip("\n")))
    return found


EXAMPLES = [
    (page, command, output)
    for page in ("README.md", "docs/convert.md")
    for command, output in examples_of(page)
    if "ifcert " in command and not NEEDS_MORE.search(command)
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the commands find what they name; earlier commands leave files for later ones."""
    made = tmp_path_factory.mktemp("pages")
    (made / ".venv" / "bin").mkdir(parents=True)
    (made / ".venv" / "bin" / "ifcert").symlink_to(BIN / "ifcert")
    (made / "vectors").symlink_to(ROOT / "vectors")
    return made


@pytest.mark.parametrize(("page", "command", "output"), EXAMPLES, ids=[f"{page}: {line}" for page, line, _ in EXAMPLES])
def test_a_command_prints_what_the_page_shows(folder: Path, page: str, command: str, output: str) -> None:
    run = subprocess.run(
        command,
        shell=True,
        cwd=folder,
        env=os.environ | {"PATH": f"{folder / '.venv' / 'bin'}:{os.environ['PATH']}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert run.stdout.rstrip("\n") == output


def test_python_prints_what_the_readme_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    failures, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False, verbose=False)
    assert tried > 3
    assert failures == 0
