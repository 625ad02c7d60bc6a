"""The mutants: which files are mutated, what universalmutator makes of them, and which of these are drawn."""

import contextlib
import hashlib
import io
import re
import subprocess
import sys
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path

from mutation_testing.functions import functions_of
from undone import Undone

RULES = "conformance/mutants/mutation/cpp.rules"
REQUIREMENTS = "scripts/mutation-requirements.txt"
TOOL = "build/mutation/tool"

# The sources that decide whether a model is legal and what it computes. Operators, writers, translators and texts of
# messages and rules are left out: they are not what the vectors of If are about.
MUTATED = (
    *("reference/check/*.cpp", "reference/check/inference/*.cpp", "reference/evaluation/*.cpp", "reference/if/*.cpp"),
    *("reference/formats/onnx/*.cpp", "reference/formats/openvino/*.cpp", "reference/formats/tflite/*.cpp"),
    *("reference/model/content.cpp", "reference/model/function_attributes.cpp"),
    *("reference/model/onnx_element_types.cpp", "reference/model/type_agreement.cpp"),
    *("reference/model/type_union.cpp", "reference/model/types.cpp", "reference/operators/operator.cpp"),
)
# So are the table of ONNX's operators, which a test compares with the onnx package, and the texts about missing names.
# blob.cpp and value_names.cpp belong to writers; what is allowed, how it is mended, and what a runtime computes instead
# have tests of their own, since no vector is run with --allow or --operators.
LEFT_OUT = re.compile(
    r"_test\.cpp$|/(writ[^/]*|blob|value_names|rules|operator_set|missing_name|made_names"
    r"|allowances|mend|node_order|operator_order|delegated)\.cpp$"
)

# Files, or folders of files, that were moved → the paths under which their mutants are drawn, so that a move does not
# draw others.
MOVED = {
    "reference/formats/onnx/if_file_rules.cpp": "reference/formats/onnx/if_attributes.cpp",
    "reference/evaluation/accounting.cpp": "reference/evaluation/evaluate.cpp",
    "reference/if/evaluate_if.cpp": "reference/evaluation/evaluate.cpp",
    "reference/if/infer_if.cpp": "reference/inference/inference.cpp",
    "reference/if/onnx_if_rules.cpp": "reference/rules/if_rules.cpp",
    "reference/if/if_versions.cpp": "reference/rules/if_types.cpp",
    "reference/if/openvino_if_rules.cpp": "reference/rules/openvino_if_rules.cpp",
    "reference/if/tflite_if_and_while_rules.cpp": "reference/rules/tflite_rules.cpp",
    "reference/check/tflite_rules.cpp": "reference/rules/tflite_operators.cpp",
    "reference/check/inference/": "reference/inference/",
    "reference/check/": "reference/rules/",
    "reference/model/": "reference/",
    "reference/operators/": "reference/kernels/",
}

PERCENT = 15  # of the mutants of a file are drawn
FEWEST = 5  # of each file


@dataclass(frozen=True)
class Mutant:
    """One line of a file replaced by another. It is named by its text, so that it survives edits elsewhere."""

    file: str
    function: str
    line: str  # without indentation
    nth: int  # of the lines of this function that read the same
    to: str
    kind: str
    number: int = field(compare=False)  # of the line

    def name(self) -> dict[str, str | int]:
        """The members that identify it in the ledger; line numbers would go stale there."""
        return {key: value for key, value in asdict(self).items() if key != "number" and (key != "nth" or value)}

    def rank(self, seed: int) -> str:
        """Mutants are drawn in this order, which an edit of the sources does not change."""
        name = (seed, drawn_as(self.file), self.function, self.line, self.nth, self.to)
        return hashlib.sha256(repr(name).encode()).hexdigest()


def drawn_as(file: str) -> str:
    """The path under which the mutants of a file are drawn: where it was before it moved."""
    before = next((before for before in MOVED if file.startswith(before)), "")
    return MOVED.get(before, "") + file.removeprefix(before)


