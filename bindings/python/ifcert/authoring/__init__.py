"""How vectors are written: models as ONNX text, expected values as literals, and the generator of their files."""

from ifcert.authoring.models import add_initializer, attribute, edited, else_of, if_node, model, replaced, then_of
from ifcert.authoring.sources import Issue, Source, Why, issue, says
from ifcert.authoring.values import absent, codes, floats, ints, sequence, some, strings
from ifcert.authoring.vector import REFUSED, Concurrent, Reread, Run, Vector, branches, vectors_of

__all__ = [
    "REFUSED",
    "Concurrent",
    "Issue",
    "Reread",
    "Run",
    "Source",
    "Vector",
    "Why",
    "absent",
    "add_initializer",
    "attribute",
    "branches",
    "codes",
    "edited",
    "else_of",
    "floats",
    "if_node",
    "ints",
    "issue",
    "model",
    "replaced",
    "says",
    "sequence",
    "some",
    "strings",
    "then_of",
    "vectors_of",
]
