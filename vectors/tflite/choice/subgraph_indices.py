"""The two indices of an If: in range, of any subgraph, and the options that hold them."""

from collections.abc import Iterator

from ifcert.authoring import Vector, issue
from ifcert.authoring.tflite import replaced
from ifcert.authoring.tflite_patterns import ADDS_OR_NEGATES, RUNS

INDEX, REQUIRED = "tflite/if/subgraph-index/", "tflite/if/options-required/"
UNCHECKED = issue("Samsung/ONE", 4583, "the indices of then's and else's subgraphs were not checked")


def _indices() -> Iterator[Vector]:
    sound = Vector(
        INDEX + "in-range",
        "then is subgraph 1, else subgraph 2, of three",
        ["onert-same-parameters", "rfc-integer-index"],
        ADDS_OR_NEGATES,
        RUNS,
    )
    yield sound.varied("as-numbers: the same indices, as numbers", replaced("then=adds else=negates", "then=1 else=2"))
    why = ["rfc-integer-index", "reader-indices"]
    for branch, label in [("then", "adds"), ("else", "negates")]:
        for case, number in [
            ("the-number-of-subgraphs", 3),
            ("99", 99),
            ("negative", -1),
            ("very-negative", -99),
            ("greatest", 2**31 - 1),
            ("least", -(2**31)),
        ]:
            yield sound.broken(
                f"{branch}-{case}: the index of {branch}'s subgraph is {number}, of three",
                replaced(f"{branch}={label}", f"{branch}={number}"),
                why=[*why, UNCHECKED] if number in (3, 99) else why,
            )
    yield sound.broken(
        "both-99: both indices are 99, of three subgraphs",
        replaced("then=adds else=negates", "then=99 else=99"),
        why=[*why, UNCHECKED],
    )


def _options() -> Iterator[Vector]:
    sound = Vector(
        REQUIRED + "of-if", "the options are IfOptions", ["rfc-options-table", "schema-builtins"], ADDS_OR_NEGATES, RUNS
    )
    both = "then=adds else=negates"
    for case, words in {
        "none: the If has no options": "options=none",
        "table-missing: the type of the options is IfOptions, but there is no table": "table=none",
        "of-while: the options are WhileOptions": "options=WhileOptions cond=adds body=negates",
        "of-add: the options are AddOptions": "options=AddOptions",
        "of-call: the options are CallOptions": "options=CallOptions subgraph=adds",
        "type-of-while: the table is IfOptions, its type WhileOptions": f"options=WhileOptions table=IfOptions {both}",
        "type-none: the table is IfOptions, its type NONE": f"options=none table=IfOptions {both}",
        "type-unknown: the type of the options is 200, which the schema does not have": (
            f"options=200 table=IfOptions {both}"
        ),
    }.items():
        yield sound.broken(f"{case}", replaced(both, words), why=["rfc-options-table", "reader-options"])
