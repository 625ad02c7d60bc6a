"""A file of N bytes costs a modest multiple of N: kinds of files that cost more once, each at N and a quarter of N.

Processor time is compared with that of a plain model of as many bytes, so that no machine is too slow; memory and the
output of `convert` with the bytes of the file. IFCERT_LONG=1 uses the sizes at which the kinds were found, and also N/8
and N/2.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import costly_captures as captures
import costly_ir as ir
import costly_onnx as onnx
import costly_tflite as tflite
import pytest
from measured import MEBIBYTE, Cost, run

LONG = os.environ.get("IFCERT_LONG") == "1"
FRACTIONS = (8, 4, 2, 1) if LONG else (4, 1)  # of N
AGAIN = 4  # more runs where one is near a bound: a plain model is also measured at its quickest of three
TIMES_PLAIN = 15  # processor time, of a plain model's
TIMES_QUARTER = 8  # processor time, of that of a file a quarter as large: 4 is linear, 16 is not
MEMORY_FREE, MEMORY_TIMES = 256 * MEBIBYTE, 64
OUTPUT_FREE, OUTPUT_TIMES = 100 * MEBIBYTE, 16

CHECK = ("check",)
CONVERT = ("convert.xml", "convert.tflite", "convert.onnx")
EVERY_TARGET = ("check", *CONVERT, "convert.circle")
SHOW = ("show.svg", "show.html", "show.dot")


@dataclass(frozen=True)
class Kind:
    """Makes a file of size n: of `largest`, or of `found`, the size at which the kind was found."""

    make: Callable[[Path, int], Path]
    largest: int
    found: int
    commands: tuple[str, ...] = CHECK
    inputs: tuple[str, ...] = ()


KINDS = [
    Kind(onnx.deep_type, 5_000, 20_000),
    Kind(onnx.deep_attribute_type, 5_000, 20_000),
    Kind(onnx.deep_operands, 4_000, 4_000),
    Kind(onnx.wrapped_types, 4_000, 20_000),
    Kind(onnx.redeclared_symbols, 800_000, 3_000_000),
    Kind(onnx.redeclared_in_branches, 800_000, 1_600_000),
    Kind(onnx.two_numbers, 800_000, 1_600_000),
    Kind(onnx.missing_names, 100_000, 400_000),
    Kind(onnx.references_to_default, 400_000, 800_000),
    Kind(onnx.references_to_strings, 1_600_000, 3_000_000),
    Kind(onnx.handed_on, 400_000, 800_000),
    Kind(onnx.calls_with_a_long_attribute, 400_000, 800_000),
    Kind(onnx.long_symbols_in_ifs, 800_000, 1_600_000),
    Kind(onnx.lists_for_many_nodes, 60_000, 60_000),
    Kind(onnx.graph_references, 32_000, 70_000, ("check", "convert.onnx")),
    Kind(onnx.graph_references_in_ifs, 16_000, 70_000, ("run",), ("c=true", "x=[1, 2]")),
    Kind(onnx.default_graphs, 32_000, 70_000),
    Kind(onnx.split, 160_000, 200_000, ("check", "convert.onnx")),
    Kind(onnx.inputs_with_defaults, 100_000, 140_000, ("run",)),
    Kind(onnx.chain_of_references, 800, 900, ("check", "convert.onnx")),
    Kind(onnx.constants_of_a_function, 800_000, 1_000_000, CONVERT),
    Kind(onnx.lists_of_a_function, 400_000, 1_000_000, ("check", *CONVERT)),
    Kind(onnx.shared_external_data, 4_000, 16_000, CONVERT),
    Kind(onnx.long_permutation, 800, 1_600, ("check", *CONVERT)),
    Kind(onnx.unsqueezed_axes, 20_000, 100_000, CONVERT),
    Kind(onnx.shared_names, 800_000, 1_600_000, CONVERT),
    Kind(onnx.shared_node_names, 800_000, 1_600_000, CONVERT),
    Kind(onnx.sparse_shape, 800, 3_000, ("check", "run"), ("x=[1, 2]",)),
    Kind(onnx.sparse_axes, 800, 3_000, ("check", "run"), ("x=[1, 2]",)),
    Kind(ir.attributes, 200_000, 400_000),
    Kind(ir.attributes_of_a_port, 200_000, 400_000),
    Kind(ir.children, 200_000, 800_000),
    Kind(ir.ports, 40_000, 100_000),
    Kind(ir.many_axes, 40_000, 60_000, ("check", "run", "convert.onnx")),
    Kind(ir.long_name, 400_000, 800_000, (*CONVERT, *SHOW)),
    Kind(ir.shared_list, 40_000, 100_000, CONVERT),
    Kind(ir.shared_order, 10_000, 40_000, CONVERT),
    Kind(ir.shared_constant, 80_000, 100_000, CONVERT),
    Kind(onnx.growing_ranks, 8_000, 20_000, ("check", *CONVERT)),
    Kind(onnx.ranks_of_many_operands, 4_000, 8_000, ("check", *CONVERT)),
    Kind(captures.through_levels, 280_000, 960_400, (*EVERY_TARGET, *SHOW)),
    Kind(captures.through_else_branches, 280_000, 960_400, EVERY_TARGET),
    Kind(captures.long_names_through_levels, 280_000, 960_400, EVERY_TARGET),
    Kind(captures.longer_names_through_levels, 200_000, 960_400, EVERY_TARGET),
    Kind(captures.types_through_levels, 160_000, 960_400, EVERY_TARGET),
    Kind(captures.constants_through_levels, 280_000, 960_400, (*EVERY_TARGET, "run"), ("c=true",)),
    Kind(captures.through_loops, 100_000, 960_400, EVERY_TARGET),
    Kind(captures.through_a_passed_graph, 280_000, 960_400, EVERY_TARGET),
    Kind(captures.into_many_branches, 280_000, 960_400, EVERY_TARGET),
    Kind(captures.in_a_called_function, 280_000, 960_400, EVERY_TARGET),
    Kind(onnx.long_axes, 400_000, 1_000_000, CONVERT),
    Kind(onnx.types_of_many_dims, 15_600, 15_600, EVERY_TARGET),
    Kind(onnx.chain_of_many_dims, 180_000, 400_000, EVERY_TARGET),
    Kind(onnx.splits_of_many_dims, 180_000, 980_000, EVERY_TARGET),
    Kind(ir.through_port_maps, 20_000, 100_000, EVERY_TARGET),
    Kind(tflite.operands_through_levels, 80_000, 400_000, EVERY_TARGET),
    Kind(tflite.shared_tensors, 8_000, 100_000, ("check", "convert.tflite")),
    Kind(tflite.shared_bytes_that_are_no_text, 8_000, 100_000, ("check", "convert.tflite")),
    Kind(tflite.shared_custom_code, 8_000, 100_000),
    Kind(tflite.shared_subgraphs, 20_000, 100_000, ("check", *CONVERT)),
    Kind(tflite.shared_operands, 8_000, 30_000, ("check", *CONVERT)),
    Kind(tflite.packed_operands, 8_000, 30_000, CONVERT),
    Kind(tflite.growing_ranks, 8_000, 20_000, ("check", *CONVERT)),
    Kind(tflite.ranks_that_grow_by_ten, 4_000, 8_000, ("check", *CONVERT)),
    Kind(tflite.chain_of_64_dims, 62_000, 95_000, EVERY_TARGET),
    Kind(tflite.shared_chain_of_64_dims, 90_000, 180_000, EVERY_TARGET),
    Kind(tflite.many_axes, 8_000, 20_000, ("check", *CONVERT)),
    Kind(tflite.shared_permutation, 8_000, 20_000, ("check", *CONVERT)),
    Kind(tflite.shared_shape, 8_000, 20_000, ("check", *CONVERT)),
    Kind(tflite.shared_dims, 8_000, 20_000, ("check", *CONVERT)),
    Kind(tflite.shared_slices, 8_000, 20_000, ("check", *CONVERT)),
    Kind(tflite.shared_strings, 8_000, 20_000),
    Kind(tflite.misaligned_pieces, 8_000, 20_000),
    Kind(tflite.shared_constant, 8_000, 20_000, CONVERT),
    Kind(tflite.handed_in, 8_000, 20_000, ("check", *CONVERT, *SHOW)),
    Kind(tflite.copied_names, 72_000, 72_000, EVERY_TARGET),
    Kind(tflite.doubling_paths, 800, 900, ("check", *CONVERT, *SHOW)),
]
PLAIN = {
    onnx.__name__: (onnx.plain, "onnx"),
    captures.__name__: (onnx.plain, "onnx"),
    ir.__name__: (ir.plain, "xml"),
    tflite.__name__: (tflite.plain, "tflite"),
}


def cost_of(command: str, path: Path, inputs: tuple[str, ...] = ()) -> tuple[Cost, int]:
    """The cost of the command, and how much it writes."""
    name, _, ending = command.partition(".")
    if not ending:
        given = (word for each in inputs for word in ("--input", each)) if name == "run" else ()
        return run(name, path, *given), 0
    folder = path.parent / "written"
    folder.mkdir(exist_ok=True)
    cost = run(name, path, *(["-o"] if name == "show" else []), folder / f"model.{ending}")
    written = list(folder.iterdir())
    size = sum(file.stat().st_size for file in written)
    for file in written:
        file.unlink()
    return cost, size


@cache
def seconds_of_plain(name: str, command: str, folder: Path) -> float:
    """The processor time for a mebibyte of a plain model, at its quickest of three."""
    make, ending = PLAIN[name]
    path = make(folder / f"plain.{ending}", MEBIBYTE)
    return min(cost_of(command, path)[0].seconds for _ in range(3))


def size_of(path: Path) -> int:
    """The file, and the files beside it: external data, a .bin."""
    return sum(file.stat().st_size for file in path.parent.iterdir() if file.is_file())


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: f"{kind.make.__module__}.{kind.make.__name__}")
def test_a_file_costs_a_modest_multiple_of_its_size(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, kind: Kind
) -> None:
    name = kind.make.__module__
    plain_folder = tmp_path_factory.getbasetemp()
    seconds: dict[tuple[str, int], float] = {}
    for fraction in FRACTIONS:
        path = kind.make(tmp_path / f"model.{PLAIN[name][1]}", (kind.found if LONG else kind.largest) // fraction)
        size = size_of(path)
        for command in kind.commands:
            unit = seconds_of_plain(name, command, plain_folder)
            plain = unit * max(1, size / MEBIBYTE)
            bounds = [TIMES_PLAIN * plain]
            quarter = seconds.get((command, fraction * 4))
            if quarter is not None:
                bounds.append(TIMES_QUARTER * quarter + 3 * unit)
            cost, written = cost_of(command, path, kind.inputs)
            for _ in range(AGAIN):
                if cost.seconds > min(bounds) / 2:
                    cost = min(cost, cost_of(command, path, kind.inputs)[0], key=lambda each: each.seconds)
            print(f"{command}: {size} bytes, {cost.code}, {cost.seconds:.2f} s, plain {plain:.2f} s, "
                  f"{cost.resident // MEBIBYTE} MiB, {written} written")  # fmt: skip
            assert cost.code in (0, 1, 2), (command, cost)
            assert "bad_alloc" not in cost.said, (command, cost)
            assert cost.seconds <= min(bounds), (command, size, cost, plain, quarter)
            seconds[command, fraction] = cost.seconds
            assert cost.resident <= MEMORY_FREE + MEMORY_TIMES * size, (command, size, cost)
            assert written <= OUTPUT_FREE + OUTPUT_TIMES * size, (command, size, written)
        for file in tmp_path.iterdir():
            if file.is_file():
                file.unlink()
