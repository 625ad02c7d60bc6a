"""Every relative link of a page leads to a file that is there, and to a heading that is there."""

import functools
import json
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LISTED = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"]
# The texts are copies, whose links lead to where they were copied from.
PAGES = sorted(
    ROOT / name
    for name in subprocess.run(LISTED, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    if "/texts/" not in name and (ROOT / name).exists()
)


def prose_of(page: Path) -> str:
    """The page without code, in which brackets mean something else."""
    without_blocks = re.sub(r"(?ms)^```.*?^```$|^ {4}[^\n]*$", "", page.read_text())
    return re.sub(r"`[^`\n]*`", "``", without_blocks)


def slug_of(heading: str) -> str:
    """The anchor that GitHub makes of a heading."""
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")


@functools.cache
def anchors_of(page: Path) -> frozenset[str]:
    """Those of the headings, and those that the page sets itself."""
    text = page.read_text()
    found: set[str] = set(re.findall(r'<a (?:id|name)="([^"]+)"', text))
    for heading in re.findall(r"(?m)^#+ (.*)$", re.sub(r"(?ms)^```.*?^```$", "", text)):
        slug = slug_of(heading)
        found.add(next(name for name in (slug, *(f"{slug}-{n}" for n in range(1, 1000))) if name not in found))
    return frozenset(found)


def fault_of(link: str, page: Path) -> str | None:
    """Why the link leads nowhere, or nothing where it is good or leads out of the repository."""
    if re.match(r"[a-z]+:", link):
        return None
    path, _, anchor = link.partition("#")
    target = (page.parent / path).resolve() if path else page
    if not target.exists():
        return f"{link}: no such file"
    if anchor and target.suffix == ".md" and anchor not in anchors_of(target):
        return f"{link}: no such heading"
    return None


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(<?([^)\s>]+)>?(?: \"[^\"]*\")?\)", prose_of(page))
    assert [fault for link in links if (fault := fault_of(link, page))] == []


def test_pages_that_the_tables_of_sentences_name_are_there() -> None:
    tables = [json.loads(table.read_text()) for table in ROOT.glob("vectors/*/sentences.json")]
    urls = [document["url"] for table in tables for document in table["documents"].values() if "url" in document]
    assert urls
    assert [fault for url in urls if (fault := fault_of(url, ROOT / "docs" / "rules.md"))] == []


def test_a_heading_becomes_the_anchor_that_github_makes_of_it() -> None:
    assert slug_of("Is this model legal, and what does it compute?") == "is-this-model-legal-and-what-does-it-compute"
    assert slug_of("`check` of [a model](x.md)") == "check-of-a-model"
