"""`Model.check` finds faults in loops and in calls before any run; tests of each operator's types are elsewhere."""

from __future__ import annotations

import numpy as np
import onnx.helper
import onnx.parser
import pytest

import ifcert

LOOP = """
<ir_version: 8, opset_import: ["" : 16]>
looped (int64{trips} n, bool on, int64[2] x) => (int64[2] y) {{
    y = Loop (n, on, x) <
        body = step (int64 i, bool c, {input} v) => ({outputs}) {{
            c_out = Identity (c)  w = {operation}  more = Identity (v)
        }}>
}}"""

SCAN = """
<ir_version: 8, opset_import: ["" : 16]>
scanned (float start, float[4] x) => (float z, float[4] y) {{
    z, y = Scan (start, x) <num_scan_inputs = 1{attributes},
        body = step (float s, {element} e) => (s_out, float out) {{ s_out = {state}  out = Cast <to = 1> (e) }}>
}}"""

# The branch that never runs has a Loop whose trip count is a list of two numbers.
TRIPS_OF_TWO = """
<ir_version: 8, opset_import: ["" : 16]>
main (float[2] x, int64[2] n) => (float[2] y) <bool yes = {%s}> {
    y = If (yes) <
        then_branch = then_graph () => (a) { a = Identity (x) },
        else_branch = else_graph () => (b) {
            b = Loop (n, "", x) <body = step (int64 i, bool c, v) => (c_out, w) {
                c_out = Identity (c)  w = Identity (v)
            }>
        }>
}"""

PASSED_BODY = """
<ir_version: 8, opset_import: ["" : 16, "local" : 1]>
main (int64 n, bool on, float[2] x) => (float[?] y) {
    y = local.repeated <step = passed (int64 i, bool c, float[2] v) => (bool c_out, w) {
        c_out = Identity (c)
        w = If (c) <then_branch = t () => (a) { a = Identity (v) }, else_branch = e () => (b) { b = Cast <to = 7> (v) }>
    }> (n, on, x)
}
<domain: "local", opset_import: ["" : 16]>
repeated <step> (n, on, x) => (float[?] y) { y = Loop <body : graph = @step> (n, on, x) }"""

# With the default of `to`, the branches would return other types.
CHOICE = """
<ir_version: 8, opset_import: ["" : 16, "local" : 1]>
main (bool c, float[2] x) => (float[2] y) { y = local.choose %s (c, x) }
<domain: "local", opset_import: ["" : 16]>
choose <to: int = 7> (c, v) => (r) {
    r = If (c) <
        then_branch = t () => (a) { a = Cast <to : int = @to> (v) },
        else_branch = e () => (b) { b = Cast <to = 1> (v) }>
}"""


def found_in(text: str) -> list[tuple[str, str]]:
    """The level and the rule of each finding."""
    return [(each.level, each.rule) for each in ifcert.load(onnx.parser.parse_model(text)).check()]


def loop(trips: str = "", input: str = "int64[2]", outputs: str = "c_out, w", operation: str = "Neg (v)") -> str:
    return LOOP.format(trips=trips, input=input, outputs=outputs, operation=operation)


def scan(attributes: str = "", element: str = "float", state: str = "Identity (s)") -> str:
    return SCAN.format(attributes=attributes, element=element, state=state)


def test_loops_that_fit_have_no_findings() -> None:
    assert not found_in(loop())
    assert not found_in(loop(trips="[1]"))
    assert not found_in(scan())
    assert not found_in(loop(input="int64[k]")), "the shapes of carried values may change"
    assert not found_in(loop(input="optional(int64[2])", operation="OptionalGetElement (v)")), "a Loop wraps a value"


@pytest.mark.parametrize(
    "text",
    [
        loop(input="float[2]", operation="Cast <to = 7> (v)"),
        loop(input="int64[3]"),  # the first trip is passed two numbers
        scan(element="int64"),
        scan(element="float[3]"),
    ],
    ids=["carried", "shape-of-carried", "element", "shape-of-element"],
)
def test_a_body_declares_the_types_that_it_is_passed(text: str) -> None:
    assert found_in(text) == [("error", "onnx/model/declared-type-agrees")]


