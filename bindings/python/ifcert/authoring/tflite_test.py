"""Reading, editing and writing models of TensorFlow Lite."""

import numpy as np
import pytest
from flatbuffers.number_types import Float32Flags, Int8Flags, Int32Flags, Uint8Flags, Uint32Flags, Uint64Flags
from flatbuffers.table import Table

from ifcert.authoring import REFUSED, Run, Vector
from ifcert.authoring.description import description
from ifcert.authoring.features import needs
from ifcert.authoring.forms import forms
from ifcert.authoring.generated import _passed_files
from ifcert.authoring.sources import says
from ifcert.authoring.tflite import TfliteModel, as_circle, as_in, replaced, tflite
from ifcert.authoring.tflite_constants import literal, stored
from ifcert.authoring.tflite_patterns import ADDS_OR_NEGATES, RUNS, joined, subgraph
from ifcert.authoring.values import codes, strings

Flags = type[Int32Flags]


class Read:
    """A table of a file, its fields by slot."""

    def __init__(self, data: bytes, place: int) -> None:
        self.table = Table(data, place)

    def _at(self, slot: int) -> int:
        return self.table.Offset(4 + 2 * slot)

    def has(self, slot: int) -> bool:
        return self._at(slot) != 0

    def number(self, slot: int, flags: Flags = Int32Flags, default: int = 0) -> int:
        return self.table.GetSlot(4 + 2 * slot, default, flags)

    def text(self, slot: int) -> str:
        return self.table.String(self._at(slot) + self.table.Pos).decode()

    def numbers(self, slot: int, flags: Flags = Int32Flags) -> list[int]:
        first, count = self.table.Vector(self._at(slot)), self.table.VectorLen(self._at(slot))
        return [self.table.Get(flags, first + i * flags.bytewidth) for i in range(count)]

    def tables(self, slot: int) -> list["Read"]:
        first, count = self.table.Vector(self._at(slot)), self.table.VectorLen(self._at(slot))
        return [Read(self.table.Bytes, self.table.Indirect(first + i * 4)) for i in range(count)]

    def inner(self, slot: int) -> "Read":
        return Read(self.table.Bytes, self.table.Indirect(self._at(slot) + self.table.Pos))

    def bytes_of(self, slot: int) -> tuple[int, bytes]:
        return self.table.Vector(self._at(slot)), bytes(self.numbers(slot, Uint8Flags))


def root(model: TfliteModel) -> Read:
    data = model.files()[model.file]
    return Read(data, int.from_bytes(data[:4], "little"))


VERSION, CODES, SUBGRAPHS, BUFFERS = 0, 1, 2, 4


def lines(*written: str, head: str = "main (x: int32[2]) -> (y)") -> TfliteModel:
    """One subgraph of these lines."""
    return joined(subgraph(head, *written))


def tensors(model: TfliteModel) -> list[Read]:
    return root(model).tables(SUBGRAPHS)[0].tables(0)


def operators(model: TfliteModel) -> list[Read]:
    return root(model).tables(SUBGRAPHS)[0].tables(3)


def test_inputs_and_outputs_are_those_of_the_primary_subgraph() -> None:
    assert ADDS_OR_NEGATES.inputs() == ["c", "x"]
    assert ADDS_OR_NEGATES.outputs() == ["y"]
    assert lines(head='main (x: int32[2] {name="other: 0"}) -> (x)').inputs() == ["other: 0"]


def test_the_file_has_the_subgraphs_tensors_and_operators_of_the_text() -> None:
    model = root(ADDS_OR_NEGATES)
    assert model.number(VERSION, Uint32Flags) == 3
    main, adds, negates = model.tables(SUBGRAPHS)
    assert [each.text(4) for each in (main, adds, negates)] == ["main", "adds", "negates"]
    assert [tensor.text(3) for tensor in main.tables(0)] == ["c", "x", "y"]
    assert [tensor.number(1, Int8Flags) for tensor in main.tables(0)] == [6, 0, 0]
    assert [tensor.numbers(0) for tensor in main.tables(0)] == [[], [2], [2]]
    assert (main.numbers(1), main.numbers(2)) == ([0, 1], [2])
    (choice,) = main.tables(3)
    assert (choice.numbers(1), choice.numbers(2)) == ([0, 1], [2])
    assert choice.number(3, Uint8Flags) == 92
    assert (choice.inner(4).number(0), choice.inner(4).number(1)) == (1, 2)


