"""--help and what is generated from the same source: examples that run, manual pages, completion, suggestions."""

import functools
import os
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from vector_lines import folder_of, read_rule

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(os.environ.get("IFCERT_BIN", ROOT / "build" / "release" / "bin"))
IFCERT = BIN / "ifcert"
VECTORS = ROOT / "vectors"
CHOICE = VECTORS / "onnx" / "generated" / "if" / "then-when-true" / "test-cc-if.onnx"
COMMANDS = [
    "",
    *("certify", "merge", "diff", "verify", "history", "bisect", "fuzz", "shrink", "check", "run", "show", "convert"),
    *("specialise", "list", "explain", "export", "man", "completion"),
    *("adapter", "adapter install", "adapter smoke", "adapter list", "reproduce"),
    *("known-failures", "known-failures init"),
]


def ifcert(*arguments: object, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [IFCERT, *map(str, arguments)], capture_output=True, text=True, timeout=300, check=False, **options
    )


def help_of(command: str) -> str:
    run = ifcert(*command.split(), "--help")
    assert (run.returncode, run.stderr) == (0, ""), command
    return run.stdout


def examples_of(command: str) -> list[str]:
    return re.findall(r"^  (\S.*)\n      \S", help_of(command).split("\nExamples:\n")[1], re.MULTILINE)


# Their examples install several releases, a minute's work: only the long tests run them.
INSTALLS_RELEASES = ["history", "bisect"] if "IFCERT_LONG" not in os.environ else []


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files that the examples use."""
    folder = tmp_path_factory.mktemp("examples")
    shutil.copy(CHOICE, folder / "model.onnx")
    for system in ("openvino", "tflite"):
        vector = next(read_rule(f"{system}/if/then-when-true"))
        for name in vector["files"]:
            shutil.copy(folder_of(vector["rules"][0]) / name, (folder / "model").with_suffix(Path(name).suffix))
    np.save(folder / "cond.npy", np.array(True))
    return folder


@functools.cache
def run_in_shell(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs a line as a user types it; a line that is an example twice is run once."""
    environment = os.environ | {"PATH": f"{BIN}:{os.environ['PATH']}"}
    command = ["bash", "-euo", "pipefail", "-c", line]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=600, check=False
    )


@pytest.mark.parametrize("command", COMMANDS)
def test_every_example_runs(command: str, folder: Path) -> None:
    examples = examples_of(command)
    assert examples
    if command in INSTALLS_RELEASES:
        pytest.skip("set IFCERT_LONG=1: installs releases")
    for line in examples:
        run = run_in_shell(line, folder)
        assert run.returncode == 0, line + "\n" + run.stdout + run.stderr


def test_every_command_that_help_names_is_tried_here() -> None:
    top = re.findall(r"^  ([a-z-]+) ", help_of("").split("Subcommands:")[1].split("Exit codes")[0], re.MULTILINE)
    inner = []
    for command in ("adapter", "known-failures"):
        listed = help_of(command).split("Subcommands:")[1].split("Examples")[0]
        inner += [f"{command} {word}" for word in re.findall(r"^  ([a-z]+) ", listed, re.MULTILINE)]
    assert sorted(COMMANDS) == sorted(["", *top, *inner])


@pytest.mark.parametrize("command", COMMANDS)
def test_manual_pages_are_well_formed_and_have_the_text_of_help(command: str, tmp_path: Path) -> None:
    page = tmp_path / "page.1"
    page.write_text(ifcert("man", *command.split()).stdout)
    judged = subprocess.run(
        ["mandoc", "-T", "lint", "-W", "warning", page], capture_output=True, text=True, timeout=60, check=False
    )
    # A page without a date is the same in every build.
    assert [line for line in judged.stdout.splitlines() if "missing date" not in line] == []
    text = subprocess.run(
        ["mandoc", "-T", "utf8", "-O", "width=500", page], capture_output=True, text=True, timeout=60, check=True
    ).stdout
    shown = re.sub(r".\x08", "", text)
    for option in re.findall(r"--[a-z-]+", help_of(command)):
        assert option in shown, option
    for line in examples_of(command):
        assert line in shown, line


