"""`ifcert show` as .svg and .html: well-formed for every vector, and the page in a real browser (headless Chromium)."""

import html
import importlib.metadata
import json
import os
import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import onnx
import pytest
from onnx import TensorProto, helper

ROOT = Path(__file__).resolve().parents[2]
IFCERT = Path(os.environ.get("IFCERT_BIN", ROOT / "build" / "release" / "bin")) / "ifcert"
GENERATED = ROOT / "vectors" / "onnx" / "generated"
BROKEN = GENERATED / "if" / "output-count" / "then-has-more.onnx"
DEEP = GENERATED / "if" / "outer-scope-capture" / "through-8-levels.onnx"
SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "</script><img src=x onerror=\"document.title='run'\">'\"&<!--"

Drive = Callable[..., Any]


def show(model: Path, picture: Path) -> subprocess.CompletedProcess[str]:
    """Runs the command."""
    return subprocess.run([IFCERT, "show", model, "-o", picture], capture_output=True, text=True, timeout=60)


def silero() -> Path:
    """A real model: 25 Ifs, four deep."""
    files = importlib.metadata.files("silero-vad") or []
    return next(Path(str(file.locate())) for file in files if file.name == "silero_vad.onnx")


@pytest.fixture
def drive(tmp_path: Path) -> Drive:
    """Opens a model's page, runs a script in it, and returns its result; the console must stay silent."""

    def run(model: Path, script: str, *options: str, console: list[str] | None = None) -> Any:  # noqa: ANN401
        page = tmp_path / "page.html"
        assert show(model, page).stderr == ""
        driver = (
            "<pre id=answer></pre><script nonce=ifcert>(async () => {"
            f"const answer = await (async () => {{ {script} }})();"
            "element('answer').textContent = JSON.stringify(answer);})();</script>"
        )
        text = page.read_text(encoding="utf-8")
        page.write_text(text.replace("</body>", driver + "</body>"), encoding="utf-8")
        browser = shutil.which("chromium") or pytest.fail("chromium is not installed; scripts/setup installs it")
        done = subprocess.run(
            [
                browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
                "--disable-sync", "--disable-background-networking", "--disable-component-update",
                "--enable-logging=stderr", "--virtual-time-budget=5000", "--dump-dom", "--window-size=1400,1000",
                f"--user-data-dir={tmp_path / 'profile'}", *options, page.as_uri(),
            ],
            capture_output=True, text=True, check=True, timeout=60,
        )  # fmt: skip
        said = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
        assert said == [] if console is None else console.extend(said) is None
        answer = re.search(r'<pre id="answer">(.*?)</pre>', done.stdout, re.DOTALL)
        assert answer and answer[1], "the script returned nothing"
        return json.loads(html.unescape(answer[1]))

    return run


def hostile_model(folder: Path) -> Path:
    """A legal If whose every name is an attack on a page."""
    out = helper.make_tensor_value_info(HOSTILE + "r", TensorProto.FLOAT, ["<b>" + HOSTILE])
    branches = [
        helper.make_graph(
            [helper.make_node("Identity", [HOSTILE], [HOSTILE + "r"], name=HOSTILE + role)], HOSTILE, [], [out]
        )
        for role in "te"
    ]
    choice = helper.make_node(
        "If", [HOSTILE + "c"], [HOSTILE + "y"], name=HOSTILE, then_branch=branches[0], else_branch=branches[1]
    )
    graph = helper.make_graph(
        [choice], HOSTILE,
        [helper.make_tensor_value_info(HOSTILE + "c", TensorProto.BOOL, []),
         helper.make_tensor_value_info(HOSTILE, TensorProto.FLOAT, [2])],
        [helper.make_tensor_value_info(HOSTILE + "y", TensorProto.FLOAT, [2])],
    )  # fmt: skip
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 16)], producer_name=HOSTILE)
    path = folder / "<img src=x onerror=alert(1)>.onnx"
    onnx.save(model, path)
    return path