def test_operator_codes_are_written_both_ways_and_each_once() -> None:
    model = lines("a: int32[2] = ADD(x, x)", "b: int32[2] = ADD(a, a) version=2", "y: int32[2] = ADD(b, b)")
    found = [(code.number(0, Int8Flags), code.number(3), code.number(2)) for code in root(model).tables(CODES)]
    assert found == [(0, 0, 1), (0, 0, 2)]
    assert [each.number(0, Uint32Flags) for each in operators(model)] == [0, 1, 0]
    choice = root(ADDS_OR_NEGATES).tables(CODES)
    assert [(code.number(0, Int8Flags), code.number(3)) for code in choice] == [(118, 118), (0, 0), (59, 59)]


def test_a_code_above_127_has_the_placeholder_in_the_byte() -> None:
    (code,) = root(lines("y: int32[2]", "() = CALL_ONCE() init=main")).tables(CODES)
    assert (code.number(0, Int8Flags), code.number(3)) == (127, 129)


def test_codes_may_be_any_number_or_left_out() -> None:
    (code,) = root(lines("y: int32[2] = ADD(x, x) code=500 deprecated_code=-")).tables(CODES)
    assert (code.has(0), code.number(3)) == (False, 500)
    (custom,) = root(lines('y: int32[2] = CUSTOM(x) custom_code="mine"')).tables(CODES)
    assert (custom.text(1), custom.number(3)) == ("mine", 32)


def test_buffers_are_aligned_and_the_first_is_empty() -> None:
    data = ADDS_OR_NEGATES.files()["model.tflite"]
    first, second = root(ADDS_OR_NEGATES).tables(BUFFERS)
    assert not first.has(0)
    place, held = second.bytes_of(0)
    assert (place % 16, held) == (0, np.float32([10, 20]).tobytes())
    assert data[4:8] == b"TFL3"


def test_a_buffer_outside_lies_behind_the_table() -> None:
    model = lines("a: int8[3] {outside} = [1, 2, 3]", "b: int32[2] {outside} = [4, 5]", "y: int32[2] = ADD(x, b)")
    data = model.files()["model.tflite"]
    for buffer, held in zip(root(model).tables(BUFFERS)[1:], (b"\1\2\3", np.int32([4, 5]).tobytes()), strict=True):
        place, size = buffer.number(1, Uint64Flags), buffer.number(2, Uint64Flags)
        assert not buffer.has(0)
        assert (place % 16, data[place : place + size]) == (0, held)


def test_buffers_are_shared_named_by_number_and_given_other_places() -> None:
    model = lines(
        "k: int32[2] = [1, 2]",
        "l: int32[2] {buffer=k}",
        "m: int32[2] {buffer=99}",
        "n: int32[2] {buffer=new}",
        "o: int32[2] {outside offset=7 size=4611686018427387904} = [3, 4]",
        "y: int32[2] = ADD(x, k)",
    )
    assert [tensor.number(2, Uint32Flags) for tensor in tensors(model)] == [0, 1, 1, 99, 2, 3, 0]
    assert not root(model).tables(BUFFERS)[2].has(0)
    assert root(model).tables(BUFFERS)[3].number(1, Uint64Flags) == 7
    assert root(model).tables(BUFFERS)[3].number(2, Uint64Flags) == 1 << 62


def test_unknown_dims_are_1_in_the_shape_and_minus_1_in_the_signature() -> None:
    known, unknown, ranked, unranked, other = tensors(
        lines("a: int32[2,?]", "b: int32[]", "u: int32[...]", "y: int32[2] {signature=[-1] shape=[-5]}")
    )
    assert (known.numbers(0), known.has(7), known.number(8, Uint8Flags)) == ([2], False, 1)
    assert (unknown.numbers(0), unknown.numbers(7)) == ([2, 1], [2, -1])
    assert (ranked.has(0), ranked.numbers(0), ranked.number(8, Uint8Flags)) == (True, [], 1)
    assert (unranked.has(0), unranked.has(8)) == (False, False)
    assert (other.numbers(0), other.numbers(7)) == ([-5], [-1])


def test_attributes_of_tensors_are_written() -> None:
    attributes = "type=77 scale=[0.5,0.25] zero_point=[3,4] quantized_dimension=1 variable without=name"
    x, y = tensors(lines(f"y: int8[2] {{{attributes}}}").edited(replaced("x: int32[2]", 'x: int32[2] {name="x, y"}')))
    assert x.text(3) == "x, y"
    assert (y.has(3), y.number(1, Int8Flags), y.number(5, Uint8Flags)) == (False, 77, 1)
    quantization = y.inner(4)
    assert quantization.numbers(2, Float32Flags) == [0.5, 0.25]
    assert (quantization.has(3), quantization.number(6)) == (True, 1)