def test_all_manual_pages_are_written_at_once(tmp_path: Path) -> None:
    assert ifcert("man", "--all", tmp_path / "man1").returncode == 0
    names = {"-".join(["ifcert", *command.split()]) + ".1" for command in COMMANDS}
    assert {page.name for page in (tmp_path / "man1").iterdir()} == names


# The text before the cursor → words that are offered, and words that are not.
COMPLETED = {
    "ifcert ": ({"certify", "check", "adapter", "completion"}, {"smoke"}),
    "ifcert ch": ({"check"}, {"certify"}),
    "ifcert check --f": ({"--format"}, {"--output"}),
    "ifcert check --format ": ({"text", "json", "sarif"}, {"--format"}),
    "ifcert check m": ({"model.onnx", "model.xml", "model.tflite"}, {"model.bin", "cond.npy"}),
    "ifcert run model.onnx --m": ({"--max-seconds", "--max-memory"}, {"--format"}),
    "ifcert adapter ": ({"install", "smoke", "list"}, {"certify"}),
    "ifcert adapter smoke re": ({"reference"}, {"onnxruntime"}),
    "ifcert certify onnxruntime-": ({"onnxruntime-noopt"}, {"reference"}),
    "ifcert certify reference --rule onnx/if/out": ({"onnx/if/output-count"}, {"tflite/if/output-count"}),
    "ifcert certify reference --profile ": ({"onnx", "openvino", "tflite"}, set()),
    "ifcert list ": ({"adapters", "rules", "vectors", "profiles"}, {"certify"}),
    "ifcert explain onnx/if/cond-": ({"onnx/if/cond-is-bool"}, set()),
    "ifcert completion ": ({"bash", "zsh", "fish"}, set()),
}

IN_BASH = """source <(ifcert completion bash)
line=$1
read -ra COMP_WORDS <<<"$line"; [[ $line == *' ' ]] && COMP_WORDS+=('')
COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_LINE=$line COMP_POINT=${#line}
compopt() { :; }
_ifcert; printf '%s\\n' "${COMPREPLY[@]}"
"""

# zsh completes only in a terminal, so it gets one; it lists the words it offers. It takes keys in their order, so the
# last key's words are printed after whatever the keys before it offered.
IN_ZSH = """
import os, pty, sys
line = sys.argv[1]
child, terminal = pty.fork()
if child == 0:
    os.environ.update(TERM="dumb", COLUMNS="400", LINES="400")
    os.execvp("zsh", ["zsh", "-f", "-i"])
def read(until):
    text = ""
    while until not in text:
        text += os.read(terminal, 65536).decode(errors="replace")
    return text
os.write(terminal, b"PS1='' PS2=''; unsetopt zle_bracketed_paste; autoload -U compinit && compinit -u -D; "
    b"source <(ifcert completion zsh); setopt no_auto_menu no_list_beep list_rows_first; LISTMAX=0; "
    b"bindkey '^X' list-choices; bindkey '^I' complete-word; "
    b"tell() { print -n ' that is' 'all' }; zle -N tell; bindkey '^T' tell; echo rea''dy\\n")
read("ready\\r\\n")
os.write(terminal, line.encode() + b"\\t\\t\\x14")
print(read(" that is all").removesuffix(" that is all"))
"""


