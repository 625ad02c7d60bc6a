"""scripts/run_tests: what has passed is not run again until something changes, and what failed always is."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("run_tests")
PRESETS = """{
  "version": 6,
  "configurePresets": [{"name": "small", "generator": "Ninja", "binaryDir": "${sourceDir}/build/small"}],
  "testPresets": [{"name": "small", "configurePreset": "small", "output": {"outputOnFailure": true}}]
}"""
PROJECT = """
cmake_minimum_required(VERSION 3.25)
project(small NONE)
enable_testing()
foreach(name IN ITEMS python certify.one-two Case/Rule.Holds/one_two__a Case/Rule.Holds/one_two__b unit)
  add_test(NAME ${name} COMMAND grep -q good ${CMAKE_SOURCE_DIR}/judged)
endforeach()
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project of five tests in three groups, all of which look into the file `judged`."""
    for name, text in {
        "CMakePresets.json": PRESETS, "judged": "good", "README.md": "",
        ".gitignore": "/build/",
    }.items():  # fmt: skip
        (tmp_path / name).write_text(text)
    (tmp_path / "scripts").mkdir()
    shutil.copy(SCRIPT, tmp_path / "scripts")
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / "installed.txt").write_text("numpy")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    configure(tmp_path, PROJECT)
    return tmp_path


def configure(project: Path, text: str) -> None:
    """Configures the project with this text as CMakeLists.txt."""
    (project / "CMakeLists.txt").write_text(text)
    subprocess.run(["cmake", "--preset", "small"], cwd=project, check=True, capture_output=True)


def outcome(project: Path, *options: str) -> tuple[int, int]:
    """The exit status, and how many tests ctest ran."""
    run = subprocess.run(["scripts/run_tests", "small", *options], cwd=project, capture_output=True, text=True)
    return run.returncode, len(re.findall(r"Test +#\d", run.stdout))


def test_what_has_passed_is_run_again_only_when_a_file_changed_or_on_demand(project: Path) -> None:
    assert outcome(project) == (0, 5)
    assert outcome(project) == (0, 0)
    assert outcome(project, "--again") == (0, 5)
    (project / "judged").write_text("good too")
    assert outcome(project) == (0, 5)
    (project / "a-new-file").write_text("")
    assert outcome(project) == (0, 5)
    (project / ".venv" / "installed.txt").write_text("numpy, another")
    assert outcome(project) == (0, 5)


def test_a_page_of_documentation_matters_to_the_tests_that_read_it(project: Path) -> None:
    outcome(project)
    (project / "README.md").write_text("changed")
    assert outcome(project) == (0, 1)


def test_what_failed_is_run_again_and_again(project: Path) -> None:
    (project / "judged").write_text("bad")
    assert outcome(project) == (1, 5)
    assert outcome(project) == (1, 5)


def test_a_case_that_fails_takes_its_certification_along(project: Path) -> None:
    text = (project / "CMakeLists.txt").read_text()
    broken = text + "set_tests_properties(Case/Rule.Holds/one_two__b PROPERTIES WILL_FAIL TRUE)\n"
    configure(project, broken)
    assert outcome(project) == (1, 5)
    assert outcome(project) == (1, 3)


def test_the_certification_of_a_runtime_that_is_not_installed_is_left_out_by_name(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IFCERT_NOT_INSTALLED", "other,one-two")
    command = ["scripts/run_tests", "small"]
    run = subprocess.run(command, cwd=project, capture_output=True, text=True)
    assert (run.returncode, run.stdout.count("Test  #") + run.stdout.count("Test #")) == (0, 2)
    assert "left out: certify.one-two, whose runtime is not installed\n" in run.stdout
    monkeypatch.delenv("IFCERT_NOT_INSTALLED")
    assert outcome(project) == (0, 5)


def test_one_that_is_skipped_does_not_take_the_other_thousand_along(project: Path) -> None:
    """Ctest compiles no regular expression that names them all, and without one it runs everything."""
    many = """
foreach(number RANGE 1500)
  add_test(NAME Some/Suite.WithALongName${number} COMMAND true)
endforeach()
add_test(NAME Skipped COMMAND sh -c "exit 4")
set_tests_properties(Skipped PROPERTIES SKIP_RETURN_CODE 4)
"""
    configure(project, PROJECT + many)
    assert outcome(project) == (0, 1507)
    assert outcome(project) == (0, 1)


def test_a_preset_without_tests_is_no_success(project: Path) -> None:
    configure(project, "cmake_minimum_required(VERSION 3.25)\nproject(small NONE)\nenable_testing()\n")
    assert outcome(project) == (2, 0)
