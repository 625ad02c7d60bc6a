"""Versions: of the IR, and of the operator sets that its layers name."""

from collections.abc import Iterator

from ifcert.authoring import Vector
from ifcert.authoring.ir import replaced
from ifcert.authoring.ir_patterns import adds_or_negates, everywhere, of_layer
from ifcert.authoring.sources import openvino_opsets

IR = "openvino/ir/version/"
SETS = "openvino/ir/operator-set-is-known/"
RULES_OF_READING = openvino_opsets(
    "IR Versions vs Operation Set Versions: 'Version of IR specifies the rules which are used to read the XML and "
    "binary files that represent a model.'"
)
TEN = openvino_opsets(
    "IR Versions vs Operation Set Versions: 'With IR version 10 introduced in OpenVINO 2020.1, the versioning of the "
    "operation set is tracked separately'"
)
ONCE = openvino_opsets("IR Versions vs Operation Set Versions: 'The IR version is specified once.'")
OF_EACH = openvino_opsets(
    "IR Versions vs Operation Set Versions: 'The name of the opset is specified for each operation in IR.'"
)
FIRST = openvino_opsets(
    "IR Versions vs Operation Set Versions: 'The first supported operation set in the new epoch is opset1.'"
)
ANY_THAT_HAS_IT = openvino_opsets(
    "IR Versions vs Operation Set Versions: 'An operation that is included in several opsets may be referred to with "
    "version which points to any opset that includes that operation.'"
)
MIXED = openvino_opsets(
    "IR Versions vs Operation Set Versions: 'A single xml file with IR may contain operations from different opsets.'"
)
THAT_VERSION = openvino_opsets(
    "'use that version of the Parameter operation that is included in the opset1 operation set'"
)

NO_SUCH_VERSION = "the pages describe versions 1 to 7 and 10, and have no rules for reading any other"


def vectors() -> Iterator[Vector]:
    """The version of the file, then those of layers."""
    yield from of_the_file()
    yield from of_layers()


def of_the_file() -> Iterator[Vector]:
    """10 and 11 are read; a file declares its version."""
    eleven = adds_or_negates(IR + "eleven", "the IR has version 11", [RULES_OF_READING])
    yield eleven
    yield eleven.varied(
        IR + "ten",
        "the IR has version 10; the output has the name of its layer and of its port",
        replaced('"main" version="11"', '"main" version="10"'),
        replaced('name="choice"', 'name="y"'),
        why=[TEN],
    )
    for case, title, text in [
        ("missing", "the IR declares no version", '"main"'),
        ("empty", "the version of the IR is empty", '"main" version=""'),
        ("in-letters", 'the IR has the version "eleven"', '"main" version="eleven"'),
    ]:
        yield eleven.broken(IR + case, title, replaced('"main" version="11"', text), why=[RULES_OF_READING, ONCE])
    for case, version in [("seven", 7), ("nine", 9), ("twelve", 12)]:
        yield eleven.varied(
            f"{IR}{case}",
            f"the IR declares version {version} in a file that is written as 11 is",
            replaced('"main" version="11"', f'"main" version="{version}"'),
            doubt=NO_SUCH_VERSION,
        )


def of_layers() -> Iterator[Vector]:
    """Any set that has the operation; then sets that do not exist, and operations that are in no set."""
    plain = adds_or_negates(SETS + "opset8-and-opset1", "If is of opset8, all else of opset1", [OF_EACH, FIRST, MIXED])
    yield plain
    for number in range(9, 17):
        yield plain.varied(
            f"{SETS}opset{number}",
            f"every layer is of opset{number}",
            everywhere(
                ('version="opset1"', f'version="opset{number}"'), ('version="opset8"', f'version="opset{number}"')
            ),
            why=[ANY_THAT_HAS_IT],
        )
    for case, title, why, edit in [
        ("unknown-set", 'the layer that adds is of "opset999"', OF_EACH, of_layer("op2", '"opset1"', '"opset999"')),
        ("set-zero", 'the layer that adds is of "opset0"', FIRST, of_layer("op2", '"opset1"', '"opset0"')),
        ("set-without-number", 'the layer that adds is of "opset"', OF_EACH, of_layer("op2", '"opset1"', '"opset"')),
        (
            "set-of-another-name",
            'the layer that adds is of "operations"',
            OF_EACH,
            of_layer("op2", '"opset1"', '"operations"'),
        ),
        (
            "set-of-another-name-with-a-number",
            'the layer that adds is of "other1", which is as long as "opset1"',
            OF_EACH,
            of_layer("op2", '"opset1"', '"other1"'),
        ),
        ("set-missing", "the layer that adds has no version", OF_EACH, of_layer("op2", ' version="opset1"', "")),
        (
            "set-of-the-if-unknown",
            'the If is of "opset999"',
            OF_EACH,
            replaced('version="opset8"', 'version="opset999"'),
        ),
        (
            "unknown-operation",
            'a layer has the type "Perhaps", which no set has',
            THAT_VERSION,
            of_layer("op2", '"Add"', '"Perhaps"'),
        ),
    ]:
        yield plain.broken(SETS + case, title, edit, why=[why])
    yield plain.varied(
        SETS + "operation-in-other-letters",
        'a layer has the type "add"',
        of_layer("op2", '"Add"', '"add"'),
        why=[THAT_VERSION],
        doubt="no page says whether the name of an operation is case-sensitive",
    )
