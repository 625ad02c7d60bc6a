"""The page in a real browser: it shows the report, opens what its address names, and runs no code from data."""

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
from browser import Page

ROOT = Path(__file__).resolve().parents[2]
HOSTILE = "</script><img src=x onerror=\"document.title='run'\">"

Drive = Callable[..., Any]
Open = Callable[..., Page]


def click(adapter: str, rule: str) -> str:
    """Script text that clicks a cell and waits for the panel."""
    name = json.dumps(f"{adapter}, {rule}: ")
    return f"""
        document.querySelector(`a.cell[aria-label^={name}]`).click();
        await new Promise((done) => setTimeout(done, 50));
        const panel = document.getElementById("panel");
        const first = panel.querySelector("details.vector");
    """


def test_a_sentence_sums_up_each_runtime(drive: Drive) -> None:
    sentences = drive("return [...document.querySelectorAll('.card p:not(.cost)')].map((each) => each.textContent);")
    assert sentences[1] == "computes: 13 of 13 vectors pass; 7 of 7 rules hold."
    assert sentences[4] == (
        "6 of 8 rules of If hold; 2 have a deviation; causes: 2 silent wrong values, 1 crash or hang."
    )
    assert sentences[5] == "computes: 9 of 13 vectors pass, 3 fail, 1 crash; 5 of 7 rules hold."
    assert sentences[6] == "diagnoses: 2 of 3 vectors pass, 1 lenient (known); 1 of 2 rules hold."
    assert sentences[7] == "open: 1 of 1 vector passes; 1 of 1 rule holds."
    assert sentences[17] == (
        "computes: 9 of 13 vectors pass, 1 out of memory, 1 adapter error, 1 runner error, 1 not run; "
        "4 of 7 rules hold."
    )


def test_the_head_says_when_the_run_was_and_how_many_results_are_of_earlier_ones(drive: Drive) -> None:
    run = drive("return document.querySelector('#identity dd').textContent;")
    assert run == "2026-11-21T03:46:46Z, 76 s · 40 of 84 results are of earlier runs, since 2026-11-20T12:00:00Z"


def test_an_error_in_the_page_is_noticed(drive: Drive) -> None:
    console: list[str] = []
    drive("console.error('seen'); return 1;", console=console)
    assert any("seen" in line for line in console)


def test_a_load_from_the_network_is_noticed(drive: Drive) -> None:
    console: list[str] = []
    drive("document.body.append(make('img', {src: 'https://example.org/x.png'})); return 1;", console=console)
    assert any("Content Security Policy" in line for line in console)


def test_a_cell_shows_k_of_n_with_a_sign(drive: Drive) -> None:
    said = drive("""
        const cells = [...document.querySelectorAll("a.cell")];
        return Object.fromEntries(cells.map((cell) => [cell.getAttribute("aria-label"), cell.innerText]));
    """)
    assert said["exact, onnx/if/then-when-true: computes 2 of 2"] == "✓ 2 of 2 computes"
    lenient = "quick, onnx/if/cond-single-element: computes 1 of 1; diagnoses 1 of 2, 1 lenient (known)"
    assert said[lenient] == "✓ 1 of 1 computes\n~ 1 of 2 diagnoses\n1 lenient (known)"
    crash = "quick, onnx/if/no-state-between-runs: computes 0 of 3, 2 fail, 1 crash"
    assert said[crash] == "! 0 of 3 computes\n2 fail, 1 crash"
    unsupported = "checker, onnx/if/then-when-true: computes 0 of 2, 2 unsupported"
    assert said[unsupported] == "– 0 of 2 computes\n2 unsupported"
    not_run = "shaky, onnx/if/output-count: computes 0 of 1, 1 not run; diagnoses 0 of 1, 1 not run"
    assert said[not_run] == "○ 0 of 1 computes\n1 not run\n○ 0 of 1 diagnoses\n1 not run"


def test_leniency_has_a_colour_of_its_own(drive: Drive) -> None:
    fail, lenient = drive("""
        const colourOf = (rule) => getComputedStyle(document.querySelector(
            `a.cell[aria-label^="quick, onnx/if/${rule}"]`)).borderLeftColor;
        return [colourOf("value-unchanged"), colourOf("cond-single-element")];
    """)
    assert fail != lenient