def mutated_files(root: Path) -> list[str]:
    """The files in alphabetical order, relative to the root."""
    files = {path.relative_to(root).as_posix() for glob in MUTATED for path in root.glob(glob)}
    return sorted(file for file in files if not LEFT_OUT.search(file))


def install_tool(root: Path) -> None:
    """Puts universalmutator into a folder of its own under build/, and that folder on the path."""
    folder, wanted = root / TOOL, (root / REQUIREMENTS).read_text()
    stamp = folder / "installed.txt"
    if not stamp.exists() or stamp.read_text() != wanted:
        pip = [root / ".venv/bin/python", "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-deps"]
        only = ["--require-hashes", "--only-binary", ":all:"]
        command = [*pip, *only, "--upgrade", "--target", folder, "-r", root / REQUIREMENTS]
        if subprocess.run(command).returncode != 0:
            raise Undone(f"pip could not install {REQUIREMENTS}")
        stamp.write_text(wanted)
    sys.path.append(str(folder))


def kinds_of_rules(root: Path) -> dict[int, str]:
    """The number of each line of the rules → its heading, which ends an empty line."""
    kinds: dict[int, str] = {}
    kind, before = "", ""
    for number, line in enumerate((root / RULES).read_text().splitlines(), 1):
        if line.startswith("# ") and before == "":
            kind = line[2:]
        kinds[number] = kind
        before = line
    return kinds


def mutants_of(root: Path, file: str) -> list[Mutant]:
    """All that the tool makes of a file, in the order of the lines."""
    from universalmutator import mutator

    source = (root / file).read_text().splitlines(keepends=True)
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        made = mutator.mutants_regexp(source, [str(root / RULES)], ignorePatterns=[], ignoreStringOnly=True)
    if "FAILED TO COMPILE" in said.getvalue() or "WARNING" in said.getvalue():
        raise Undone(f"{RULES}: universalmutator does not understand a rule:\n{said.getvalue()}")
    functions, kinds = functions_of(source), kinds_of_rules(root)
    seen: Counter[tuple[str, str]] = Counter()
    nth: list[int] = []
    for function, line in zip(functions, source, strict=True):
        nth.append(seen[function, line.strip()])
        seen[function, line.strip()] += 1
    mutants = []
    for number, to, (_, place), _ in made:
        kind = kinds[int(place.rpartition(":")[2])]
        before = source[number - 1].strip()
        if before != to.strip():
            mutants.append(Mutant(file, functions[number - 1], before, nth[number - 1], to.strip(), kind, number))
    return mutants


def all_mutants(root: Path) -> list[Mutant]:
    """The mutants of all files."""
    return [mutant for file in mutated_files(root) for mutant in mutants_of(root, file)]


def drawn_from(mutants: list[Mutant], seed: int) -> list[Mutant]:
    """The same share of each file, and a few of the small ones, in the order in which they are drawn."""
    chosen: list[tuple[str, Mutant]] = []
    files: dict[str, list[tuple[str, Mutant]]] = {}
    for mutant in mutants:
        files.setdefault(mutant.file, []).append((mutant.rank(seed), mutant))
    for ranked in files.values():
        ranked.sort(key=lambda pair: pair[0])
        share = sum(int(rank[:8], 16) * 100 < PERCENT << 32 for rank, _ in ranked)
        chosen += ranked[: max(share, FEWEST)]
    return [mutant for _, mutant in sorted(chosen, key=lambda pair: pair[0])]


def text_of(root: Path, mutant: Mutant) -> str:
    """The whole source with the mutated line, which keeps its indentation."""
    lines = (root / mutant.file).read_text().splitlines(keepends=True)
    line = lines[mutant.number - 1]
    lines[mutant.number - 1] = line[: len(line) - len(line.lstrip())] + mutant.to + "\n"
    return "".join(lines)
