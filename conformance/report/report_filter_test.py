"""The filter of the page: it keeps the matching results, counts them, and is part of the address."""

import json
from collections.abc import Callable
from typing import Any

Drive = Callable[..., Any]

SHOWN = """
    await new Promise((done) => setTimeout(done, 20));
    const all = (selector) => [...document.querySelectorAll(selector)];
    return {rows: all("#matrix tr[data-rule]").map((row) => row.dataset.rule.split("/").at(-1)),
            heads: all("#matrix thead th a").map((head) => head.textContent),
            cells: all("#matrix a.cell").map((cell) => cell.innerText.trim()),
            found: document.querySelector("#found [role=status]").textContent, hash: location.hash,
            listed: document.getElementById("details").innerText,
            title: document.getElementById("details-title").textContent};
"""


def choose(**choices: str) -> str:
    """Script text that sets choices of the filter as a user does."""
    return "".join(
        f"""{{ const field = form().elements[{json.dumps(name)}]; field.value = {json.dumps(value)};
               field.dispatchEvent(new Event("input", {{bubbles: true}})); }}"""
        for name, value in choices.items()
    )


def test_without_a_filter_every_rule_and_runtime_is_there(drive: Drive) -> None:
    seen = drive(SHOWN)
    assert len(seen["rows"]) == 10 and len(seen["heads"]) == 6
    assert seen["found"] == "86 results of 9 rules."
    assert seen["title"] == "Results that do not pass"


def test_words_find_rules_vectors_and_titles(drive: Drive) -> None:
    assert drive(choose(q="NaN payload") + SHOWN)["rows"] == ["value-unchanged"]
    assert drive(choose(q="rank-one") + SHOWN)["cells"][0] == "✓ 1 of 1 computes"
    assert drive(choose(q="returns THE same") + SHOWN)["rows"] == ["then-when-true"]


def test_words_find_what_the_runtime_said_and_printed(drive: Drive) -> None:
    assert drive(choose(q="assertion failed") + SHOWN)["rows"] == ["no-state-between-runs"]
    assert drive(choose(q="branches differ in their number") + SHOWN)["cells"] == ["✓ 1 of 1 diagnoses"]
    assert drive(choose(q="no answer within 10") + SHOWN)["rows"] == ["nesting"]


def test_a_verdict_keeps_its_results_and_counts_them(drive: Drive) -> None:
    seen = drive(choose(verdict="wrong-value") + SHOWN)
    assert seen["rows"] == ["value-unchanged", "no-state-between-runs"]
    assert seen["cells"] == ["✗ 1 of 3 computes\n1 fail", "✗ 1 of 3 computes\n1 fail", "✗ 2 of 3 computes\n2 fail"]
    assert seen["found"] == "4 of 86 results match: 2 rules, 2 runtimes."
    assert seen["title"] == "Results that match"
    assert "quick: 3 of 17 match" in seen["listed"] and "exact" not in seen["listed"]


def test_filters_combine(drive: Drive) -> None:
    seen = drive(choose(runtime="quick", verdict="failing", known="unlisted", q="state") + SHOWN)
    assert seen["heads"] == ["quick"]
    assert seen["cells"] == ["! 3 of 3 computes\n2 fail, 1 crash"]
    assert seen["hash"] == "#runtime=quick&verdict=failing&known=unlisted&q=state"
    assert drive(choose(axis="open") + SHOWN)["rows"] == ["output-is-outer-value"]
    assert drive(choose(system="openvino/if") + SHOWN)["cells"] == ["✓ 1 of 1 computes"]


def test_a_choice_shows_how_many_results_match(drive: Drive) -> None:
    options = drive(choose(runtime="quick", verdict="CRASH") + """
        const options = [...form().elements.verdict.options];
        return Object.fromEntries(options.map((option) => [option.value, option.textContent.trim()]));
    """)  # fmt: skip
    assert options["CRASH"] == "CRASH (1)"
    assert options["wrong-value"] == "wrong-value (3)"
    assert options["not-pass"] == "does not pass (5)"
    assert options["TIMEOUT"] == "TIMEOUT (0)"


def test_an_address_carries_the_filter(drive: Drive) -> None:
    seen = drive(SHOWN, "#verdict=CRASH&runtime=quick")
    assert seen["rows"] == ["no-state-between-runs"]
    assert drive("return filterNow();", "#verdict=__proto__&runtime=nobody&axis=%3Cimg%3E&q=") == {
        "runtime": "", "system": "", "axis": "", "verdict": "", "known": "", "cause": "", "q": "",
    }  # fmt: skip


def test_without_matches_the_page_says_so_and_offers_to_clear_the_filter(drive: Drive) -> None:
    seen = drive(choose(q="no such words", runtime="exact") + SHOWN)
    assert seen["rows"] == [] and seen["found"] == "No result matches."
    text = "document.getElementById('matrix').innerText"
    assert drive(choose(q="no such words") + f"return {text};") == "No result matches the filter."
    assert len(drive(choose(q="no such words") + "document.getElementById('clear').click();" + SHOWN)["rows"]) == 10


def test_a_panel_does_not_change_the_filter(drive: Drive) -> None:
    seen = drive(choose(verdict="CRASH") + """
        document.querySelector("a.cell").click();
        await new Promise((done) => setTimeout(done, 50));
        const open = document.getElementById("panel").open;
        document.querySelector("#panel .close").click();
        return [open, location.hash, filterNow().verdict];
    """)  # fmt: skip
    assert seen == [True, "#verdict=CRASH", "CRASH"]