@pytest.mark.parametrize(
    "text",
    [
        loop(outputs="c_out, w, more"),
        loop(outputs="c_out"),
        loop(outputs="w, w"),
        loop(outputs="c_out, w, s", operation="Neg (v)  s = SequenceConstruct (v)").replace(" y = ", " y, all = "),
        scan(state="Cast <to = 7> (s)"),
        scan(attributes=", scan_input_axes = [1]"),
        scan(attributes=", scan_output_axes = [-2]"),
    ],
    ids=["more-outputs", "fewer-outputs", "cond-of-int64", "stacked-sequence", "state", "input-axis", "output-axis"],
)
def test_a_body_fits_its_loop(text: str) -> None:
    assert found_in(text) == [("error", "onnx/model/operands-fit")]


def test_a_loop_has_an_output_for_each_carried_value() -> None:
    text = loop(outputs="c_out, w, more").replace("(n, on, x)", "(n, on, x, x)").replace(" v)", " v, other)")
    assert found_in(text) == [("error", "onnx/model/operands-fit")]


def test_a_trip_count_of_two_numbers_is_a_warning_where_no_run_reaches_it() -> None:
    assert found_in(TRIPS_OF_TWO % 1) == [("warning", "onnx/model/shapes-fit")]
    assert found_in(TRIPS_OF_TWO % 0) == [("error", "onnx/model/shapes-fit")]


def test_ifs_are_checked_in_a_body_that_a_call_passes() -> None:
    assert found_in(PASSED_BODY) == [("error", "onnx/if/same-data-type")]


def test_a_default_that_every_call_overrides_does_no_harm() -> None:
    assert not found_in(CHOICE % "<to = 1>")
    assert found_in(CHOICE % "") == [("error", "onnx/if/same-data-type")]


def test_every_function_on_a_cycle_is_named_and_a_direct_call_hides_no_branch() -> None:
    text = """
    <ir_version: 8, opset_import: ["" : 16, "local" : 1]>
    main (bool c, float[2] x) => (float[2] y) { y = local.first (c, x) }
    <domain: "local", opset_import: ["" : 16, "local" : 1]>
    first (c, v) => (r) {
        s = local.second (c, v)
        r = If (c) <
            then_branch = t () => (a) { a = local.second (c, s) },
            else_branch = e () => (b) { b = Neg (s) }>
    }
    <domain: "local", opset_import: ["" : 16, "local" : 1]>
    second (c, v) => (r) { r = local.first (c, v) }"""
    found = ifcert.load(onnx.parser.parse_model(text)).check()
    assert [(each.place, each.rule) for each in found] == [
        (f'function "{function}"', rule)
        for function in ("first", "second")
        for rule in ("onnx/model/no-function-recursion", "onnx/if/no-function-recursion")
    ]


# In a check of `outer` without a call, `to` is unknown. With the default of `inner`, Add would have operands of two
# types.
PASSED_ON = """
<ir_version: 8, opset_import: ["" : 16, "local" : 1]>
main (float[2] x) => (float[2] y) { y = local.outer <to = 1> (x) }
<domain: "local", opset_import: ["" : 16, "local" : 1]>
outer <to> (v) => (r) {
    a = local.inner <to : int = @to> (v)  half = Constant <value = float {0.5}> ()  r = Add (a, half)
}
<domain: "local", opset_import: ["" : 16]>
inner <to: int = 7> (v) => (r) { r = Cast <to : int = @to> (v) }"""

# The call of `middle` leaves out the graph, and so its call of `inner` does too.
LEFT_OUT = """
<ir_version: 8, opset_import: ["" : 16, "local" : 1]>
main (bool c, float[2] x) => (float[2] y) { y = local.middle %s (c, x) }
<domain: "local", opset_import: ["" : 16, "local" : 1]>
middle <way> (c, v) => (r) { r = local.inner <way : graph = @way> (c, v) }
<domain: "local", opset_import: ["" : 16]>
inner <way> (c, v) => (r) {
    r = If (c) <then_branch : graph = @way, else_branch = e () => (b) { b = Identity (v) }>
}"""
PASSED = "<way = w () => (float[2] a) { a = Neg (x) }>"