def test_every_vector_that_is_a_model_is_drawn_as_well_formed_xml(tmp_path: Path) -> None:
    drawn = 0
    for model in sorted(GENERATED.rglob("*.onnx")):
        picture = tmp_path / f"{drawn}.svg"  # replacing one would flush it to the disk each time
        done = show(model, picture)
        if done.returncode == 2:
            continue  # no model: the vectors of hostile files
        assert (done.returncode, done.stderr) == (0, ""), model
        root = ET.parse(picture).getroot()
        assert root.tag == f"{SVG}svg"
        assert {each.tag.removeprefix(SVG) for each in root.iter()} <= {"svg", "style", "rect", "path", "text", "title"}
        drawn += 1
    assert drawn >= 450


def test_a_usual_vector_takes_a_few_kilobytes(tmp_path: Path) -> None:
    show(GENERATED / "if" / "then-when-true" / "test-cc-if.onnx", tmp_path / "model.svg")
    assert (tmp_path / "model.svg").stat().st_size < 4096


def test_an_unknown_form_is_refused_with_a_list_of_forms(tmp_path: Path) -> None:
    done = show(BROKEN, tmp_path / "model.png")
    assert done.returncode == 2
    assert "expected a name that ends in .svg, .html or .dot" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_hostile_names_are_text_in_both_forms(drive: Drive, tmp_path: Path) -> None:
    model = hostile_model(tmp_path)
    assert show(model, tmp_path / "model.svg").returncode == 0
    texts = [each.text for each in ET.parse(tmp_path / "model.svg").iter(f"{SVG}title")]
    assert any(HOSTILE in (text or "") for text in texts)
    seen = drive(model, """
        for (const key of foldable()) unfolded.add(key);
        redraw();
        choose({ box: [0, 2] });
        element("query").value = "onerror"; search(); step(1);
        return {title: document.title, images: document.images.length, hits: hits.length,
                heading: element("title").textContent};
    """)  # fmt: skip
    assert seen["title"].endswith("ifcert show") and seen["images"] == 0
    assert seen["hits"] > 3
    assert seen["heading"].startswith("<img src=x onerror=alert(1)>.onnx")


def test_a_load_from_the_network_is_noticed(drive: Drive) -> None:
    console: list[str] = []
    drive(BROKEN, "document.body.append(make('img', {src: 'https://example.org/x.png'})); return 1;", console=console)
    assert any("Content Security Policy" in line for line in console)


@pytest.mark.parametrize("model", [DEEP, None], ids=["through-8-levels", "silero_vad"])
def test_unfolded_the_page_is_the_same_picture_as_the_svg(drive: Drive, tmp_path: Path, model: Path | None) -> None:
    show(model or silero(), tmp_path / "model.svg")
    names = ["x", "y", "width", "height"]
    root = ET.parse(tmp_path / "model.svg").getroot()
    expected = sorted([float(rect.get(name, "nan")) for name in names] for rect in root.iter(f"{SVG}rect"))
    found = drive(model or silero(), f"""
        element("unfold").click();
        return [...drawing.rects.children].map((rect) =>
          {json.dumps(names)}.map((name) => Number(rect.getAttribute(name))));
    """)  # fmt: skip
    assert len(found) == len(expected)
    far = [pair for pair in zip(sorted([round(n) for n in rect] for rect in found), expected, strict=True)
           if any(abs(a - b) > 1 for a, b in zip(*pair, strict=True))]  # fmt: skip
    assert far == []


def test_silero_starts_orderly_and_unfolds_to_its_25_ifs(drive: Drive) -> None:
    seen = drive(silero(), """
        const ifs = () => [...picture.panels.keys()].reduce((sum, p) =>
          sum + model.panels[p].boxes.filter((box) => box.label === "If").length, 0);
        const start = {boxes: drawing.boxes.size, ifs: ifs()};
        element("unfold").click();
        const all = {boxes: drawing.boxes.size, ifs: ifs()};
        element("fold").click();
        return {start, all, folded: {boxes: drawing.boxes.size, ifs: ifs()},
                lines: drawing.texts.textContent.includes("then_branch: 342 nodes, 2 captures")};
    """)  # fmt: skip
    assert seen["all"]["ifs"] == 25
    assert 20 < seen["start"]["boxes"] <= 180 < seen["all"]["boxes"]
    assert seen["folded"]["ifs"] == 1 and seen["lines"]


