"""Any sources can be compiled as one batch, and so can any tests: their unnamed namespaces become one."""

import re
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import pytest

REFERENCE = Path(__file__).resolve().parent
ALONE = {  # not in a batch, see CMakeLists.txt
    "operators/tensor_byte_limit.cpp",
    "operators/dots_avx2.cpp",
    "operators/dots_avx512.cpp",
}


class Declared(NamedTuple):
    """A name in a namespace; `text` is the whole declaration of an alias, which may be repeated."""

    kind: str  # "type", "alias", "enumerators", "function" or "variable"
    name: str
    namespace: str
    unnamed: bool
    text: str


# Sources are formatted: what a namespace declares begins in column 0, and what is inside a declaration does not.
OPENED = re.compile(r"namespace ([\w:]+ )?\{$")
DECLARATIONS = [
    ("alias", re.compile(r"using (\w+)\s*=")),
    ("alias", re.compile(r"namespace (\w+)\s*=")),
    ("alias", re.compile(r"using [\w:]+::(\w+);")),
    ("enumerators", re.compile(r"using enum ([\w:]+);")),
    ("type", re.compile(r"(?:struct|class|enum class|enum)(?: alignas\(\w+\))? (\w+)")),
    ("variable", re.compile(r"(?:[^(=]*[\s&*>])?(\w+)(?:\[\w*\])*\s*(?:=|\{|;|\([\w, ]*\);)")),
    ("function", re.compile(r"[^(=]*[\s&*>](\w+)\(")),
]
NOTHING = re.compile(r"\s|$|#|//|/\*|[{}()]|template\b|static_assert|extern\b|public:|private:|using namespace")


def declared_in(path: Path) -> list[Declared]:
    """The declarations in the namespaces of a file."""
    inside: list[str] = []
    found = []
    for line in path.read_text().splitlines():
        if opened := OPENED.match(line):
            inside.append((opened[1] or "").strip())
        elif line.startswith("}  // namespace"):
            inside.pop()
        elif not NOTHING.match(line):
            match = next(((kind, m[1]) for kind, pattern in DECLARATIONS if (m := pattern.match(line))), None)
            if match is not None:
                kind, name = match
                name = "using enum" if kind == "enumerators" else name  # of any two, some have names in common
                found.append(Declared(kind, name, "::".join(filter(None, inside)), "" in inside, line))
    assert not inside, f"{path}: a namespace without its closing comment"
    return found


def is_same_alias(a: Declared, b: Declared) -> bool:
    """Whether two declarations give the same name to the same type, which may be repeated."""
    return a.kind == b.kind == "alias" and a.text == b.text


def clashes(folder: Path, alone: set[str], tests: bool = False) -> list[str]:
    """The names that mean something else in one batch than in the files that declare them."""
    sources = [
        path
        for path in sorted(folder.rglob("*.cpp"))
        if path.name.endswith("_test.cpp") == tests
        and not re.search(r"_fuzz\.cpp$|/package/consumer/|/tests/", path.as_posix())
        and path.relative_to(folder).as_posix() not in alone
    ]
    shared = defaultdict(set)  # (namespace, name) → what headers declare
    for path in folder.rglob("*.hpp"):
        for it in declared_in(path):
            shared[it.namespace, it.name].add(it)
    users = defaultdict(dict)  # (namespace, name) → the files in whose unnamed namespace it is
    found = []
    for path in sources:
        name = path.relative_to(folder).as_posix()
        for it in declared_in(path):
            if not it.unnamed:
                continue
            users[it.namespace, it.name].setdefault(name, it)
            outer = it.namespace.split("::")
            around = ["::".join(outer[:end]) for end in range(1, len(outer) + 1)]
            hidden = [other for space in around for other in shared[space, it.name] if not is_same_alias(it, other)]
            if it.kind in ("type", "alias", "variable") and hidden:
                found.append(f"{it.name} of {name} is also declared by a header of namespace {hidden[0].namespace}")
    for (namespace, name), files in sorted(users.items()):
        meanings = {it.text if it.kind in ("alias", "enumerators") else path for path, it in files.items()}
        if len(meanings) > 1:
            found.append(f"{name} is in the unnamed namespaces of {' and '.join(files)}, all in {namespace}")
    return found


@pytest.mark.parametrize("tests", [False, True])
def test_names_in_unnamed_namespaces_differ(tests: bool) -> None:
    assert clashes(REFERENCE, ALONE, tests) == []


@pytest.mark.parametrize(
    "declaration",
    [
        "struct Range {\n  int first;\n};",
        "using Names = std::set<int>;",
        "using enum Kind;",
        "constexpr std::array rows{1, 2};",
        "int count_of(const Dims& dims) {\n  return 0;\n}",
        "template <class T>\nstd::vector<T> copied(\n    const T& from);",
    ],
)
def test_a_clash_is_found(tmp_path: Path, declaration: str) -> None:
    text = "namespace ifcert::kernels {\nnamespace {\n\n%s\n\n}  // namespace\n}  // namespace ifcert::kernels\n"
    (tmp_path / "a.cpp").write_text(text % declaration)
    assert clashes(tmp_path, set()) == []
    (tmp_path / "b.cpp").write_text(text % declaration.replace("<int>", "<long>").replace("Kind", "Other"))
    assert len(clashes(tmp_path, set())) == 1


def test_a_name_of_a_header_is_a_clash_too(tmp_path: Path) -> None:
    (tmp_path / "a.hpp").write_text("namespace ifcert {\n\nstruct Rule {};\n\n}  // namespace ifcert\n")
    text = "namespace ifcert::rules {\nnamespace {\n\nstruct %s {};\n\n}  // namespace\n}  // namespace ifcert::rules\n"
    (tmp_path / "a.cpp").write_text(text % "Site")
    assert clashes(tmp_path, set()) == []
    (tmp_path / "a.cpp").write_text(text % "Rule")
    assert len(clashes(tmp_path, set())) == 1


def defined_twice(root: Path) -> list[str]:
    """Types that two files define in one named namespace: a program that links both has either of them."""
    files = defaultdict(set)
    for path in sorted(
        p for p in root.rglob("*.[hc]pp") if not re.search(r"/(build|reference/tests|\.\w+)/", p.as_posix())
    ):
        for it in declared_in(path):
            defined = re.search(rf"\b{it.name}( final)?( :[^:].*)? \{{", it.text)
            if it.kind == "type" and it.namespace and not it.unnamed and defined:
                files[it.namespace, it.name].add(path.relative_to(root).as_posix())
    return [f"{'::'.join(of)}: {' and '.join(sorted(in_))}" for of, in_ in sorted(files.items()) if len(in_) > 1]


def test_a_type_of_a_namespace_is_defined_once() -> None:
    assert defined_twice(REFERENCE.parent) == []


def test_a_type_that_two_files_define_is_found(tmp_path: Path) -> None:
    text = "namespace ifcert {\n\nstruct Difference {\n  int place = 0;\n};\n\n}  // namespace ifcert\n"
    (tmp_path / "a.hpp").write_text(text)
    (tmp_path / "b.hpp").write_text(text.replace("struct Difference {\n  int place = 0;\n};", "struct Difference;"))
    assert defined_twice(tmp_path) == []
    (tmp_path / "b.cpp").write_text(text)
    assert defined_twice(tmp_path) == ["ifcert::Difference: a.hpp and b.cpp"]