def test_a_cell_opens_with_its_failing_vector(drive: Drive) -> None:
    seen = drive(click("quick", "onnx/if/value-unchanged") + """
        return {open: panel.open, vector: first.dataset.vector, unfolded: first.open, text: first.innerText,
                hash: location.hash, others: panel.querySelectorAll("details.vector").length};
    """)  # fmt: skip
    assert seen["open"] and seen["unfolded"]
    assert seen["vector"] == "onnx/if/value-unchanged/nan-payload"
    assert seen["others"] == 3
    assert "FAIL (wrong-value)" in seen["text"]
    assert (
        "/opt/ifcert certify /opt/adapters/quick --vector onnx/if/value-unchanged/nan-payload"
        " --out reproduced/quick/onnx/if/value-unchanged/nan-payload"
    ) in seen["text"]
    assert "/opt/ifcert reproduce onnx/if/value-unchanged/nan-payload --runtime quick" in seen["text"]
    assert seen["hash"] == "#adapter=quick&rule=onnx%2Fif%2Fvalue-unchanged"


def test_values_that_look_equal_show_their_bits_and_are_marked(drive: Drive) -> None:
    marked = drive(click("quick", "onnx/if/value-unchanged") + """
        return [...first.querySelectorAll("mark")].map((mark) => mark.textContent);
    """)  # fmt: skip
    assert marked == ["NaN 0x7fc00001", "-0", "NaN 0x7fc00000", "0"]


def test_a_nan_always_shows_its_bits(drive: Drive) -> None:
    text = drive(click("narrow", "onnx/if/value-unchanged") + "return first.innerText;")
    assert "[1, NaN 0x7e00, 0.5]" in text
    assert "[1, NaN 0x7fc00000, 0.5]" in text


def test_a_crash_shows_its_signal_its_step_and_what_it_printed(drive: Drive) -> None:
    text = drive(click("quick", "onnx/if/no-state-between-runs") + "return first.innerText;")
    assert "Signal\n11 SIGSEGV" in text
    assert "Step\n3 of 4" in text and "Phase\nrun" in text
    assert "3. run" in text
    assert "quick: assertion failed" in text


def test_a_known_failure_is_marked_and_linked(drive: Drive) -> None:
    seen = drive(click("quick", "onnx/if/cond-single-element") + """
        const links = [...first.querySelectorAll("a")].map((link) => link.getAttribute("href"));
        return {text: first.innerText, links};
    """)  # fmt: skip
    assert "known failure" in seen["text"]
    assert "https://github.com/example/quick/issues/1" in seen["links"]
    assert "Accepted twin: onnx/if/cond-single-element/rank-one" in seen["text"]


def test_the_address_opens_a_vector(drive: Drive) -> None:
    fragment = "#adapter=narrow&rule=onnx%2Fif%2Ftypes-of-opset&vector=onnx%2Fif%2Ftypes-of-opset%2Fsequence"
    script = "return [...document.querySelectorAll('details.vector[open]')].map((each) => each.innerText);"
    opened = drive(script, fragment)
    assert len(opened) == 1
    assert "sequence of tensor(int64), 2 items" in opened[0]
    assert "[-1]" in opened[0] and "no elements" in opened[0]


def test_an_address_that_names_nothing_opens_nothing(drive: Drive) -> None:
    assert drive("return document.getElementById('panel').open;", "#adapter=nobody&rule=__proto__&vector=x") is False


def test_closing_the_panel_returns_to_the_matrix(drive: Drive) -> None:
    seen = drive(click("quick", "onnx/if/value-unchanged") + """
        panel.querySelector(".close").click();
        return [panel.open, location.hash];
    """)  # fmt: skip
    assert seen == [False, ""]


def test_a_disagreement_with_the_lists_is_at_the_top_and_links_to_its_vector(drive: Drive) -> None:
    seen = drive("""
        const section = document.getElementById("breaches");
        return {text: section.innerText, link: section.querySelector("a").getAttribute("href")};
    """)
    assert "1 disagreement with the known-failure lists" in seen["text"]
    assert "quick: 1 unlisted-and-fails" in seen["text"]
    assert seen["link"].endswith("&vector=onnx%2Fif%2Fvalue-unchanged%2Fnan-payload")


def test_a_rule_opens_with_its_vectors_on_every_runtime(drive: Drive) -> None:
    items = drive(
        "return [...document.querySelectorAll('#panel details.vector > summary')].map((each) => each.innerText);",
        "#rule=onnx%2Fif%2Foutput-count",
    )
    assert len(items) == 2
    assert "✓exact" in items[0] and "○shaky" in items[0] and "other-format" not in items[0]