def test_a_click_on_an_if_folds_it_and_its_captures_end_at_it(drive: Drive) -> None:
    seen = drive(DEEP, """
        const first = [...drawing.boxes.keys()].find((key) => boxAt(key.split("/")).label === "If");
        const rect = () => drawing.boxes.get(first);
        const click = () => rect().dispatchEvent(new MouseEvent("click", {bubbles: true}));
        const at = () => { const box = rect().getBoundingClientRect(); return [Math.round(box.x), Math.round(box.y)]; };
        const open = rect().getAttribute("aria-expanded"), before = at(), paths = drawing.wires.children.length;
        click();
        return {open, closed: rect().getAttribute("aria-expanded"), moved: before.join() !== at().join(),
                fewer: drawing.wires.children.length < paths, dashed: drawing.wires.querySelectorAll(".d").length,
                panels: picture.panels.size};
    """)  # fmt: skip
    assert (seen["open"], seen["closed"], seen["moved"]) == ("true", "false", False)
    assert seen["fewer"] and seen["dashed"] > 0 and seen["panels"] == 1


def test_keys_fold_search_and_zoom(drive: Drive) -> None:
    seen = drive(DEEP, """
        const press = (target, key) =>
          target.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}));
        const first = drawing.rects.querySelector(".f");
        const panels = picture.panels.size;
        press(first, "Enter");
        const folded = picture.panels.size;
        const focused = document.activeElement.place?.join("/");
        const before = view.scale, x = view.x;
        press(document.body, "+");
        press(view.canvas, "ArrowLeft");
        press(document.body, "/");
        return {panels, folded, focused, larger: view.scale > before, moved: view.x !== x,
                search: document.activeElement.id};
    """)  # fmt: skip
    assert seen["folded"] < seen["panels"] and seen["focused"]
    assert seen["larger"] and seen["moved"] and seen["search"] == "query"


def test_search_steps_through_hits_and_unfolds_bodies_that_hide_them(drive: Drive) -> None:
    seen = drive(silero(), """
        element("fold").click();
        element("query").value = "lstm";
        element("query").dispatchEvent(new Event("input"));
        const said = element("hits").textContent;
        const hidden = drawing.rects.querySelectorAll(".holds-hit").length;
        const steps = [];
        for (let i = 0; i < 3; ++i) {
          element("search").requestSubmit();
          const rect = drawing.rects.querySelector(".now").getBoundingClientRect();
          const canvas = view.canvas.getBoundingClientRect();
          steps.push([element("hits").textContent, boxAt(hits[hit]).label,
            rect.x >= canvas.x && rect.right <= canvas.right && rect.y >= canvas.y && rect.bottom <= canvas.bottom]);
        }
        element("previous").click();
        return {said, hidden, steps, back: element("hits").textContent};
    """)  # fmt: skip
    assert seen["said"] == "4 found" and seen["hidden"] == 1
    assert seen["steps"] == [["1 of 4", "LSTM", True], ["2 of 4", "LSTM", True], ["3 of 4", "LSTM", True]]
    assert seen["back"] == "2 of 4"


def test_a_value_is_followed_through_all_bodies_that_capture_it(drive: Drive) -> None:
    seen = drive(DEEP, """
        const near = [...drawing.wires.querySelectorAll(".near")]
          .find((path) => path.querySelector("title").textContent.startsWith("k"));
        near.dispatchEvent(new MouseEvent("click", {bubbles: true}));
        return {boxes: [...drawing.rects.querySelectorAll(".chosen")].map((rect) => boxAt(rect.place).label),
                text: element("selection").innerText};
    """)  # fmt: skip
    assert seen["boxes"].count("k") == 9  # the constant, and a capture in each of eight branches
    assert seen["boxes"].count("Add") == 1
    assert "captured by" in seen["text"] and "read by" in seen["text"]


