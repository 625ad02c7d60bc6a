"""A folder of patches: each has a head, changes one source, and fits it exactly."""

from pathlib import Path

import pytest
from mutation_testing.patches import changed_functions, patched_text, read_patches
from undone import Undone

FILE = "reference/if/choice.cpp"
SOURCE = """\
#include <vector>

namespace ifcert {

bool Run::truth_of(int cond) {
  return cond != 0;
}

int Run::enter(bool cond) {
  return cond ? 0 : 1;
}

}  // namespace ifcert
"""
HEAD = """\
Mutant: then-is-else
System: onnx
Kind: A
Decided by: cond selects the branch

The branches change places.

"""
CHANGE = f"""\
--- a/{FILE}
+++ b/{FILE}
@@ -8,5 +8,5 @@

 int Run::enter(bool cond) {{
-  return cond ? 0 : 1;
+  return cond ? 1 : 0;
 }}

"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project with one source."""
    (tmp_path / FILE).parent.mkdir(parents=True)
    (tmp_path / FILE).write_text(SOURCE)
    return tmp_path


def written(root: Path, text: str, name: str = "01.patch") -> Path:
    folder = root / "patches"
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text)
    return folder


def test_a_patch_is_read_with_its_head(root: Path) -> None:
    [patch] = read_patches(written(root, HEAD + CHANGE))
    assert (patch.name, patch.system, patch.kind, patch.file) == ("then-is-else", "onnx", "A", FILE)
    assert patch.is_decided


def test_where_the_texts_are_silent_nothing_is_decided(root: Path) -> None:
    head = HEAD.replace("cond selects the branch", "texts are silent (nobody says)")
    [patch] = read_patches(written(root, head + CHANGE))
    assert not patch.is_decided


def test_the_mutated_source_has_the_change_and_the_original_is_left_alone(root: Path) -> None:
    [patch] = read_patches(written(root, HEAD + CHANGE))
    assert patched_text(root, patch) == SOURCE.replace("cond ? 0 : 1", "cond ? 1 : 0")
    assert (root / FILE).read_text() == SOURCE


def test_a_patch_that_almost_fits_does_not_fit(root: Path) -> None:
    [patch] = read_patches(written(root, HEAD + CHANGE.replace("enter(bool cond)", "enter(bool truth)")))
    with pytest.raises(Undone, match=f"does not fit {FILE}"):
        patched_text(root, patch)


@pytest.mark.parametrize("member", ["Mutant", "System", "Kind", "Decided by"])
def test_a_head_without_a_member_is_refused(root: Path, member: str) -> None:
    head = "".join(line for line in HEAD.splitlines(True) if not line.startswith(member))
    with pytest.raises(Undone, match=f'no line "{member}'):
        read_patches(written(root, head + CHANGE))


@pytest.mark.parametrize(("member", "value"), [("Kind", "Z"), ("System", "coreml")])
def test_an_unknown_kind_or_system_is_refused(root: Path, member: str, value: str) -> None:
    head = "".join(f"{member}: {value}\n" if line.startswith(member) else line for line in HEAD.splitlines(True))
    with pytest.raises(Undone, match=f"{member}.*{value}"):
        read_patches(written(root, head + CHANGE))


def test_a_patch_of_two_sources_is_refused(root: Path) -> None:
    with pytest.raises(Undone, match="changes 2 sources"):
        read_patches(written(root, HEAD + CHANGE + CHANGE.replace("choice", "other")))


def test_two_patches_of_one_name_are_refused(root: Path) -> None:
    written(root, HEAD + CHANGE)
    folder = written(root, HEAD + CHANGE, "02.patch")
    with pytest.raises(Undone, match="two patches are named then-is-else"):
        read_patches(folder)


def test_a_folder_without_patches_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Undone, match=r"has no \.patch"):
        read_patches(tmp_path)


def test_the_changed_functions_are_those_whose_lines_change() -> None:
    after = SOURCE.replace("cond ? 0 : 1", "cond ? 1 : 0")
    assert changed_functions(SOURCE, after) == ["Run::enter"]
    assert changed_functions(SOURCE, "#include <map>\n" + after.replace("!= 0", "== 1")) == [
        "Run::truth_of",
        "Run::enter",
    ]
    assert changed_functions(SOURCE, SOURCE) == []
