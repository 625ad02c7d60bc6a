"""One mutant in one compilation: the functions of the mutated source in place of the original's, in the reference's
adapter and in the program that tries random models.
"""

import hashlib
import json
import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path

from mutation_testing.undone import Undone

BUILD = "build/release"
ADAPTER = "ifcert-reference-adapter"
ORACLES = "generator_report"
LIBRARY = "reference/libifcert_reference.a"
SECONDS = 300  # for a compilation


@dataclass(frozen=True)
class Commands:
    """As the release build uses them."""

    compile: list[str]  # how it compiles any source of the reference, without output and source
    link: dict[str, list[str]]  # ADAPTER, ORACLES → how it is linked
    folder: Path  # where both are run


def commands_of(root: Path) -> Commands:
    """Builds the two programs, and reads how that is done."""
    folder = root / BUILD
    build = ["ninja", "--quiet", "-C", str(folder), "-j2", ADAPTER, ORACLES]
    if not (folder / "build.ninja").exists() or subprocess.run(build, stdout=subprocess.DEVNULL).returncode != 0:
        raise Undone(f"`{shlex.join(build)}` failed; scripts/setup makes the folder")
    compile_commands = {
        tuple(compiling(shlex.split(entry["command"])))
        for entry in json.loads((folder / "compile_commands.json").read_text())
        if "ifcert_reference.dir/Unity/" in entry["command"]
    }
    if len(compile_commands) != 1:
        raise Undone(f"the batches of the reference are compiled in {len(compile_commands)} ways; expected one")
    if "-fPIC" not in (compile_command := list(*compile_commands)):
        raise Undone("without -fPIC, calls within a batch may not reach the mutant")
    return Commands(compile_command, {program: linking(folder, program) for program in (ADAPTER, ORACLES)}, folder)


def linking(folder: Path, program: str) -> list[str]:
    """How this build links a program."""
    ninja = ["ninja", "-C", folder, "-t", "commands", program]
    said = subprocess.run(ninja, capture_output=True, text=True)
    if said.returncode != 0:
        raise Undone(f"ninja names no command for {program}: {said.stderr}")
    link = shlex.split(said.stdout.splitlines()[-1].split("&&")[1])
    if LIBRARY not in link:
        raise Undone(f"{program} is not linked with {LIBRARY}: {shlex.join(link)}")
    return link


def compiling(words: list[str]) -> list[str]:
    """Without ccache, which thousands of mutants would fill, without warnings, and without source and output."""
    compiler = next(i for i, word in enumerate(words) if Path(word).name in ("c++", "g++", "clang++", "clang++-16"))
    kept: list[str] = []
    for before, word in zip(["", *words[compiler:]], words[compiler:], strict=False):
        if before in ("-o", "-c") or word in ("-o", "-c") or word.startswith("-W"):
            continue
        kept.append(word)
    return [*kept, "-w"]


def compiled(commands: Commands, text: str, folder: Path) -> Path | None:
    """The stripped object of a source with this text; None where it does not compile.

    Always under the same relative names, so that equal code makes equal objects.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "mutant.cpp").write_text(text)
    made = folder / "mutant.o"
    made.unlink(missing_ok=True)
    command = [*commands.compile, "-c", "mutant.cpp", "-o", "mutant.o"]
    try:
        run = subprocess.run(command, cwd=folder, capture_output=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return None
    if run.returncode != 0:
        return None
    subprocess.run(["strip", "--strip-unneeded", made], check=True)
    return made


def digest_of(made: Path) -> str:
    """Of an object's bytes."""
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
