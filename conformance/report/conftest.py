"""The sample report, and a real browser (headless Chromium) to open it in."""

import html
import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM_OPTIONS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--enable-logging=stderr",
    "--virtual-time-budget=5000", "--dump-dom",
]  # fmt: skip

Drive = Callable[..., Any]


def sample_writer() -> str:
    """The program that writes the sample report: IFCERT_SAMPLE_REPORT, or the newest one built."""
    if named := os.environ.get("IFCERT_SAMPLE_REPORT"):
        return named
    built = sorted(ROOT.glob("build/*/conformance/report/ifcert-sample-report"), key=lambda path: path.stat().st_mtime)
    if not built:
        pytest.fail("ifcert-sample-report is not built; scripts/test builds it")
    return str(built[-1])


@pytest.fixture(scope="session")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the four reports of the sample certification."""
    folder = tmp_path_factory.mktemp("reports")
    subprocess.run([sample_writer(), str(folder)], check=True, timeout=60)
    return folder


def open_page(page: Path, fragment: str, profile: Path) -> tuple[str, list[str]]:
    """Opens the page; returns its DOM as text and what the console said."""
    browser = shutil.which("chromium") or pytest.fail("chromium is not installed; scripts/setup installs it")
    address = page.as_uri() + fragment
    done = subprocess.run(
        [browser, *CHROMIUM_OPTIONS, f"--user-data-dir={profile}", address],
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    return done.stdout, [line for line in done.stderr.splitlines() if "CONSOLE" in line]


@pytest.fixture
def drive(reports: Path, tmp_path: Path) -> Drive:
    """Opens the page at `fragment`, runs a script in it, returns its answer; the console must stay silent."""

    def run(script: str, fragment: str = "", console: list[str] | None = None) -> Any:  # noqa: ANN401
        driver = (
            "<pre id=answer></pre><script nonce=ifcert>(async () => {"
            f"const answer = await (async () => {{ {script} }})();"
            "document.getElementById('answer').textContent = JSON.stringify(answer);})();</script>"
        )
        text = (reports / "report.html").read_text(encoding="utf-8")
        page = tmp_path / "driven.html"
        page.write_text(text.replace("</body>", driver + "</body>"), encoding="utf-8")
        dom, said = open_page(page, fragment, tmp_path / "profile")
        assert said == [] if console is None else console.extend(said) is None
        answer = re.search(r'<pre id="answer">(.*?)</pre>', dom, re.DOTALL)
        assert answer and answer[1], "the script gave no answer"
        return json.loads(html.unescape(answer[1]))

    return run
