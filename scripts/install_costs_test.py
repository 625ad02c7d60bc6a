"""scripts/install_costs.py writes an adapter's cost into its adapter.json."""

import json
from pathlib import Path

import install_costs
import pytest

MANIFESTS = [path for path in install_costs.ADAPTERS.glob("*/adapter.json") if json.loads(path.read_text())["install"]]


@pytest.mark.parametrize("file", MANIFESTS, ids=lambda file: file.parent.name)
def test_the_cost_is_written_once_and_nothing_else_changes(file: Path) -> None:
    cost = {"seconds": 7, "megabytes": 11}
    before = file.read_text()
    after = install_costs.with_cost(install_costs.with_cost(before, {"seconds": 1, "megabytes": 1}), cost)
    expected = json.loads(before)
    expected["install"]["cost"] = cost
    assert json.loads(after) == expected


def test_adapters_that_share_an_environment_are_measured_once() -> None:
    [(name, sharing)] = install_costs.environments(["litert-ref"]).items()
    assert name == "litert"
    assert {"litert", "litert-plain", "litert-ref"} <= set(sharing)