def test_a_sparse_tensor_has_dense_dims_in_order() -> None:
    _, y = tensors(lines("y: int32[3,5] {sparse}"))
    sparsity = y.inner(6)
    assert (sparsity.numbers(0), sparsity.has(1)) == ([0, 1], False)
    assert [(dim.number(0, Int8Flags), dim.number(1)) for dim in sparsity.tables(2)] == [(0, 3), (0, 5)]


def test_tensors_stand_in_the_order_that_a_line_gives() -> None:
    model = lines("tensors y, k", "k: int32[2] = [1, 2]", "y: int32[2] = ADD(x, k)")
    assert [tensor.text(3) for tensor in tensors(model)] == ["y", "k", "x"]
    assert operators(model)[0].numbers(1) == [2, 1]


def test_operands_may_be_absent_or_any_index() -> None:
    model = lines("y: int32[2] = ADD(-, @99)", head="main (x: int32[2], @-7) -> (y, -)")
    assert operators(model)[0].numbers(1) == [-1, 99]
    (main,) = root(model).tables(SUBGRAPHS)
    assert (main.numbers(1), main.numbers(2)) == ([0, -7], [1, -1])


def test_an_operator_may_give_nothing_or_what_another_gives() -> None:
    model = lines("y: int32[2] = NEG(x)", "() = NEG(y)", "y = ABS(x)")
    assert [each.numbers(2) for each in operators(model)] == [[1], [], [1]]


def test_indices_of_subgraphs_may_be_absent_or_any_number() -> None:
    (choice,) = operators(lines("y: int32[2] = IF(x) then=-3"))
    assert choice.inner(4).number(0) == -3
    assert (choice.inner(4).has(0), choice.inner(4).has(1)) == (True, False)
    (explicit,) = operators(lines("y: int32[2] = IF(x) then=main else=0"))
    assert explicit.inner(4).has(0)


def test_options_may_be_missing_or_those_of_another_operator() -> None:
    none, other, typed, mixed = operators(
        lines(
            "a: int32[2] = IF(x) options=none",
            "b: int32[2] = IF(x) options=WhileOptions cond=main body=0",
            "c: int32[2] = IF(x) table=none",
            "y: int32[2] = IF(x) options=AddOptions table=IfOptions then=main",
        )
    )
    assert (none.has(3), none.has(4)) == (False, False)
    assert (other.number(3, Uint8Flags), other.has(4)) == (93, True)
    assert (typed.number(3, Uint8Flags), typed.has(4)) == (92, False)
    assert (mixed.number(3, Uint8Flags), mixed.inner(4).has(0)) == (11, True)


def test_options_are_written_and_those_that_repeat_the_tensors_follow() -> None:
    fused, joined_, cast, shape, packed, reshaped, summed, plain = operators(
        lines(
            "a: int32[2] = ADD(x, x) fused=RELU6",
            "b: int32[4] = CONCATENATION(x, x) axis=-1",
            "c: float32[2] = CAST(x)",
            "d: int64[1] = SHAPE(x)",
            "e: int32[2,2] = PACK(x, x) axis=1",
            "f: int32[2,1] = RESHAPE(x) new_shape=[2,-1]",
            "g: int32[] = SUM(x, d) keep_dims=true",
            "y: int32[2] = ABS(x)",
        )
    )
    assert fused.inner(4).number(0, Int8Flags) == 3
    assert (joined_.inner(4).number(0), joined_.inner(4).has(1)) == (-1, False)
    assert (cast.inner(4).number(0, Int8Flags), cast.inner(4).number(1, Int8Flags)) == (2, 0)
    assert shape.inner(4).number(0, Int8Flags) == 4
    assert (packed.inner(4).number(0), packed.inner(4).number(1)) == (2, 1)
    assert reshaped.inner(4).numbers(0) == [2, -1]
    assert summed.inner(4).number(0, Uint8Flags) == 1
    assert (plain.number(3, Uint8Flags), plain.has(4)) == (78, True)


def test_fields_may_be_left_out() -> None:
    model = tflite("""
        model tflite version=7 identifier=TFL9 description="a model" without=[buffers]
        subgraph main (x: int32[]) -> (x) {name=other without=[inputs,operators]}
    """)
    data = model.files()["model.tflite"]
    (main,) = root(model).tables(SUBGRAPHS)
    assert data[4:8] == b"TFL9"
    assert root(model).number(VERSION, Uint32Flags) == 7
    assert root(model).text(3) == "a model"
    assert not root(model).has(BUFFERS)
    assert (main.has(1), main.has(3), main.text(4)) == (False, False, "other")


