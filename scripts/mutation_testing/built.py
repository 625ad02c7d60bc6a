"""One mutant in one compilation: the mutated source in place of the original's object, in the reference's adapter and
in the program that tries random models.
"""

import hashlib
import json
import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path

from mutation_testing.undone import Undone

BUILD = "build/single"  # where each source of the reference is an object
ADAPTER = "ifcert-reference-adapter"
ORACLES = "generator_report"
LIBRARY = "reference/libifcert_reference.a"
SECONDS = 300  # for a compilation


@dataclass(frozen=True)
class Commands:
    """As the build of single files uses them."""

    compile: dict[str, list[str]]  # source, relative to the root → the command, without its output and source
    link: dict[str, list[str]]  # ADAPTER, ORACLES → how it is linked
    folder: Path  # where both are run


def commands_of(root: Path) -> Commands:
    """Builds the two programs, each source by itself, and reads how that is done."""
    folder = root / BUILD
    configure, build = ["cmake", "--preset", "single"], ["ninja", "--quiet", "-C", str(folder), "-j2", ADAPTER, ORACLES]
    for command in [build] if (folder / "build.ninja").exists() else [configure, build]:
        if subprocess.run(command, cwd=root, stdout=subprocess.DEVNULL).returncode != 0:
            raise Undone(f"`{shlex.join(command)}` failed")
    compile_commands = {}
    for entry in json.loads((folder / "compile_commands.json").read_text()):
        source = Path(entry["file"])
        if "ifcert_reference.dir/" in entry["command"] and source.is_relative_to(root):
            compile_commands[source.relative_to(root).as_posix()] = compiling(shlex.split(entry["command"]))
    return Commands(compile_commands, {program: linking(folder, program) for program in (ADAPTER, ORACLES)}, folder)


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


def compiled(commands: Commands, file: str, text: str, folder: Path) -> Path | None:
    """The stripped object of a source with this text; None where it does not compile.

    Always under the same relative names, so that equal code makes equal objects.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "mutant.cpp").write_text(text)
    made = folder / "mutant.o"
    made.unlink(missing_ok=True)
    command = [*commands.compile[file], "-c", "mutant.cpp", "-o", "mutant.o"]
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
    """Links a program with this object before the library, whose own member then stays out."""
    words = list(commands.link[program])
    words[words.index("-o") + 1] = str(to)
    words.insert(words.index(LIBRARY), str(made))
    run = subprocess.run(words, cwd=commands.folder, capture_output=True, text=True)
    if run.returncode != 0:
        raise Undone(f"{program} with {made} was not linked:\n{run.stderr}")
