"""The page by keyboard alone, on a phone, and in the dark."""

from collections.abc import Callable

from browser import Page

Open = Callable[..., Page]


def test_it_works_by_keyboard_alone(open_page: Open) -> None:
    page = open_page()
    page.press("/", 191, "/")
    page.press("n", 78, "n")
    assert page.evaluate("return [document.activeElement.name, form().elements.q.value];") == ["q", "n"]
    for _ in range(7):  # six choices, then the button that clears
        page.press("Tab", 9)
    assert page.evaluate("return document.activeElement.id;") == "clear"
    page.press("Enter", 13, "\r")
    page.evaluate("document.querySelector('a.cell').focus();")
    page.press("ArrowRight", 39)
    page.press("Enter", 13, "\r")
    page.evaluate("await new Promise((done) => setTimeout(done, 100));")
    assert page.evaluate("return [document.getElementById('panel').open, document.activeElement.id];") == [
        True,
        "panel-title",
    ]
    page.press("Escape", 27)
    page.evaluate("await new Promise((done) => setTimeout(done, 100));")
    closed = page.evaluate("""return [document.getElementById("panel").open, location.hash,
                                      document.activeElement.getAttribute("aria-label").split(":")[0]];""")
    assert closed == [False, "", "quick, onnx/if/then-when-true"]


def test_on_a_phone_only_the_matrix_scrolls_sideways(open_page: Open) -> None:
    page = open_page(width=390, height=844)
    seen = page.evaluate("""
        const box = document.getElementById("matrix");
        return {page: document.documentElement.scrollWidth, wide: box.scrollWidth > box.clientWidth,
                how: getComputedStyle(box).overflowX};
    """)
    assert seen == {"page": 390, "wide": True, "how": "auto"}
    widths = page.evaluate("""
        const widths = [];
        for (const link of [...document.querySelectorAll("a.cell, a.rule")]) {
            link.click();
            await new Promise((done) => setTimeout(done, 10));
            const panel = document.getElementById("panel");
            for (const fold of panel.querySelectorAll("details")) { fold.open = true; fillFold(fold); }
            for (const fold of panel.querySelectorAll("details")) { fold.open = true; fillFold(fold); }
            widths.push([link.href, panel.scrollWidth, document.documentElement.scrollWidth]);
        }
        return widths;
    """)
    assert widths
    assert [each for each in widths if each[1] > 390 or each[2] > 390] == []


CONTRASTS = r"""
    const channels = (colour) => colour.match(/[\d.]+/g).map(Number);
    const light = ([r, g, b]) => [r, g, b].map((each) => each / 255)
        .map((each) => (each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4))
        .reduce((sum, each, i) => sum + each * [0.2126, 0.7152, 0.0722][i], 0);
    const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const opaque = (colour) => channels(colour).length === 3 || channels(colour)[3] === 1;
    function grounds(element) {
        const painted = [];
        for (let at = element; at; at = at.parentElement) {
            const style = getComputedStyle(at);
            painted.push(...(style.backgroundImage.match(/rgba?\([^)]*\)/g) ?? []).filter(opaque));
            if (opaque(style.backgroundColor)) return [...painted, style.backgroundColor];
        }
        return painted;
    }
    const poor = new Map();
    let measured = 0;
    for (const element of document.querySelectorAll("body *")) {
        const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
        if (!hasText || !element.checkVisibility()) continue;
        const ink = light(channels(getComputedStyle(element).color));
        for (const ground of grounds(element)) {
            ++measured;
            const found = ratio(ink, light(channels(ground)));
            if (found >= 4.5) continue;
            poor.set(`${element.tagName}.${element.className} on ${ground}: ${found.toFixed(2)}`, found);
        }
    }
    return {measured, poor: [...poor.keys()]};
"""


def test_text_has_enough_contrast_in_both_schemes(open_page: Open) -> None:
    for scheme in ("light", "dark"):
        for fragment in (
            "",
            "#rule=onnx%2Fif%2Fvalue-unchanged&adapter=quick",
            "#rule=onnx%2Fif%2Fno-state-between-runs",
        ):
            seen = open_page(fragment, scheme=scheme).evaluate(CONTRASTS)
            assert seen["measured"] > 100
            assert seen["poor"] == [], scheme


def test_the_dark_scheme_is_dark(open_page: Open) -> None:
    grounds = [
        open_page(scheme=scheme).evaluate("return getComputedStyle(document.body).backgroundColor;")
        for scheme in ("light", "dark")
    ]
    assert grounds == ["rgb(251, 251, 250)", "rgb(21, 24, 28)"]