def test_a_broken_rule_is_listed_red_and_jumped_to(drive: Drive) -> None:
    seen = drive(BROKEN, """
        element("fold").click();
        view.x = -9999; showView();
        document.querySelector("#broken li .link").click();
        const rect = drawing.rects.querySelector(".x");
        const place = rect.getBoundingClientRect();
        return {list: element("broken").innerText, stroke: getComputedStyle(rect).stroke,
                seen: place.x > 0 && place.x < innerWidth, text: drawing.texts.textContent};
    """)  # fmt: skip
    assert "1 broken rule" in seen["list"] and "onnx/if/output-count" in seen["list"]
    assert "expected: the same number for all three" in seen["list"]
    assert seen["seen"] and "✗ onnx/if/output-count" in seen["text"]
    assert seen["stroke"] == "rgb(168, 38, 31)"


def test_mouse_and_two_fingers_move_and_zoom(drive: Drive) -> None:
    seen = drive(BROKEN, """
        const fire = (target, type, id, clientX, clientY) =>
          target.dispatchEvent(new PointerEvent(type, {pointerId: id, clientX, clientY, bubbles: true}));
        const state = () => ({x: view.x, y: view.y, scale: view.scale});
        const start = state();
        fire(view.canvas, "pointerdown", 1, 300, 300);
        fire(view.canvas, "pointermove", 1, 340, 310);
        fire(view.canvas, "pointerup", 1, 340, 310);
        const dragged = state();
        const folds = unfolded.size;
        drawing.rects.querySelector(".f").dispatchEvent(new MouseEvent("click", {bubbles: true}));
        const afterDrag = unfolded.size;
        fire(view.canvas, "pointerdown", 1, 300, 300);
        fire(view.canvas, "pointerdown", 2, 400, 300);
        fire(view.canvas, "pointermove", 2, 500, 300);
        fire(view.canvas, "pointerup", 1, 300, 300);
        fire(view.canvas, "pointerup", 2, 500, 300);
        const pinched = state();
        const place = {clientX: 300, clientY: 300, cancelable: true};
        view.canvas.dispatchEvent(new WheelEvent("wheel", {deltaY: -100, ...place}));
        return {start, dragged, folds, afterDrag, pinched, wheeled: state()};
    """)  # fmt: skip
    assert seen["dragged"]["x"] - seen["start"]["x"] == pytest.approx(40)
    assert seen["dragged"]["y"] - seen["start"]["y"] == pytest.approx(10)
    assert seen["folds"] == seen["afterDrag"]  # the end of a drag is not a click
    assert seen["pinched"]["scale"] == pytest.approx(2 * seen["dragged"]["scale"])
    assert seen["wheeled"]["scale"] > seen["pinched"]["scale"]


def test_it_fits_the_width_of_a_phone(drive: Drive) -> None:
    seen = drive(silero(), """
        return {overflow: document.documentElement.scrollWidth - innerWidth, width: innerWidth,
                canvas: view.canvas.clientHeight, side: element("side").getBoundingClientRect().x};
    """, "--window-size=390,844")  # fmt: skip
    assert seen["width"] <= 500 and seen["overflow"] <= 0
    assert seen["canvas"] > 250 and seen["side"] == 0


def test_it_follows_the_readers_dark_scheme(drive: Drive) -> None:
    script = """
        const brightness = (colour) => colour.match(/[0-9]+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0);
        return [getComputedStyle(view.canvas).backgroundColor, getComputedStyle(drawing.texts.querySelector(".b")).fill]
          .map(brightness);
    """
    paper, ink = drive(BROKEN, script)
    dark_paper, dark_ink = drive(BROKEN, script, "--blink-settings=preferredColorScheme=0")
    assert paper > ink and dark_paper < dark_ink