def test_each_profile_names_the_rules_that_are_missing(drive: Drive) -> None:
    seen = drive("""
        const folds = [...document.querySelectorAll("#profiles > details")];
        const fold = folds.find((each) => each.textContent.startsWith("quick"));
        fold.open = true;
        const cell = fold.querySelector("tbody td");
        cell.querySelector("details").open = true;
        return {profile: fold.querySelector("tbody th").innerText, text: cell.querySelector("summary").innerText,
                links: [...cell.querySelectorAll("a")].map((link) => link.getAttribute("href"))};
    """)
    missing = len(seen["links"])
    assert seen["profile"] == "onnx"
    assert seen["text"].endswith(f"; {missing} missing")
    assert missing > 0
    assert all("quick" in link and "onnx" in link for link in seen["links"])


def test_arrow_keys_walk_the_cells(drive: Drive) -> None:
    reached = drive("""
        const key = (name) => new KeyboardEvent("keydown", {key: name, bubbles: true});
        const press = (name) => document.activeElement.dispatchEvent(key(name));
        document.querySelector("a.cell").focus();
        press("ArrowRight");
        press("ArrowDown");
        return document.activeElement.getAttribute("aria-label");
    """)
    assert reached.startswith("quick, onnx/if/cond-single-element: ")


OPEN_EVERYTHING = """
    for (const link of document.querySelectorAll("a.cell, a.rule, .open-list a")) {
        link.click();
        await new Promise((done) => setTimeout(done, 5));
        for (const item of document.querySelectorAll("#panel details")) item.open = true;
        await new Promise((done) => setTimeout(done, 5));
        texts.push(document.getElementById("panel").innerText);
        for (const each of document.querySelectorAll("a[href]")) links.add(each.getAttribute("href"));
        images += document.querySelectorAll("img:not(.drawing > img[src^='blob:'])").length;
    }
"""


def test_hostile_text_runs_nothing_and_is_shown_as_text(drive: Drive) -> None:
    seen = drive("const texts = [], links = new Set(); let images = 0;" + OPEN_EVERYTHING + """
        const shown = texts.filter((text) => text.includes(report.vectors[16].title)).length;
        return {title: document.title, images, links: [...links], shown};
    """)  # fmt: skip
    assert seen["title"] == "ifcert: conformance of If"
    assert seen["images"] == 0
    assert seen["shown"]
    assert all(re.match(r"#|https?://", link) for link in seen["links"])


def test_report_json_matches_its_schema(reports: Path) -> None:
    schema = json.loads((ROOT / "conformance/schemas/report.schema.json").read_text())
    jsonschema.validate(json.loads((reports / "report.json").read_text()), schema)


def test_junit_xml_is_xml_with_a_case_for_each_vector_and_rewriting(reports: Path) -> None:
    suites = ET.parse(reports / "junit.xml").getroot()
    assert [len(suite.findall("testcase")) for suite in suites] == [13, 3, 1, 13, 3, 1, 3, *[13, 3, 1] * 3, 1]
    crashed = suites.findall(".//error[@type='CRASH']/../system-err")
    assert [each.text for each in crashed] == [f"<U+001B>[31mquick: assertion failed\ufffd\n{HOSTILE}]]>\n"]


def test_a_script_that_is_not_the_page_s_own_does_not_run(drive: Drive) -> None:
    console: list[str] = []
    title = drive(
        """
        const script = document.createElement("script");
        script.textContent = "document.title = 'run'";
        document.body.append(script);
        const image = document.createElement("div");
        image.setAttribute("onclick", "document.title = 'run'");
        document.body.append(image);
        image.click();
        return document.title;""",
        console=console,
    )
    assert title == "ifcert: conformance of If"
    assert sum("Content Security Policy" in line for line in console) == 2


def test_unseen_characters_are_named(drive: Drive) -> None:
    text = drive(click("shaky", "onnx/if/nesting") + "return first.innerText;")
    assert "\u202e" not in text and "\x1b" not in text
    assert "⟨U+001B⟩[2J⟨U+202E⟩gnp.exe⟨U+202C⟩ @everyone" in text


def test_the_page_counts_as_the_report_does(drive: Drive) -> None:
    differing = drive("""
        return report.tallies.filter((tally) => {
            const mine = tallyOf(resultsOf(adapters.get(tally.adapter), rules.get(tally.rule), tally.axis));
            return key(mine.vectors, mine.known) !== key(tally.vectors, tally.known)
                || Object.keys(tally.verdicts).some((verdict) => mine.verdicts[verdict] !== tally.verdicts[verdict]);
        });
    """)
    assert differing == []


