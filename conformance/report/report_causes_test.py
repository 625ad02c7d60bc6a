"""The causes on the page: what did not pass comes first, by kind, with the runtime's own words."""

from collections.abc import Callable
from typing import Any

from browser import Page

Drive = Callable[..., Any]
Open = Callable[..., Page]

ROWS = """
    const rows = [...document.querySelectorAll("#causes tr[data-cause]")].map((row) => row.innerText);
    const kinds = [...document.querySelectorAll("#causes tr.kind")].map((row) => row.innerText.trim());
"""


def kinds_of(drive: Drive, runtime: str) -> dict[str, str]:
    """The runtime's row in the table of kinds."""
    heads, cells = drive(f"""
        const texts = (selector) => [...document.querySelectorAll(selector)].map((each) => each.innerText.trim());
        return [texts("#kinds thead th"), texts('#kinds tr[data-runtime="{runtime}"] > *')];
    """)
    return dict(zip(heads, cells, strict=True))


def test_the_first_screen_has_the_kinds_and_the_first_causes(open_page: Open) -> None:
    seen = open_page(width=1400, height=900).evaluate("""
        const bottom = (selector) => document.querySelector(selector).getBoundingClientRect().bottom;
        return [bottom("#kinds"), bottom("#causes tr[data-cause]")];
    """)
    assert max(seen) < 900


def test_each_runtime_has_its_number_of_each_kind(drive: Drive) -> None:
    quick = kinds_of(drive, "quick")
    assert quick["Rules of If that hold"] == "6 of 8"
    assert quick["wrong values"] == "✗ 3" and quick["crashes and hangs"] == "! 1" and quick["lenient"] == "~ 1"
    assert quick["refused"] == "0" and quick["unsupported"] == "0"
    assert kinds_of(drive, "checker")["unsupported"].startswith("– ")
    assert kinds_of(drive, "shaky")["not judged"] == "? 4"  # two of them without any result


def test_a_number_of_a_kind_selects_its_results(drive: Drive) -> None:
    found = drive("""
        const numbers = {};
        for (const link of document.querySelectorAll("#kinds td a")) {
            location.hash = link.getAttribute("href");
            await new Promise((done) => setTimeout(done, 30));
            numbers[link.getAttribute("aria-label")] = [
                link.innerText.trim().split(" ")[1],
                document.querySelector("#found [role=status]").textContent.split(" ")[0],
            ];
        }
        return numbers;
    """)
    assert len(found) > 8
    assert [name for name, (shown, selected) in found.items() if shown != selected] == []


def test_causes_come_by_kind_the_wrong_values_first(drive: Drive) -> None:
    kinds = drive(ROWS + "return kinds;")
    words = [kind.split("\n")[0] for kind in kinds]
    assert words[0].startswith("✗ wrong values 5 results of 4 causes")
    assert words[1].startswith("! crashes and hangs 3 results of 3 causes")
    assert words.index(next(word for word in words if "lenient" in word)) < len(words) - 1


def test_a_cause_shows_the_runtime_s_own_line_and_an_example(drive: Drive) -> None:
    rows = drive(ROWS + "return rows;")
    crash = next(row for row in rows if "signal 11" in row)
    assert "<img src=x onerror" in crash  # the last line that it printed, as text
    assert "onnx/if/no-state-between-runs/flip" in crash
    refusal = next(row for row in rows if "LENIENT" in row)
    assert "every step was accepted; the model should have been refused" in refusal and "known" in refusal


def test_the_causes_add_up_to_the_results_that_do_not_pass(drive: Drive) -> None:
    sums = drive("""
        const kinds = [...document.querySelectorAll("#causes tr.kind .quiet")];
        const shown = kinds.map((each) => parseInt(each.textContent));
        return [shown.reduce((a, b) => a + b), report.results.filter((each) => each.verdict !== "PASS").length];
    """)
    assert sums[0] == sums[1] > 0


def test_all_results_of_a_cause_are_a_click_away(drive: Drive) -> None:
    seen = drive("""
        const link = document.querySelector("#causes a.all");
        const count = link.textContent;
        link.click();
        await new Promise((done) => setTimeout(done, 50));
        return {count, found: document.querySelector("#found [role=status]").textContent, hash: location.hash,
                rows: document.querySelectorAll("#causes tr[data-cause]").length,
                listed: document.querySelectorAll("#details .open-list li").length};
    """)
    number = int(seen["count"].removeprefix("all "))
    assert number > 1
    assert seen["found"].startswith(f"{number} of ") and seen["listed"] == number
    assert seen["rows"] == 1 and seen["hash"].startswith("#cause=")


def test_the_filter_keeps_the_causes_of_its_results(drive: Drive) -> None:
    rows = drive(ROWS + "return rows;", "#runtime=narrow")
    assert rows and all("narrow" in row for row in rows)


def test_a_vector_s_panel_shows_the_path_of_its_model(drive: Drive) -> None:
    fragment = "#adapter=quick&rule=onnx%2Fif%2Fvalue-unchanged&vector=onnx%2Fif%2Fvalue-unchanged%2Fnan-payload"
    text = drive("return document.querySelector('#panel details.vector[open] .model-path').innerText;", fragment)
    assert text == "Model: vectors/onnx/if/value-unchanged/nan-payload/model.onnx"
