"""The commands on models, as users type them: real models, vectors, and files that are not models."""

import importlib.metadata
import json
import os
import re
import subprocess
from pathlib import Path

import numpy as np
import onnx
import onnx.parser
import pytest
from onnx import TensorProto, helper

ROOT = Path(__file__).resolve().parents[2]
IFCERT = Path(os.environ.get("IFCERT_BIN", ROOT / "build" / "release" / "bin")) / "ifcert"
GENERATED = ROOT / "vectors" / "onnx" / "generated"
CHOICE = GENERATED / "if" / "then-when-true" / "test-cc-if.onnx"
BROKEN = GENERATED / "if" / "output-count" / "then-has-more.onnx"


def ifcert(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Runs the command; its output is text."""
    return subprocess.run([IFCERT, *map(str, arguments)], capture_output=True, text=True, timeout=60)


def silero(name: str) -> Path:
    """A real model, from the PyPI package silero-vad."""
    files = importlib.metadata.files("silero-vad") or []
    return next(Path(str(file.locate())) for file in files if file.name == name)


@pytest.mark.parametrize(
    "name", ["silero_vad.onnx", "silero_vad_half.onnx", "silero_vad_16k_op15.onnx", "silero_vad_op18_ifless.onnx"]
)
def test_a_real_model_breaks_no_rule(name: str) -> None:
    run = ifcert("check", silero(name))
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.endswith("no rule broken\n")


def test_a_real_model_is_drawn_with_its_25_ifs_and_graphviz_reads_the_drawing(tmp_path: Path) -> None:
    assert ifcert("show", silero("silero_vad.onnx"), "-o", tmp_path / "model.dot").returncode == 0
    drawing = (tmp_path / "model.dot").read_text()
    assert len(re.findall(r'^  n\d+ \[label="If(?:\\n|")', drawing, re.MULTILINE)) == 25
    assert drawing.count('label="then_branch"') == 25
    subprocess.run(["dot", "-Tsvg", tmp_path / "model.dot", "-o", tmp_path / "model.svg"], check=True, timeout=60)
    assert (tmp_path / "model.svg").stat().st_size > 100_000


def test_dot_shows_the_union_of_the_branches_types(tmp_path: Path) -> None:
    model = GENERATED / "if" / "shape-union" / "no-shape.onnx"  # float[2] or float[3]
    assert r'[label="y\nfloat32[?]"]' in ifcert("show", model).stdout


def test_run_names_the_first_missing_operator_with_its_place(tmp_path: Path) -> None:
    text = """<ir_version: 8, opset_import: ["" : 16]>
        main (bool cond, float[2, 2] x) => (float y) {
          y = If (cond) <then_branch = then () => (float a) { a = Det (x) },
                         else_branch = other () => (float b) { b = Det (x) }>
        }"""
    (tmp_path / "model.onnx").write_bytes(onnx.parser.parse_model(text).SerializeToString())
    run = ifcert("run", tmp_path / "model.onnx")
    assert run.returncode == 2
    assert "(If) / then_branch / node" in run.stderr
    assert "the reference has no operator Det (opset 16)" in run.stderr


def test_run_traces_the_branches_of_a_real_model(tmp_path: Path) -> None:
    np.save(tmp_path / "input.npy", np.zeros([1, 256 + 32], np.float32))
    np.save(tmp_path / "state.npy", np.zeros([2, 1, 128], np.float32))
    given = [f"input={tmp_path / 'input.npy'}", f"state={tmp_path / 'state.npy'}", "sr=8000"]
    run = ifcert("run", silero("silero_vad.onnx"), *(word for item in given for word in ("--input", item)), "--trace")
    assert run.returncode == 0, run.stderr
    taken = [line.rsplit(": ", 1) for line in run.stderr.splitlines()]
    # sr is not 16000; each further If is in the branch that the If above it took.
    assert taken[0][1] == "else_branch"
    assert len(taken) > 5
    assert all("/ else_branch / " in place for place, _ in taken[1:])


def test_run_evaluates_and_traces_the_branch_taken(tmp_path: Path) -> None:
    run = ifcert("run", CHOICE, "--input", "cond=true", "--trace", "--output", tmp_path)
    assert (run.returncode, run.stdout) == (0, "res: float32[2] [1, 2]\n")
    assert run.stderr.endswith("(If): then_branch\n")
    assert np.load(tmp_path / "res.npy").tolist() == [1.0, 2.0]


def test_an_option_that_is_repeated_does_not_take_the_words_after_it() -> None:
    run = ifcert("run", "--input", "cond=true", CHOICE)
    assert (run.returncode, run.stdout) == (0, "res: float32[2] [1, 2]\n"), run.stderr
    shrunk = ifcert("shrink", "--adapter", "nobody", "--input", "cond=true", CHOICE)
    assert "there is no adapter 'nobody'" in shrunk.stderr  # not: MODEL is required


def test_wrong_usage_refers_to_the_help_of_the_command() -> None:
    for command in ("run", "adapter smoke"):
        usage = ifcert(*command.split())
        assert (usage.returncode, f"(see ifcert {command} --help)\n" in usage.stderr) == (2, True), usage.stderr


def test_run_reads_npy_files(tmp_path: Path) -> None:
    np.save(tmp_path / "cond.npy", np.array(False))
    run = ifcert("run", CHOICE, "--input", f"cond={tmp_path / 'cond.npy'}")
    assert run.stdout == "res: float32[2] [3, 4]\n"


def test_check_prints_place_rule_finding_and_clause() -> None:
    run = ifcert("check", BROKEN)
    assert run.returncode == 1
    assert "(If): then_branch has 3, else_branch 2 and the node 2 outputs [onnx/if/output-count]" in run.stdout
    assert "expected: the same number for all three, at least one" in run.stdout
    assert "clause: ONNX Operators, If" in run.stdout


def test_check_prints_the_same_as_json() -> None:
    run = ifcert("check", CHOICE, BROKEN, "--format", "json")
    assert run.returncode == 1
    good, bad = json.loads(run.stdout)["files"]
    assert good["findings"] == []
    assert [finding["rule"] for finding in bad["findings"]] == ["onnx/if/output-count"]


def test_a_broken_rule_is_drawn_in_red(tmp_path: Path) -> None:
    drawing = ifcert("show", BROKEN).stdout
    assert 'label="onnx/if/output-count' in drawing
    assert "color=red, penwidth=2" in drawing


def test_run_refuses_a_model_that_breaks_a_rule() -> None:
    run = ifcert("run", BROKEN)
    assert run.returncode == 1
    assert "onnx/if/output-count" in run.stderr


BAD_INPUTS = {
    "missing": ([], 'no value for the input "cond" (bool[]): add --input NAME=FILE.npy or --input NAME=JSON'),
    "unknown name": (["--input", "other=true"], 'the model has no input "other"; its inputs are #0 "cond"'),
    "mistyped": (["--input", "cond=1.5"], "1.5 is not an element of bool"),
    "out of range": (["--input", "cond=2"], "2 is not an element of bool"),
    "no JSON": (["--input", "cond=maybe"], '"maybe" is neither'),
    "wrong shape": (["--input", "cond=[true, false]"], "bool[2] is given; bool[] is required"),
    "given twice": (["--input", "cond=true", "--input", "cond=true"], 'the input "cond" has two values'),
    "missing file": (["--input", "cond=nowhere.npy"], "nowhere.npy"),
}


@pytest.mark.parametrize(("arguments", "sentence"), BAD_INPUTS.values(), ids=BAD_INPUTS.keys())
def test_bad_inputs_get_one_clear_sentence(arguments: list[str], sentence: str) -> None:
    run = ifcert("run", CHOICE, *arguments)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.startswith("ifcert: ")
    assert sentence in run.stderr
    assert run.stderr.count("\n") == 1


def test_files_that_are_not_models_get_one_clear_sentence(tmp_path: Path) -> None:
    whole = CHOICE.read_bytes()
    (tmp_path / "truncated.onnx").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "wrong_wire_type.onnx").write_bytes(b"\x0a\x01x" + whole)
    (tmp_path / "text.txt").write_text("no model")
    (tmp_path / "folder.onnx").mkdir()
    for name in ["truncated.onnx", "wrong_wire_type.onnx", "text.txt", "folder.onnx", "nowhere.onnx"]:
        for command in ["check", "run", "show"]:
            run = ifcert(command, tmp_path / name)
            assert (run.returncode, run.stdout) == (2, ""), (command, name)
            assert run.stderr.startswith("ifcert: "), (command, name)
            assert run.stderr.count("\n") == 1, (command, name, run.stderr)
            assert name in run.stderr, (command, name)


def passing_through(path: Path, names: list[str], kind: int = TensorProto.FLOAT) -> Path:
    """A model whose outputs of these names are its input x, of any length."""
    graph = helper.make_graph(
        [helper.make_node("Identity", ["x"], [name]) for name in names],
        "main",
        [helper.make_tensor_value_info("x", kind, [None])],
        [helper.make_tensor_value_info(name, kind, [None]) for name in names],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 16)], ir_version=8), path)
    return path


def test_outputs_with_the_same_file_name_are_all_written(tmp_path: Path) -> None:
    model = passing_through(tmp_path / "model.onnx", ["a/b", "a:b", "c", "z" * 5000])
    run = ifcert("run", model, "--input", "x=[1]", "--output", tmp_path / "out")
    assert (run.returncode, run.stderr) == (0, "")
    names = sorted(file.name for file in (tmp_path / "out").iterdir())
    assert names == ["a_b.0.npy", "a_b.1.npy", "c.npy", "z" * 200 + ".npy"]


def test_json_keeps_signs_infinities_and_nans(tmp_path: Path) -> None:
    model = passing_through(tmp_path / "model.onnx", ["y"])
    given = '[-0, 0, -0.0, 10e-0, "nan", "NaN", "inf", "-Infinity"]'
    run = ifcert("run", model, "--input", f"x={given}", "--output", tmp_path)
    assert (run.returncode, run.stderr) == (0, "")
    kept = np.load(tmp_path / "y.npy")
    assert np.signbit(kept[:4]).tolist() == [True, False, True, False]
    assert kept[3] == 10
    assert np.isnan(kept[4:6]).all()
    assert kept[6:].tolist() == [np.inf, -np.inf]


def test_run_reads_the_json_that_it_writes(tmp_path: Path) -> None:
    model = passing_through(tmp_path / "model.onnx", ["y"], TensorProto.BFLOAT16)
    given = '[-0, 1.5, "nan", "-inf"]'
    assert ifcert("run", model, "--input", f"x={given}", "--output", tmp_path).returncode == 0
    written = (tmp_path / "y.json").read_text().strip()
    assert written == '[-0.0,1.5,"nan","-inf"]'
    again = ifcert("run", model, "--input", f"x={written}", "--output", tmp_path / "again")
    assert (again.returncode, (tmp_path / "again" / "y.json").read_text().strip()) == (0, written)


def test_a_text_is_not_an_element_of_an_integer_type(tmp_path: Path) -> None:
    model = passing_through(tmp_path / "model.onnx", ["y"], TensorProto.INT64)
    run = ifcert("run", model, "--input", 'x=["inf"]')
    assert (run.returncode, '"inf" is not an element of int64' in run.stderr) == (2, True)


def test_wrong_usage_is_exit_2() -> None:
    for arguments in [
        ["certify", "nobody"],
        ["certify", "reference", "--vector", "no/such/*"],
        ["explain", "no/such"],
        ["fly"],
        [],
    ]:
        run = ifcert(*arguments)
        assert run.returncode == 2, arguments
        assert run.stderr.startswith("ifcert: "), arguments


def test_an_unknown_command_is_named() -> None:
    assert 'there is no command "fly"' in ifcert("fly").stderr


def test_explain_quotes_the_sentence_that_obliges_to_refuse() -> None:
    result = ifcert("explain", "onnx/model/operators-are-declared/opset-from-the-future")
    assert result.returncode == 0, result.stderr
    assert "\nobliges the implementation to refuse\n  ONNX IR (docs/IR.md)" in result.stdout
    assert "must support all operators in the set or reject the model" in result.stdout


def test_explain_knows_rules_and_vectors() -> None:
    rule = ifcert("explain", "onnx/if/output-count")
    assert (rule.returncode, "the same number of outputs" in rule.stdout) == (0, True)
    vector = ifcert("explain", "onnx/if/then-when-true/test-cc-if")
    assert (vector.returncode, "test_cc_if" in vector.stdout) == (0, True)
    assert "  declared in vectors/onnx/choice/branch_choice.py\n" in vector.stdout


@pytest.mark.parametrize(
    ("vector", "text"),
    [
        ("onnx/if/then-when-true/test-cc-if", "\n    res = If(cond)\n      then_branch () -> (then_out)\n"),
        ("openvino/if/then-when-true/negated", '\n  <net name="'),
        ("tflite/if/then-when-true/add-or-negate", "If("),
        ("onnx/model/file-is-whole/second-half-missing", "\n  This file cannot be read as a model: "),
        ("onnx/model/file-is-whole/second-half-missing", "\n  00000010  "),
    ],
)
def test_explain_prints_the_model_of_a_vector(vector: str, text: str) -> None:
    assert text in ifcert("explain", vector).stdout.partition("\nmodel (")[2]


def test_explain_goes_from_a_rule_to_its_sentences_places_vectors_and_deviations() -> None:
    said = ifcert("explain", "onnx/if/output-count").stdout
    order = [
        'if-else-branch-output-count: "The number of outputs must match the number of outputs in the then_branch."\n'
        "    ONNX Operators, If, Attributes, else_branch (in versions 1, 11, 13, 16, 19, 21, 23, 24, 25)",
        "checked in the reference",
        "  reference/if/onnx_if_rules.cpp: output_count",
        "  computes: the model is legal and the values must be right",
        "    onnx/if/output-count/two-everywhere: ",
        "  diagnoses: the model is illegal and a good implementation refuses it",
        "    onnx/if/output-count/cross-fault-else-returns-more-place-untaken: ",
        "  open: the texts leave the outcome open, but a wrong value or a crash is still wrong",
        "    onnx/if/output-count/output-unnamed: ",
        "known deviations",
        "  onnx-reference: 29 vectors, docs/deviations/onnx-reference.md#onnx-reference-computes-illegal-models",
    ]
    places = [said.find(each) for each in order]
    assert -1 not in places, order[places.index(-1)]
    assert places == sorted(places)


def test_explain_knows_the_rules_and_sentences_of_every_system() -> None:
    rule = ifcert("explain", "openvino/if/output-type").stdout
    assert 'if-8-types-equal: "The type of the subgraph output and the type of the associated output from If' in rule
    assert "  reference/if/openvino_if_rules.cpp: output_type" in rule
    assert ifcert("explain", "if-8-cond").stdout.endswith("  openvino/if/cond-shape\n  openvino/if/cond-is-boolean\n")


def test_explain_shows_why_a_rule_has_no_vectors_of_a_kind() -> None:
    said = ifcert("explain", "onnx/model/nesting-limit").stdout
    assert "  none on computes, none on diagnoses: a limit of the reference only" in said
    assert said.endswith("known deviations\n  none\n")


def test_explain_goes_from_a_sentence_to_its_rules_or_the_reason_for_none() -> None:
    ruled = ifcert("explain", "if-cond-single-element")
    assert (ruled.returncode, ruled.stdout.splitlines()[1]) == (0, '  "The tensor must contain a single element."')
    assert ruled.stdout.endswith("status\n  rule\n  onnx/if/cond-single-element\n")
    assert "status\n  informative: nothing is computed" in ifcert("explain", "ir-node-name").stdout
    assert "did you mean if-cond-single-element?" in ifcert("explain", "if-cond-single").stderr


def test_explain_knows_what_vectors_quote_of_texts_that_are_not_listed_sentence_by_sentence() -> None:
    assert ifcert("explain", "operators-nonzero").stdout == (
        "operators-nonzero\n"
        '  "Returns the indices of the elements that are non-zero"\n\n'
        "place\n  ONNX operator schemas (onnx.defs), NonZero\n  https://github.com/onnx/onnx/blob/v1.22.0/docs/Operators.md\n\n"
        "status\n  quoted: its text is not listed sentence by sentence\n"
    )
    fact = ifcert("explain", "if-types-of-each-version").stdout
    assert fact.startswith("if-types-of-each-version\n  each version's own list\n\nplace\n")
    assert "did you mean operators-nonzero" in ifcert("explain", "operators-nonzer").stderr
    assert "\n  operators-add-same-type: Add: both operands" not in ifcert("explain", "operators-add-*").stdout
    assert "  operators-add-same-type: both operands are of type T\n" in ifcert("explain", "operators-add-*").stdout


def test_explain_counts_the_matches_of_each_kind() -> None:
    said = ifcert("explain", "onnx/if/*").stdout
    counts = re.match(r"onnx/if/\*: (\d+) rules, (\d+) vectors\n\nrules\n", said)
    assert counts and int(counts[2]) > 100 > int(counts[1])
    assert said.endswith(f"… and {int(counts[2]) - 20} more vectors; --all shows them\n")
    assert "more rules" in said or int(counts[1]) <= 21


def test_lists_are_json_on_request() -> None:
    for what in ["rules", "vectors", "adapters", "profiles"]:
        run = ifcert("list", what, "--json")
        assert run.returncode == 0
        assert json.loads(run.stdout)


def test_the_rules_are_listed_with_everything_in_docs_rules() -> None:
    listed = {rule["name"]: rule for rule in json.loads(ifcert("list", "rules", "--json").stdout)}
    rule = listed["onnx/if/cond-is-bool"]
    assert "if-cond-only-bool" in rule["sentences"]
    assert {"file": "reference/if/onnx_if_rules.cpp", "function": "cond_is_bool"} in rule["places"]
    assert rule["vectors"] == rule["computes"] + rule["diagnoses"] + rule["open"]
    assert {"adapter", "vectors", "link"} == set(rule["deviations"][0])
    assert [none["vectors"] for none in listed["onnx/if/then-when-true"]["without"]] == [["diagnoses"]]


def test_a_failure_to_print_is_exit_2(tmp_path: Path) -> None:
    for arguments in [
        ["check", CHOICE],
        ["run", CHOICE, "--input", "cond=true"],
        ["certify", "reference", "--vector", "onnx/if/then-when-true/test-cc-if", "--out", tmp_path],
        ["list", "rules"],
        ["--help"],
    ]:
        with Path("/dev/full").open("w") as full:
            run = subprocess.run([IFCERT, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
        assert run.returncode == 2, arguments
        assert "No space left on device" in run.stderr, arguments
