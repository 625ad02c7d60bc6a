"""Tests of the features that a vector needs."""

import numpy as np

from ifcert.authoring.features import needs
from ifcert.authoring.models import add_initializer, model, then_of
from ifcert.authoring.values import absent, codes, sequence, some, value

TEXT = """
    g (bool cond, seq(float[2]) s) => (float[2] y) {
        y = If (cond) <
            then_branch = t () => (float[2] a) { i = Constant <value = int64 {0}> ()  a = SequenceAt (s, i) },
            else_branch = e () => (float[2] b) { b = local.f () }>
    }
    <domain: "local", opset_import: ["" : 16]>
    f () => (r) { c = Constant <value = double[2] {1, 2}> ()  r = Cast <to = 1> (c) }"""


def test_operators_and_types_are_found_in_branches_and_functions() -> None:
    found = needs(model(TEXT, domains={"local": 1}), [])
    assert found == [
        "kind:sequence",
        "operator:Cast",
        "operator:Constant",
        "operator:SequenceAt",
        "opset:16",
        "type:bool",
        "type:float32",
        "type:float64",
        "type:int64",
    ]


def test_initializers_of_branches_count() -> None:
    made = model("g (bool c) => () { y = If (c) <then_branch = t () => (k) {}, else_branch = e () => (j) {}> }", 21)
    add_initializer(then_of(made), "k", codes("int4", [1], [1]))
    assert "type:int4" in needs(made, [])


def test_values_count_by_kind_and_element_type() -> None:
    made = model("g () => () {}")
    assert needs(made, [absent("seq(tensor(int8))"), value(np.uint16(1))]) == [
        "kind:optional",
        "kind:sequence",
        "opset:16",
        "type:int8",
        "type:uint16",
    ]


def test_values_that_a_narrower_type_lacks_are_to_be_exact() -> None:
    made = model("g () => () {}")
    for wide in (np.int64([1, 2**31]), np.uint32(2**31), np.uint64(2**63), np.float64(1 + 2.0**-52), np.float64(1e300)):
        assert f"exact:{wide.dtype}" in needs(made, [value(wide)])
    for narrow in (np.int64([-(2**31), 2**31 - 1]), np.float64([0.5, np.inf]), np.int64([])):
        assert f"exact:{narrow.dtype}" not in needs(made, [value(narrow)])
    assert "exact:int64" in needs(made, [some(sequence("tensor(int64)", [np.int64(2**40)]))])
