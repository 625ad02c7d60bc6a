"""The texts that vectors quote, each under one name."""

from ifcert.authoring.vector import Issue, Source


def if_page(clause: str) -> Source:
    """A sentence of ONNX's page of If, version 24 (seed 002)."""
    return Source("ONNX operators, If, versions 11 to 24 (seed 002)", clause)


def if_13_page(clause: str) -> Source:
    """A sentence of ONNX's page of If, version 13 (seed 003)."""
    return Source("ONNX operators, If-13 (seed 003)", clause)


def if_1_schema(clause: str) -> Source:
    """A sentence of the text of If-1, which only the schema registry holds."""
    return Source("ONNX operators, If-1 (onnx.defs)", clause)


def operator_schema(clause: str) -> Source:
    """A fact of the operator schemas, as onnx.defs holds them."""
    return Source("ONNX operator schemas (onnx.defs)", clause)


def ir(clause: str) -> Source:
    """A sentence of the ONNX IR specification."""
    return Source("ONNX IR specification (docs/IR.md)", clause)


def external_data(clause: str) -> Source:
    """A sentence of ONNX's page on external data."""
    return Source("ONNX external data (docs/ExternalData.md)", clause)


def proto(clause: str) -> Source:
    """A comment of onnx.proto."""
    return Source("onnx.proto", clause)


def issue(repository: str, number: int, note: str) -> Issue:
    """An issue of a public repository, given as owner/name."""
    return Issue(f"https://github.com/{repository}/issues/{number}", note)


MAY_DEFINE = ir(
    "Graphs: 'Nested subgraphs [...] MUST define the names of its inputs and outputs and MAY define the types'"
)