def completed_in(shell: str, line: str, folder: Path) -> set[str]:
    """The words that the shell offers."""
    environment = os.environ | {"PATH": f"{BIN}:{os.environ['PATH']}", "HOME": str(folder)}
    commands = {
        "bash": ["bash", "--norc", "-c", IN_BASH, "bash", line],
        "fish": ["fish", "--no-config", "-c", f"ifcert completion fish | source; complete -C '{line}'"],
        "zsh": [str(ROOT / ".venv" / "bin" / "python"), "-c", IN_ZSH, line],
    }
    run = subprocess.run(
        commands[shell], cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert (run.returncode, run.stderr) == (0, ""), run.stderr
    return set(re.split(r"[\s]+", run.stdout))


@pytest.mark.parametrize("shell", ["bash", "fish", "zsh"])
@pytest.mark.parametrize("line", COMPLETED)
def test_words_are_completed(shell: str, line: str, folder: Path) -> None:
    offered = completed_in(shell, line, folder)
    wanted, unwanted = COMPLETED[line]
    if shell == "zsh" and len(wanted) == 1:  # it types the only word
        assert any(word.endswith(min(wanted)) for word in offered), offered
    else:
        assert wanted <= offered, (wanted - offered, offered)
    assert not unwanted & (offered - set(line.split()))


def test_the_script_for_bash_passes_shellcheck(tmp_path: Path) -> None:
    (tmp_path / "ifcert.bash").write_text(ifcert("completion", "bash").stdout)
    subprocess.run(["shellcheck", "--shell=bash", tmp_path / "ifcert.bash"], check=True, timeout=60)


NEAR_MISSES = {
    "chekc model.onnx": 'there is no command "chekc"; did you mean check?',
    "adapter instal onnxruntime": 'there is no command "adapter instal"; did you mean install?',
    "check --fromat json": "there is no option --fromat; did you mean --format?",
    "certify reference --rul=x": "there is no option --rul; did you mean --rule?",
    "adapter list --jsno": "there is no option --jsno; did you mean --json?",
    "check model.onnx --format jsno": "did you mean json? (see ifcert check --help)",
    "check modle.onnx": "ifcert: modle.onnx: no such file; did you mean model.onnx?",
    "run modle.onnx --input cond=true": "ifcert: modle.onnx: no such file; did you mean model.onnx?",
    "check model.onx": 'unknown file extension ".onx"; did you mean .onnx?',
    "show model.onnx -o model.svgg": "did you mean .svg?",
    "convert model.onnx again.tflit": "did you mean .tflite?",
    "list rule": "ifcert: rule is not one of adapters, profiles, rewritings, rules, vectors; did you mean rules?",
    "export --layout onnx-backend-tests x": "did you mean onnx-backend-test?",
    "completion bsh": "did you mean bash or zsh?",
    "man adaptr": "did you mean adapter?",
    "certify onnxruntim": "did you mean onnxruntime or",
    "adapter smoke refrence": "did you mean reference?",
    "adapter install litert-pain": "did you mean litert-plain?",
    "certify reference --rule onnx/if/ouput-count": "did you mean onnx/if/output-count",
    "certify reference --vector onnx/if/then-when-true/test-cc-fi": "did you mean onnx/if/then-when-true/test-cc-if",
    "certify reference --profile onx": "did you mean onnx?",
    "explain onnx/if/ouput-count": "did you mean onnx/if/output-count",
    "explain if-cond-singel-element": "did you mean if-cond-single-element",
    "run model.onnx --input conf=true": 'its inputs are #0 "cond"; did you mean cond?',
}


@pytest.mark.parametrize("line", NEAR_MISSES)
def test_a_near_miss_gets_a_suggestion(line: str, folder: Path) -> None:
    run = ifcert(*line.split(), cwd=folder)
    assert (run.returncode, run.stdout) == (2, "")
    assert NEAR_MISSES[line] in run.stderr
    assert run.stderr.startswith("ifcert: ")
    assert run.stderr.count("\n") == 1


@pytest.mark.parametrize("line", ["fly", "adapter fly", "check --nothing-like-it", "certify nobody", "explain zzzz"])
def test_a_distant_name_gets_no_suggestion(line: str) -> None:
    run = ifcert(*line.split())
    assert (run.returncode, "did you mean" in run.stderr) == (2, False)
    assert run.stderr.count("\n") == 1
