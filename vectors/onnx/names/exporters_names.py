"""Names of the forms that exporters write, on everything in a model that has a name."""

import re
from collections.abc import Callable, Iterator

import numpy as np
from ifcert.authoring import Run, Vector, edited, floats, model, says
from ifcert.authoring.models import respelled
from onnx import ModelProto

X = floats(1, -2)

# Names of ours begin with t_; every one of them is spelled anew, in each graph and in the function.
NAMED = """
    t_main (bool t_cond, bool t_inner, float[2] t_x) => (float[t_N] t_y, float[t_N] t_sum)
    <float[2] t_k = {10, 20}, int64 t_trips = {2}, bool t_go = {1}> {
        [t_node_1] t_size = t_domain.t_scaled <t_factor = 3.0> (t_x, t_inner)
        [t_node_2] t_y = If (t_cond) <
            then_branch = t_then () => (float[t_N] t_a) <float[2] t_w = {1, 2}> {
                [t_node_3] t_added = Add (t_size, t_w)
                [t_node_4] t_a = If (t_inner) <
                    then_branch = t_deep_then () => (float[t_N] t_c) { [t_node_5] t_c = Add (t_added, t_k) },
                    else_branch = t_deep_else () => (float[t_N] t_d) { [t_node_6] t_d = Neg (t_added) }>
            },
            else_branch = t_else () => (float[t_N] t_b) {
                [t_node_7] t_b = Loop (t_trips, t_go, t_x) <
                    body = t_step (int64 t_i, bool t_on, float[2] t_v) => (bool t_on_out, float[2] t_v_out) {
                        [t_node_8] t_on_out = Identity (t_on)
                        [t_node_9] t_v_out = Add (t_v, t_k)
                    }>
            }>
        [t_node_10] t_sum = Sub (t_y, t_x)
    }
    <domain: "t_domain", opset_import: ["" : 17]>
    t_scaled <t_factor> (t_in, t_c_in) => (t_out) {
        t_constant = Constant <value_float: float = @t_factor> ()
        t_product = Mul (t_in, t_constant)
        t_out = If (t_c_in) <
            then_branch = t_third () => (t_e) { t_e = Neg (t_product) },
            else_branch = t_fourth () => (t_f) { t_f = Identity (t_product) }>
    }"""
EVERYTHING = model(NAMED, 17, domains={"t_domain": 1})

WORDS = re.findall(
    r"\w+",
    "if else return class int float void const for while do then_branch else_branch body graph node input output name "
    "value Add Sub Mul If Loop Constant Identity onnx main None True False nan inf null self lambda def import and or "
    "not in is pass break try with as from global yield raise",
)
WORD_OF = dict(zip(dict.fromkeys(re.findall(r"\bt_(\w+)", NAMED)), WORDS, strict=False))

# Who writes such names, or what they consist of, and the form.
FORMS: dict[str, tuple[str, Callable[[str], str]]] = {
    "colons": ("as TensorFlow's, with a number behind a colon", lambda name: f"{name}:0"),
    "two-colons": ("as PyTorch's, with a prefix and two colons", lambda name: f"onnx::{name}_12"),
    "slashes": ("as PyTorch's of modules, with slashes", lambda name: f"/model/layers.0/{name}_output_0"),
    "dots": ("as PyTorch's of weights, with dots", lambda name: f"module.0.{name}.weight"),
    "dashes": ("with dashes", lambda name: f"model-{name}-1"),
    "spaces": ("as scikit-learn's of columns, with spaces and parentheses", lambda name: f"{name} (cm)"),
    "spaces-around": ("with a space before and behind", lambda name: f" {name} "),
    "semicolons": ("as TensorFlow Lite's, with semicolons", lambda name: f"StatefulPartitionedCall/{name};{name};1"),
    "brackets": ("with brackets, commas and quotes", lambda name: f"self.layers[0]['{name}', \"a\"]"),
    "signs": ("with signs before them, as compilers' have", lambda name: f"%{name}$#@^~"),
    "backslashes": ("with backslashes, as paths have", lambda name: f"C:\\new\\{name}"),
    "markup": ("with what marks up XML", lambda name: f'<{name} a="1">&amp;</{name}>'),
    "format": ("with what formats text", lambda name: f"{{{name}}} %s %d {{}} $HOME"),
    "line-breaks": ("with a tab and a line break", lambda name: f"{name}\t1\n2"),
    "other-letters": ("with letters and signs of two, three and four bytes", lambda name: f"é{name}\u540d\U0001f600"),
    "digits-first": ("that begin with a digit", lambda name: f"12{name}"),
    "digits-alone": ("that are numbers, as older ones of PyTorch", lambda name: str(int(name.encode().hex(), 16))),
    "keywords": ("that are words of programming languages, operators or attributes of If", lambda name: WORD_OF[name]),
    "underscores": ("that begin with two underscores", lambda name: f"__{name}__"),
    "three-hundred-letters": ("of more than three hundred letters", lambda name: f"{'long_' * 60}{name}"),
}


def runs(form: Callable[[str], str]) -> list[Run]:
    """Both branches of each If, in the function too."""
    cond, inner, x, y, total = (form(name) for name in ("cond", "inner", "x", "y", "sum"))
    of_then = {deep: (-3 if deep else 3) * X + floats(1, 2) for deep in (True, False)}
    return [
        Run({cond: np.bool_(outer), inner: np.bool_(deep), x: X}, {y: value, total: value - X})
        for outer, deep, value in (
            (True, True, of_then[True] + floats(10, 20)),
            (True, False, -of_then[False]),
            (False, True, X + floats(20, 40)),
        )
    ]


def vectors() -> Iterator[Vector]:
    for case, (what, form) in FORMS.items():
        yield Vector(
            f"onnx/if/nesting/names-with-{case}",
            f"everything that has a name, in all graphs and a function, has one {what}",
            [
                says("ir-names-c90", note="so they need not"),
                "ir-names-namespaces",
                "ir-outer-scope",
                "ir-operator-sets-other-domains",
            ],
            everything(form),
            runs(form),
            also=["onnx/if/outer-scope-capture", "onnx/if/loop-in-branch", "onnx/if/in-function"],
        )


def everything(form: Callable[[str], str]) -> ModelProto:
    """The model in a form: every name that begins with t_ is spelled so, without its t_."""
    return edited(EVERYTHING, respelled(lambda name: form(name[2:]) if name.startswith("t_") else name))