def test_signatures_name_tensors_of_a_subgraph() -> None:
    model = ADDS_OR_NEGATES.edited(
        lambda text: (
            "signature first (value=x, flag=c) -> (result=y)\n"
            "signature second (value=a) -> (result=sum) {subgraph=adds}\n" + text
        )
    )
    first, second = root(model).tables(7)
    assert (first.text(2), first.number(4, Uint32Flags)) == ("first", 0)
    assert (second.text(2), second.number(4, Uint32Flags)) == ("second", 1)
    assert [(each.text(0), each.number(1, Uint32Flags)) for each in first.tables(0)] == [("value", 1), ("flag", 0)]
    assert [(each.text(0), each.number(1, Uint32Flags)) for each in second.tables(1)] == [("result", 2)]


def test_names_of_a_signature_may_be_quoted() -> None:
    model = ADDS_OR_NEGATES.edited(lambda text: 'signature "a b:0" ("x, y"=x, "c (1)"=c) -> ("r/0"=y)\n' + text)
    (signature,) = root(model).tables(7)
    assert signature.text(2) == "a b:0"
    assert [each.text(0) for each in signature.tables(0)] == ["x, y", "c (1)"]
    assert [each.text(0) for each in signature.tables(1)] == ["r/0"]


def test_a_signature_may_have_no_entry() -> None:
    _, y = tensors(lines("y: int32[2] {signature=[]}"))
    assert (y.has(7), y.numbers(7)) == (True, [])


def test_metadata_has_a_name_and_a_buffer() -> None:
    model = ADDS_OR_NEGATES.edited(lambda text: f'model tflite metadata="of a tool"\n{text}')
    (metadata,) = root(model).tables(6)
    assert (metadata.text(0), metadata.number(1, Uint32Flags)) == ("of a tool", 2)
    assert len(root(model).tables(BUFFERS)) == 3


def test_a_model_may_have_no_subgraph() -> None:
    assert root(tflite("model tflite")).tables(SUBGRAPHS) == []


def test_literals_are_numbers_bits_strings_or_bytes() -> None:
    model = lines(
        "a: float32[2] = [1.5, 0x7fc00001]",
        "b: bool[2] = [true, false]",
        "c: int64[1,2] = [[-1, 2]]",
        r'd: string[2] = ["a, \"b]", "\x00"]',
        "e: complex64[1] = [1-2j]",
        "f: int8[2] = bytes ff 00 7",
        "g: uint8[] = 255",
        "y: int4[3] = [1, 2, -1]",
    ).edited(replaced("ff 00 7", "ff 00 07"))
    held = [buffer.bytes_of(0)[1] for buffer in root(model).tables(BUFFERS)[1:]]
    assert held[0] == np.float32([1.5]).tobytes() + bytes.fromhex("0100c07f")
    assert held[1] == b"\1\0"
    assert held[2] == np.int64([-1, 2]).tobytes()
    assert held[3] == np.int32([2, 16, 22, 23]).tobytes() + b'a, "b]' + b"\0"
    assert held[4] == np.complex64([1 - 2j]).tobytes()
    assert held[5:] == [b"\xff\x00\x07", b"\xff", b"\x21\x0f"]


def test_a_value_has_a_literal() -> None:
    text = strings([3], [b"", b'say "a\0b"', b"caf\xc3\xa9 it's"])
    patterns = codes("float16", [2], [0x7E01, 0x8000])
    model = lines(
        f"a: string[3] = {literal(text)}",
        f"b: float16[2] = {literal(patterns)}",
        f"y: int32[] = {literal(np.int32(7))}",
    )
    held = [buffer.bytes_of(0)[1] for buffer in root(model).tables(BUFFERS)[1:]]
    assert held == [stored(text), bytes.fromhex("017e0080"), np.int32(7).tobytes()]


def test_circle_has_its_identifier_and_its_name() -> None:
    circle = ADDS_OR_NEGATES.edited(as_circle)
    assert list(circle.files()) == ["model.circle"]
    table = ADDS_OR_NEGATES.files()["model.tflite"]
    assert circle.files()["model.circle"][4:8] == b"CIR0"
    assert len(circle.files()["model.circle"]) == len(table)
    assert root(circle).number(VERSION, Uint32Flags) == 0
    explicit = ADDS_OR_NEGATES.edited(lambda text: "model tflite version=3\n" + text, as_circle)
    assert root(explicit).number(VERSION, Uint32Flags) == 3


