"""ONNX's table of sentences against onnx.defs, onnx.proto and this project's documents."""

import re
from pathlib import Path

import onnx
import onnx.defs
import pytest
from ifcert.authoring.quotes import LEFT_OUT, plain, stands_in
from ifcert.authoring.sentences import Quote, Sentence, read_tables

HERE = Path(__file__).parent
(TABLE,) = (table for table in read_tables(HERE) if table.system == "onnx")
VERSIONS = sorted(schema.since_version for schema in onnx.defs.get_all_schemas_with_history() if schema.name == "If")
NEWEST_ON_THE_PAGE = 24  # on https://onnx.ai/onnx/operators/onnx__If.html; newer versions are only in onnx.defs
OF_IF = [each for each in TABLE.sentences if each.document == "if" and each.versions]


def quoted(document: str) -> list[Sentence | Quote]:
    """The sentences of a document, and what else vectors quote of it."""
    of_it = [each for each in (*TABLE.sentences, *TABLE.quotes) if each.document == document]
    return [each for each in of_it if each.quote]


def is_quoted(sentence: str, quote: str) -> bool:
    """Whether the quote is a whole sentence."""
    return stands_in(quote, sentence) if LEFT_OUT in quote else plain(quote) == plain(sentence)


def page(version: int) -> dict[str, list[str]]:
    """The contents of the page on If for that version: at each place a heading or a list of types, then sentences."""
    schema = onnx.defs.get_schema("If", version)
    (cond,), (outputs,) = schema.inputs, schema.outputs
    assert outputs.option == onnx.defs.OpSchema.FormalParameterOption.Variadic
    said = {
        "Description": [schema.doc],
        "Inputs": [f"Inputs ({schema.min_input} - {schema.max_input})"],
        "Inputs, cond": [f"cond ({cond.type_str})", *split(cond.description)],
        "Outputs": [f"Outputs ({schema.min_output} - {schema.max_output})"],
        "Outputs, outputs": [f"outputs ({outputs.type_str}, variadic)", *split(outputs.description)],
    }
    for name, attribute in schema.attributes.items():
        heading = f"{name} ({attribute.type.name}{', required' * attribute.required})"
        said[f"Attributes, {name}"] = [heading, *split(attribute.description)]
    for constraint in schema.type_constraints:
        types = ", ".join(sorted(constraint.allowed_type_strs))
        # The page lists the types of its newest version under the constraint, those of all versions in its history.
        under_constraint = constraint.type_param_str == "B" or version >= NEWEST_ON_THE_PAGE
        listed = [f"{constraint.type_param_str}: {types}"] * under_constraint
        said[f"Type Constraints, {constraint.type_param_str}"] = [*listed, *split(constraint.description)]
        if constraint.type_param_str == "V" and version <= NEWEST_ON_THE_PAGE:
            said["Version History"] = [f"Opset {version}: Types: {types}"]
    return said


def split(description: str) -> list[str]:
    return re.split(r"(?<=\.)\s*(?=[A-Z])", description)


def test_the_table_knows_every_version_of_if() -> None:
    assert sorted({version for sentence in TABLE.sentences for version in sentence.versions}) == VERSIONS


@pytest.mark.parametrize("version", VERSIONS)
def test_a_sentence_stands_in_the_versions_that_it_names_and_in_no_other(version: int) -> None:
    said = page(version)
    for sentence in OF_IF:
        stands = any(stands_in(sentence.quote, each) for each in said.get(sentence.place, []))
        assert stands == (version in sentence.versions), sentence.id


@pytest.mark.parametrize("version", VERSIONS)
def test_no_sentence_of_a_version_is_missing(version: int) -> None:
    for place, said in page(version).items():
        quotes = [each.quote for each in OF_IF if each.place == place and version in each.versions]
        assert [each for each in said if not any(is_quoted(each, quote) for quote in quotes)] == [], place


def test_sentences_of_onnx_proto_stand_there() -> None:
    text = (Path(onnx.__file__).parent / "onnx.proto").read_text()
    assert [s.id for s in quoted("proto") if not stands_in(s.quote, text)] == []


@pytest.mark.parametrize(
    ("document", "text"), {"ir": "IR.md", "external": "ExternalData.md", "if-13": "If-13.txt"}.items()
)
def test_sentences_of_a_page_stand_in_its_copy(document: str, text: str) -> None:
    page = (HERE / "onnx" / "texts" / text).read_text()
    assert quoted(document)
    assert [each.id for each in quoted(document) if not stands_in(each.quote, page)] == []


def test_sentences_of_this_project_stand_there() -> None:
    text = (HERE.parent / "docs" / "security.md").read_text()
    assert [s.id for s in TABLE.sentences if s.document == "limits" and not stands_in(s.quote, text)] == []


def test_sentences_of_the_operators_are_those_of_their_schemas() -> None:
    assert all(not onnx.defs.get_schema("If", version).outputs[0].is_homogeneous for version in VERSIONS)
    (constraint,) = onnx.defs.get_schema("Not", 1).type_constraints
    sentences = [sentence for sentence in TABLE.sentences if sentence.document == "operators"]
    quotes = {sentence.id: sentence.quote for sentence in sentences}
    assert quotes["operators-if-heterogeneous"] == "outputs (variadic, heterogeneous) : V"
    assert quotes["operators-not-boolean"] == constraint.description
    rest = [s for s in sentences if s.id not in ("operators-if-heterogeneous", "operators-not-boolean")]
    assert [s.id for s in rest if not stands_in(s.quote, text_of_operator(s.place.split(",")[0]))] == []


def test_quotes_of_the_operators_stand_in_their_schemas() -> None:
    quotes = [each for each in TABLE.quotes if each.document == "operators" and each.quote]
    assert len(quotes) > 50
    assert [each.id for each in quotes if not stands_in(each.quote, text_of_operator(each.place.split(",")[0]))] == []


def text_of_operator(name: str) -> str:
    """All that the schema says, in the version in parentheses ("Scan (8)") or in the newest.

    The defaults of integers are as the page of operators writes them: "axis : int (default is 0)".
    """
    name, _, version = name.removesuffix(")").partition(" (")
    schema = onnx.defs.get_schema(name, int(version)) if version else onnx.defs.get_schema(name)
    described = [*schema.inputs, *schema.outputs, *schema.attributes.values(), *schema.type_constraints]
    integers = [each for each in schema.attributes.values() if each.default_value.type == onnx.AttributeProto.INT]
    defaults = [f"{each.name} : int (default is {each.default_value.i})" for each in integers]
    return "\n".join([schema.doc, *(each.description for each in described), *defaults])