def with_default(model: onnx.ModelProto) -> onnx.ModelProto:
    """The graph `way` gets a default, a Constant; the text form has no defaults that are graphs."""
    (inner,) = (function for function in model.functions if function.name == "inner")
    inner.attribute.remove("way")
    body = onnx.parser.parse_graph("d () => (float[2] a) { a = Constant <value = float[2] {7, 8}> () }")
    inner.attribute_proto.append(onnx.helper.make_attribute("way", body))
    return model


def test_an_attribute_that_a_call_passes_on_does_not_have_the_default_of_the_callee() -> None:
    assert not found_in(PASSED_ON)


def test_a_graph_that_the_outer_call_leaves_out_has_the_default_of_the_callee() -> None:
    x = np.array([1, -2], np.float32)
    passed = ifcert.load(with_default(onnx.parser.parse_model(LEFT_OUT % PASSED)).SerializeToString())
    left_out = ifcert.load(with_default(onnx.parser.parse_model(LEFT_OUT % "")).SerializeToString())
    for model, expected in ((passed, [-1, 2]), (left_out, [7, 8])):
        assert not model.check()
        assert model.run({"c": np.array(True), "x": x})["y"].tolist() == expected
    assert [rule for _, rule in found_in(LEFT_OUT % "")] == ["onnx/if/both-branches-required"], "there is no default"


def test_a_call_passes_what_the_function_declares_of_its_inputs() -> None:
    model = onnx.parser.parse_model(PASSED_ON)
    model.ir_version = 10
    declared = onnx.helper.make_tensor_value_info("v", onnx.TensorProto.FLOAT, [2])
    model.functions[1].value_info.append(declared)
    assert not ifcert.load(model).check()
    declared.type.tensor_type.elem_type = onnx.TensorProto.INT64
    model.functions[1].value_info[0].CopyFrom(declared)
    (finding,) = ifcert.load(model).check()
    assert finding.rule == "onnx/model/declared-type-agrees"
    assert "declared as tensor(int64), but the call passes tensor(float32)" in finding.found


@pytest.mark.parametrize("operands", ["", "n"])
def test_a_loop_has_at_least_the_trip_count_and_cond(operands: str) -> None:
    found = found_in(f"""
<ir_version: 8, opset_import: ["" : 16]>
main (int64 n) => (int64[?] y) {{
    y = Loop ({operands}) <body = step (int64 i, bool c) => (bool c_out, int64 out) {{
        c_out = Identity (c)  out = Identity (i)
    }}>
}}""")
    assert ("error", "onnx/model/operands-fit") in found


def test_without_a_trip_a_scan_returns_the_state_that_it_is_given() -> None:
    found = found_in("""
<ir_version: 8, opset_import: ["" : 16]>
scanned (float[2] start, float[0] x) => (float[2] z) {
    z = Scan (start, x) <num_scan_inputs = 1, body = step (s, float e) => (s_out) { s_out = Concat <axis = 0> (s, s) }>
}""")
    assert not found, "a trip would change the shape of the state, but there is none"


def test_without_a_trip_a_scan_returns_a_state_of_a_length_that_the_file_leaves_open() -> None:
    found = found_in("""
<ir_version: 8, opset_import: ["" : 16]>
scanned (float[N] start, float[0] x, float[5] bias) => (float[5] y) {
    z = Scan (start, x) <num_scan_inputs = 1,
        body = step (float[M] s, float e) => (s_out) { s_out = Constant <value_floats = [1.0, 2.0, 3.0]> () }>
    y = Add (z, bias)
}""")
    assert not found, "the state may have 5 elements, although a trip would return 3"