def test_types_operators_and_circle_are_needed_and_if_is_not() -> None:
    assert needs(ADDS_OR_NEGATES, []) == ["operator:ADD", "operator:NEG", "type:bool", "type:float32"]
    assert "format:circle" in needs(ADDS_OR_NEGATES.edited(as_circle), [])
    assert needs(lines("y: int32[2] = WHILE(x) cond=main body=main"), []) == ["operator:WHILE", "type:int32"]


def test_replaced_wants_its_text_once_in_its_subgraph() -> None:
    edited = ADDS_OR_NEGATES.edited(replaced("float32[2])", "float32[3])", within="negates"))
    assert "negates (b: float32[3])" in edited.text
    assert "adds (a: float32[2])" in edited.text
    with pytest.raises(ValueError, match="occurs 3 times in the text, not once"):
        ADDS_OR_NEGATES.edited(replaced("float32[2])", ""))
    with pytest.raises(ValueError, match="there is no subgraph neg"):
        ADDS_OR_NEGATES.edited(replaced("a", "b", within="neg"))
    assert ADDS_OR_NEGATES.edited(as_in(edited)) == edited


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("y: int32[2] = ADD(x, k)", "subgraph main has no tensor k"),
        ("y: int32[2] = ADD(x, x) axis=1", "AddOptions has no axis"),
        ("y: int32[2] = RELU(x) axis=1", "RELU without options has no axis"),
        ("x: int32[2]", "line 2: x is declared twice"),
        ("y: int32[2] {colour=1}", "a tensor has no colour"),
        ("y: int32[2] {without=colour}", "there is no colour to leave out"),
        ("y = [1, 2]", "neither a tensor nor an operator"),
        ("y: int32[2] = [1]", "has 2 elements; 1 were given"),
        ("y: int8[1] = [256]", "256 is not of type int8"),
        ("y: bfloat16[1] = [1.0]", "write bfloat16 as the bits"),
        ("y: int32[2] = ADD(x, x) fused=RELU fused=TANH", "fused occurs twice"),
        ("subgraph main (x: int32[2]) -> (x)", "there is already a subgraph main"),
        ("subgraph other x", "a subgraph has the form: subgraph name"),
        ("tensors y, x", "y does not have an element type of the schema"),
        ("y: float[2]", "not have an element type of the schema: 'float'"),
        ("signature x", "a signature has the form: signature key"),
        ("model other", "a model is tflite or circle, not other"),
    ],
)
def test_a_text_that_cannot_be_read_is_told(line: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        lines(line).files()


GOOD = Vector(
    "tflite/if/then-when-true/two",
    "two branches",
    [says("schema-if-options")],
    ADDS_OR_NEGATES,
    RUNS,
)


def test_a_broken_twin_runs_as_the_sound_one() -> None:
    broken = GOOD.broken("tflite/if/then-when-true/index: no such subgraph", replaced("then=adds", "then=99"))
    assert [run.expect for run in broken.every_run] == [REFUSED, REFUSED]
    written = description(broken, GOOD)
    assert (written["model"], written["needs"]) == ("model.tflite", description(GOOD, None)["needs"])


def test_a_damaged_file_keeps_its_name() -> None:
    circle = GOOD.varied("tflite/if/then-when-true/circle: as Circle", as_circle)
    broken = circle.broken("tflite/if/then-when-true/cut: cut off", bytes_edit=lambda data: data[:40])
    assert description(broken, circle)["model"] == "model.circle"
    files = _passed_files(broken, circle)
    assert len(files["model.circle"]) == 40


def test_a_run_feeds_the_inputs_of_the_primary_subgraph() -> None:
    with pytest.raises(Exception, match="the model's inputs are"):
        description(GOOD.varied("tflite/if/then-when-true/x: x", runs=[Run({}, {})]), None)


def test_it_is_found_what_nothing_reads_what_has_no_elements_and_what_is_absent() -> None:
    none = lines("k: int32[0] = []", "y: int32[0] = NEG(k)")
    assert forms(none) == {"unread-inputs", "empty-constants"}
    assert forms(lines("y: int32[2] = RESHAPE(x, -) new_shape=[2]")) == {"absent-operands"}
    assert forms(ADDS_OR_NEGATES) == set()
    assert forms(lines(head="main (x: int32[2]) -> (x)")) == set()
