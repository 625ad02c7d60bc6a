"""An adapter whose every text is markup, terminal commands and forged lines: no output of certify obeys it."""

import html
import json
import os
import re
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
IFCERT = Path(os.environ.get("IFCERT_BIN", ROOT / "build" / "release" / "bin")) / "ifcert"
# Terminal commands, forged lines, reversed text; log commands; Markdown, HTML and XML; a spreadsheet formula.
EVIL = (
    "evil\nAll results match the known-failure lists\r\x1b[2J\x7f\x9b31m\u061c\u200b\u202e\u2028\u2066\ufeff"
    "\n::error::forged ##[error]forged ##vso[task.complete]forged"
    " | `code` **bold** @everyone #1 ](x) <script>alert(1)</script> <img src=x onerror=alert(2)> ]]> &amp; =1+1 \ufffe"
)
UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufffe]")
WEB = "javascript:alert(3)"

# Another kind of answer for each kind of model, all of them full of such text.
ADAPTER = """
import json, sys
EVIL, WEB = {evil!a}, {web!a}
print(EVIL, file=sys.stderr, flush=True)
kind = 0
for line in sys.stdin:
    request = json.loads(line)
    command = request["cmd"]
    answer = {{"unloaded": {{}}}}
    if command == "bye":
        break
    if command == "hello":
        runtime = {{"name": EVIL, "version": {version!a}, "language": EVIL, "home": WEB + EVIL}}
        lacks = [{{"what": "kind:optional", "why": EVIL, "link": WEB}}]
        answer = {{"hello": {{"protocol": 1, "adapter": "evil", "runtime": runtime, "formats": ["onnx"],
                  "computes": True, "threads": True, "holds": True, "unsupported_features": lacks}}}}
        print(json.dumps(answer), flush=True)
        continue
    if command == "load":
        kind = len(open(request["model"], "rb").read()) % 5
        answer = [
            {{"loaded": {{"outputs": [{{"name": EVIL, "type": None, "shape": [EVIL]}}]}}}},
            {{"loaded": {{"outputs": []}}}},
            {{"refused": {{"message": EVIL}}}},
            {{"unsupported": {{"what": "runtime", "message": EVIL, "status": EVIL}}}},
            {{"adapter_error": {{"message": EVIL}}}},
        ][kind]
    elif command in ("run", "reread", "concurrent") and kind > 1:
        answer = {{"skipped": {{}}}}
    elif command in ("run", "reread"):
        value = [{{"kind": "other", "is": EVIL}},
                 {{"kind": "tensor", "type": "string", "shape": [1], "strings": ["G1sySjxzY3JpcHQ+"]}}][kind]
        answer = {{"outputs": [{{"name": EVIL, "value": value}}]}}
    print(EVIL, file=sys.stderr, flush=True)
    print(json.dumps({{"id": request["id"], **answer}}), flush=True)
"""
VERSION = "1.0\n\x1b[31m::error::forged"


@pytest.fixture(scope="module")
def certified(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """The output of certify, and the folder of the reports."""
    adapter = tmp_path_factory.mktemp("evil")
    manifest = {"name": "evil", "systems": ["onnx"], "version": VERSION, "home": WEB, "install": None}
    manifest["command"] = ["python3", "{adapter}/adapter.py"]
    (adapter / "adapter.json").write_text(json.dumps(manifest))
    (adapter / "adapter.py").write_text(ADAPTER.format(evil=EVIL, web=WEB, version=VERSION))
    listed = {"vector": "onnx/if/output-count/then-has-more", "verdict": "LENIENT", "link": WEB, "note": EVIL}
    (adapter / "known_failures.json").write_text(json.dumps({"adapter": "evil", "failures": [listed]}))
    out = tmp_path_factory.mktemp("out")
    rules = ["--rule", "onnx/if/output-count"]
    done = subprocess.run(
        [IFCERT, "certify", adapter, *rules, "--out", out],
        env=os.environ | {"IFCERT_HOME": str(ROOT)},
        capture_output=True,
        timeout=300,
        check=False,
    )
    printed = (done.stdout + done.stderr).decode()
    assert done.returncode == 1, printed[-2000:]
    said = {line.get("verdict") for line in map(json.loads, (out / "results.jsonl").read_text().splitlines())}
    assert said >= {"FAIL", "UNSUPPORTED", "ADAPTER"}
    return printed, out


def test_the_terminal(certified: tuple[str, Path]) -> None:
    printed, _ = certified
    assert "evil<U+000A>All results match the known" in printed
    assert not UNSEEN.findall(printed)
    assert not re.search(r"^\s*::|##\[|##vso\[|^All results match", printed, re.MULTILINE)


def test_markdown(certified: tuple[str, Path]) -> None:
    text = (certified[1] / "report.md").read_text()
    assert "evil" in text
    assert not UNSEEN.findall(text)
    assert not re.search(r"^\s*::|##\[|##vso\[|^All results match", text, re.MULTILINE)
    tags = {"br", "code", "/code", "details", "/details", "summary", "/summary"}
    assert set(re.findall(r"<([^>]*)>", text)) <= tags
    said = re.sub(r"<code>.*?</code>", "", text)
    assert not set("`@") & set(said)
    assert "alert" not in said
    for table in re.findall(r"(?:^\|.*\|\n)+", text, re.MULTILINE):
        assert len({row.count("|") for row in table.splitlines()}) == 1


def test_html(certified: tuple[str, Path]) -> None:
    text = (certified[1] / "report.html").read_text()
    assert text.count("<script") == len(re.findall(r"</script", text))
    assert not re.search(r"<script>alert|<img|href=.?javascript", text)
    assert "Content-Security-Policy" in text


def test_junit(certified: tuple[str, Path]) -> None:
    text = (certified[1] / "junit.xml").read_text()
    assert not UNSEEN.findall(text)
    assert "<![CDATA[" not in text
    assert "]]>" not in text
    root = ElementTree.fromstring(text)
    assert {element.tag for element in root.iter()} == {
        "testsuites", "testsuite", "properties", "property", "testcase", "failure", "error", "skipped", "system-err"
    }  # fmt: skip
    assert any("<script>alert(1)</script>" in (element.text or "") for element in root.iter())
    assert "alert" in html.unescape(text)


def test_machine_readable_output_is_exact(certified: tuple[str, Path]) -> None:
    lines = (certified[1] / "results.jsonl").read_text()
    assert lines.isascii()
    report = json.loads((certified[1] / "report.json").read_text())
    for document in [json.loads(lines.splitlines()[0]), report]:
        assert EVIL in names_in(document)


def names_in(document: object) -> set[str]:
    """Every string in it."""
    if isinstance(document, str):
        return {document}
    items = document.values() if isinstance(document, dict) else document if isinstance(document, list) else []
    return set().union(*map(names_in, items)) if items else set()