@pytest.mark.parametrize("entered", [True, False])
def test_a_graph_that_a_call_passes_is_checked_even_if_the_function_does_not_enter_it(entered: bool) -> None:
    reads = "If (c) <then_branch : graph = @g, else_branch = e () => (b) { b = Identity (x) }>"
    found = found_in(f"""
<ir_version: 8, opset_import: ["" : 16, "local" : 1]>
main (bool c, float[2] x, int64[2] n) => (float[2] y) {{
    y = local.passed_on <g = passed () => (r) {{
        r = If (c) <then_branch = t () => (a) {{ a = Identity (x) }}, else_branch = e () => (b) {{ b = Identity (n) }}>
    }}> (c, x)
}}
<domain: "local", opset_import: ["" : 16]>
passed_on <g> (c, x) => (y) {{ y = {reads if entered else "Identity (x)"} }}""")
    assert ("error", "onnx/if/same-data-type") in found


def test_a_graph_that_is_not_entered_is_checked_with_the_types_of_each_call() -> None:
    """The function `f` passes the graph on, and only the second call of `f` makes its cond an integer."""
    found = found_in("""
<ir_version: 8, opset_import: ["" : 16, "local" : 1]>
main (bool c, int64 n, float[2] x) => (float[2] y, float[2] z) { y = local.f (c, x)  z = local.f (n, x) }
<domain: "local", opset_import: ["" : 16, "local" : 1]>
f (cond, x) => (y) {
    y = local.ignored <g = passed () => (r) {
        r = If (cond) <then_branch = t () => (a) { a = Identity (x) }, else_branch = e () => (b) { b = Neg (x) }>
    }> (x)
}
<domain: "local", opset_import: ["" : 16]>
ignored <g> (x) => (y) { y = Identity (x) }""")
    assert ("error", "onnx/if/cond-is-bool") in found


@pytest.mark.parametrize(("cond", "level"), [("on", "warning"), ('""', "error")])
def test_the_cond_that_a_body_returns_is_judged_like_what_runs_in_the_body(cond: str, level: str) -> None:
    found = found_in(f"""
<ir_version: 8, opset_import: ["" : 16]>
looped (bool on, float[2] x) => (float[2] y) {{
    y = Loop ("", {cond}, x) <body = step (int64 i, bool c, float[2] v) => (c_out, w) {{
        c_out = Constant <value = bool[2] {{0, 0}}> ()  w = Identity (v)
    }}>
}}""")
    assert found == [(level, "onnx/model/shapes-fit")]


@pytest.mark.parametrize(("carried", "fits"), [("seq(float)", True), ("float[2]", False)])
def test_a_carried_value_fits_the_optional_that_the_body_declares(carried: str, fits: bool) -> None:
    found = found_in(f"""
<ir_version: 8, opset_import: ["" : 16]>
looped (int64 n, {carried} x) => (seq(float) y) {{
    y = Loop (n, "", x) <body = step (int64 i, bool c, optional(seq(float)) v) => (c_out, w) {{
        c_out = Identity (c)  w = OptionalGetElement (v)
    }}>
}}""")
    assert (("error", "onnx/model/declared-type-agrees") not in found) == fits
    assert not (fits and found)


@pytest.mark.parametrize("levels", range(996, 1001))
def test_what_is_too_deep_to_be_inferred_has_no_types_of_an_earlier_call(levels: int) -> None:
    """The function `f0` is called with floats first, then with integers at a depth that a run would refuse."""
    calls = "".join(
        f'<domain: "d", opset_import: ["" : 16, "d" : 1]> f{level} (c, v) => (r) {{ r = d.f{level - 1} (c, v) }}\n'
        for level in range(1, levels + 1)
    )
    assert not found_in(f"""
<ir_version: 8, opset_import: ["" : 16, "d" : 1]>
main (bool c, float[2] x, int64[2] n) => (float[2] y, int64[2] z) {{
    y = d.f0 (c, x)
    z = If (c) <then_branch = t () => (a) {{ a = d.f{levels} (c, n) }}, else_branch = e () => (b) {{ b = Neg (n) }}>
}}
<domain: "d", opset_import: ["" : 16]> f0 (c, v) => (r) {{
    w = If (c) <then_branch = t () => (a) {{ a = Identity (v) }}, else_branch = e () => (b) {{ b = Neg (v) }}>
    r = Add (w, v)
}}
{calls}""")
