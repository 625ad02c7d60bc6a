"""The sample report, and a real browser (headless Chromium) to open it in."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import onnx
import pytest

sys.path.insert(0, str(Path(__file__).parent))  # the tests are imported by path, and so is their shared code
from browser import Browser, Page

ROOT = Path(__file__).resolve().parents[2]
HOSTILE = "</script><img src=x onerror=\"document.title='run'\">"

Drive = Callable[..., Any]
Open = Callable[..., Page]


def sample_writer() -> str:
    """The program that writes the sample report: IFCERT_SAMPLE_REPORT, or the newest one built."""
    if named := os.environ.get("IFCERT_SAMPLE_REPORT"):
        return named
    built = sorted(ROOT.glob("build/*/conformance/report/ifcert-sample-report"), key=lambda path: path.stat().st_mtime)
    if not built:
        pytest.fail("ifcert-sample-report is not built; scripts/test builds it")
    return str(built[-1])


def hostile_model() -> onnx.ModelProto:
    """A legal model whose names are markup."""
    model = onnx.parser.parse_model("""
        <ir_version: 8, opset_import: ["": 17]>
        choice (bool cond, float[2] x) => (float[2] y) {
            y = If (cond) <then_branch = a () => (float[2] t) { t = Identity (x) },
                           else_branch = b () => (float[2] e) { e = Neg (x) }>
        }""")
    model.graph.name = HOSTILE
    model.graph.input[1].name = HOSTILE
    for attribute in model.graph.node[0].attribute:
        attribute.g.node[0].input[0] = HOSTILE
    return model


@pytest.fixture(scope="session")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the four reports of the sample certification."""
    folder = tmp_path_factory.mktemp("reports")
    model = folder / "hostile.onnx"
    model.write_bytes(hostile_model().SerializeToString())
    subprocess.run([sample_writer(), str(folder), str(model)], check=True, timeout=60)
    return folder


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One Chromium for all tests; each opens pages of its own."""
    with Browser(tmp_path_factory.mktemp("chromium") / "profile") as started:
        yield started


@pytest.fixture
def open_page(reports: Path, browser: Browser) -> Iterator[Open]:
    """Opens the sample's page: `fragment`, width, height, scheme. Its console must stay silent until the test ends."""
    pages: list[tuple[Page, bool]] = []

    def open_one(fragment: str = "", noisy: bool = False, **how: Any) -> Page:  # noqa: ANN401
        page = browser.open((reports / "report.html").as_uri() + fragment, **how)
        pages.append((page, noisy))
        return page

    yield open_one
    for page, noisy in pages:
        said, requested = page.said(), page.requests()
        page.close()
        assert noisy or said == []
        assert noisy or all(address.startswith(("file:", "blob:")) for address in requested)


@pytest.fixture
def drive(open_page: Open) -> Drive:
    """Opens the page at `fragment`, runs a script in it, and returns its result."""

    def run(script: str, fragment: str = "", console: list[str] | None = None) -> Any:  # noqa: ANN401
        page = open_page(fragment, noisy=console is not None)
        answer = page.evaluate(script)
        if console is not None:
            page.evaluate("await new Promise((done) => setTimeout(done, 100));")
            console.extend(page.said())
        return answer

    return run