def test_held_outputs_and_concurrent_runs_are_shown_as_such(drive: Drive) -> None:
    held, threads = drive("""
        const texts = [];
        for (const name of ["held", "threads"]) {
            location.hash = place({adapter: "quick", rule: "onnx/if/no-state-between-runs",
                                   vector: `onnx/if/no-state-between-runs/${name}`});
            await new Promise((done) => setTimeout(done, 50));
            texts.push(document.querySelector("#panel details.vector[open]").innerText);
        }
        return texts;
    """)
    assert "2. run, with its outputs held" in held
    assert "4. reread: the held outputs of step 2, read again" in held
    assert "[3, 4]" in held[held.index("4. reread") :]
    assert "2. concurrent: 2 runs at the same time, each in a thread of its own" in threads
    assert threads.count("GOT") == 2


def test_times_separate_the_runtime_s_part_from_ours(drive: Drive) -> None:
    text = drive(click("quick", "onnx/if/value-unchanged") + "return first.innerText;")
    assert "1.5 ms: 1.3 ms in the runtime, 0.25 ms in ifcert" in text
    costs = drive("return [...document.querySelectorAll('.card .cost')].map((each) => each.textContent);")
    assert costs[0] == "17 vectors in 26 ms; overhead per vector 0.25 ms, 95 % under 0.25 ms"
    assert costs[4] == "15 vectors in 23 ms"


def test_the_foot_shows_what_was_run_and_how(drive: Drive) -> None:
    head, text = drive("return ['.page-head', '.page-foot'].map((each) => document.querySelector(each).innerText);")
    assert "9f86d081" not in head
    for words in (
        "2026-11-21T03:46:46Z, 76 s",
        "9f86d081",
        "memory 2048 MiB",
        "timeout 10 s",
        "network: shared: unshare",
    ):
        assert words in text


# The rule's page.


def test_a_rule_s_page_shows_which_runtimes_fail_and_how(drive: Drive) -> None:
    text = drive("return document.getElementById('panel').innerText;", "#rule=onnx%2Fif%2Fcond-single-element")
    assert "cond has exactly one element, whatever its rank" in text
    assert "Clause: ONNX Operators, If-25, Summary" in text
    assert "diagnoses ~ 1 of 2 (1 lenient (known))" in text
    assert "LENIENT 1 result" in text
    assert "quick: every step was accepted; the model should have been refused" in text
    assert "https://github.com/example/quick/issues/1" in text
    assert "3 vectors" in text


def test_a_vector_s_page_shows_every_runtime(drive: Drive) -> None:
    fragment = "#rule=onnx%2Fif%2Fvalue-unchanged&vector=onnx%2Fif%2Fvalue-unchanged%2Fnan-payload"
    text = drive(
        """
        for (const fold of document.querySelectorAll("#panel details[open] details")) fold.open = true;
        await new Promise((done) => setTimeout(done, 50));
        return document.querySelector("#panel details.vector[open]").innerText;""",
        fragment,
    )
    assert "output 0 (res): 2 of 4 elements differ" in text
    assert "NaN 0x7fc00001" in text and "NaN 0x7fc00000" in text
    assert "choice (bool cond)" in text


def test_a_hostile_model_is_drawn_and_runs_nothing(open_page: Open) -> None:
    page = open_page("#rule=onnx%2Fif%2Fthen-when-true&vector=onnx%2Fif%2Fthen-when-true%2Ftest-cc-if")
    seen = page.evaluate("""
        const image = await new Promise((found) => {
            const look = () => document.querySelector(".drawing img") ?? null;
            const wait = () => (look() ? found(look()) : setTimeout(wait, 20));
            wait();
        });
        await image.decode();
        const svg = await (await readDrawings()).svgs[0];
        return {width: image.naturalWidth, title: document.title, svg};
    """)
    assert seen["width"] > 50
    assert seen["title"] == "ifcert: conformance of If"
    assert "onerror" in seen["svg"] and "<img" not in seen["svg"]


def test_a_vector_without_a_model_says_so(drive: Drive) -> None:
    script = "await new Promise((done) => setTimeout(done, 100)); return document.getElementById('panel').innerText;"
    assert "No drawing: this vector has no drawing" in drive(script, "#rule=onnx%2Fif%2Fnesting")
