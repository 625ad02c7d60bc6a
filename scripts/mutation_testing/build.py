"""One mutant in one compilation: the functions of the mutated source in place of the original's, in the reference's
adapter and in the program that tries random models.

Mutants are compiled by clang without optimization, with all headers of the mutated sources compiled once: that takes a
quarter of the time of the release build's compiler. All else is the release build's.
"""

import hashlib
import json
import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path

from undone import Undone

BUILD = "build/release"
COMPILER = "clang++-16"
ADAPTER = "ifcert-reference-adapter"
ORACLES = "generator_report"
ORACLES_BUILT = "bin/generator_report"
LIBRARY = "reference/libifcert_reference.a"
TRIED = "-O0"  # how a mutant is compiled to be tried
COMPARED = "-O1"  # how it is compiled to see whether the same code comes out
SECONDS = 300  # for a compilation


@dataclass(frozen=True)
class Commands:
    """The commands that compile and link mutants."""

    compile: list[str]  # without optimization, headers, output and source
    headers: dict[str, Path]  # TRIED, COMPARED → the compiled headers
    link: dict[str, list[str]]  # ADAPTER, ORACLES → how it is linked
    folder: Path  # where that is done


def commands_of(root: Path, files: list[str], made: Path) -> Commands:
    """Builds the two programs, reads how that is done, and compiles the headers of these sources."""
    folder = root / BUILD
    build = ["ninja", "--quiet", "-C", str(folder), "-j2", ADAPTER, ORACLES]
    if not (folder / "build.ninja").exists() or subprocess.run(build, stdout=subprocess.DEVNULL).returncode != 0:
        raise Undone(f"`{shlex.join(build)}` failed; scripts/setup makes the folder")
    ways = {
        tuple(options_of(shlex.split(entry["command"])))
        for entry in json.loads((folder / "compile_commands.json").read_text())
        if "ifcert_reference.dir/Unity/" in entry["command"]
    }
    if len(ways) != 1:
        raise Undone(f"the batches of the reference are compiled in {len(ways)} ways; expected one")
    if "-fPIC" not in (options := list(*ways)):
        raise Undone("without -fPIC, calls within a batch may not reach the mutant")
    command = [COMPILER, *options, "-w"]
    headers = {level: compiled_headers(command, level, root, files, made) for level in (TRIED, COMPARED)}
    return Commands(command, headers, {program: linking(folder, program) for program in (ADAPTER, ORACLES)}, folder)


def options_of(words: list[str]) -> list[str]:
    """The options that decide how a source is read; not the compiler, optimization, warnings, source and output."""
    kept: list[str] = []
    for before, word in zip(["", *words], words, strict=False):
        if before == "-isystem":
            kept += [before, word]
        elif word.startswith(("-D", "-I", "-std=", "-ffp-contract=")) or word == "-fPIC":
            kept.append(word)
    return kept


def compiled_headers(command: list[str], level: str, root: Path, files: list[str], made: Path) -> Path:
    """Precompiles everything that the mutated sources include, in their order; again if a header changed."""
    lines = [line for file in files for line in (root / file).read_text().splitlines() if line.startswith("#include")]
    text = "\n".join(dict.fromkeys(lines)) + "\n"
    digest = hashlib.sha256(repr((command, text)).encode())
    for header in sorted((root / "reference").rglob("*.hpp")):
        digest.update(header.read_bytes())
    folder = made / digest.hexdigest()[:16]
    source, headers = folder / f"headers{level}.hpp", folder / f"headers{level}.pch"
    if headers.exists():
        return headers
    folder.mkdir(parents=True, exist_ok=True)
    source.write_text(text)
    words = [*command, level, "-fpch-instantiate-templates", "-x", "c++-header", str(source), "-o", f"{headers}.new"]
    run = subprocess.run(words, capture_output=True, text=True)
    if run.returncode != 0:
        raise Undone(f"the headers of the mutated sources do not compile together:\n{run.stderr}")
    return Path(f"{headers}.new").rename(headers)


def linking(folder: Path, program: str) -> list[str]:
    """The command with which this build links a program."""
    ninja = ["ninja", "-C", folder, "-t", "commands", program]
    said = subprocess.run(ninja, capture_output=True, text=True)
    if said.returncode != 0:
        raise Undone(f"ninja names no command for {program}: {said.stderr}")
    link = shlex.split(said.stdout.splitlines()[-1].split("&&")[1])
    if LIBRARY not in link:
        raise Undone(f"{program} is not linked with {LIBRARY}: {shlex.join(link)}")
    return link


def compiled(commands: Commands, text: str, folder: Path, level: str = TRIED) -> Path | None:
    """The object of a source with this text; None where it does not compile.

    Always under the same relative names, so that equal code makes equal objects.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "mutant.cpp").write_text(text)
    made = folder / f"mutant{level}.o"
    made.unlink(missing_ok=True)
    command = [*commands.compile, level, "-include-pch", str(commands.headers[level]), "-c", "mutant.cpp"]
    try:
        run = subprocess.run([*command, "-o", made.name], cwd=folder, capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return None
    if run.returncode not in (0, 1) or (run.returncode == 1 and "mutant.cpp:" not in run.stderr):
        raise Undone(f"{COMPILER} could not do its job:\n{run.stderr}")
    return made if run.returncode == 0 else None


def digest_of(made: Path) -> str:
    """The digest of an object's bytes."""
    return hashlib.sha256(made.read_bytes()).hexdigest()


def linked(commands: Commands, program: str, made: Path, to: Path) -> None:
    """Links a program with this object before the library: of two definitions, the linker takes the first, and calls
    within a batch reach it as well, since code for shared libraries allows its functions to be replaced.
    """
    words = list(commands.link[program])
    words[words.index("-o") + 1] = str(to)
    words[words.index(LIBRARY) : words.index(LIBRARY)] = ["-Wl,--allow-multiple-definition", str(made)]
    run = subprocess.run(words, cwd=commands.folder, capture_output=True, text=True)
    if run.returncode != 0:
        raise Undone(f"{program} with {made} was not linked:\n{run.stderr}")
