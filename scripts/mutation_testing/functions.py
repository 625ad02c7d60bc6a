"""Which function of a source of the reference a line belongs to, and which rules that function implements."""

import re
from pathlib import Path

ROWS = "reference/check/rule_tables.hpp"
ROW = re.compile(r'\{"(?P<rule>[^"]+)", "(?P<file>[^"]+)", "(?P<function>[^"]+)"\}')
CALLED = re.compile(r"([\w:~]+)\(")
TABLE = re.compile(r"(\w+)(?:\[\])?(?: = \{|\{\{)")
OF_TYPE = re.compile(r"(?:class|struct|enum class) (\w+)")
MEMBER = re.compile(r"  [A-Za-z\[].*?(\w+)\(")  # of a class, at the beginning of its definition
NOTHING = re.compile(r"\s|[}#/]|namespace\b|using\b|template\b|$")


def functions_of(lines: list[str]) -> list[str]:
    """For each line the function that it is part of, by the name in the table of rules; or the table, or nothing.

    A function that is defined in its class has its own name alone. What begins at the start of a line ends where a line
    begins with a brace, as clang-format writes it.
    """
    names: list[str] = []
    current, member, inside, in_class, opened = "", "", False, False, False
    for line in lines:
        if not inside and not NOTHING.match(line):
            current, member, inside, opened = name_of(line), "", True, False
            in_class = OF_TYPE.match(line) is not None
        if inside and in_class and (found := MEMBER.match(line)):
            member = found[1]
        names.append(member or current)
        if line.startswith("  }") or (MEMBER.match(line) and line.rstrip().endswith((";", "}"))):
            member = ""
        text = line.rstrip()
        opened = opened or text.endswith("{")
        if line.startswith("}") or (not opened and text.endswith((";", "}"))):
            current, member, inside = "", "", False
    return names


def name_of(line: str) -> str:
    """The name that the first line of a definition defines."""
    for form in (OF_TYPE, TABLE, CALLED):
        if found := form.search(line):
            return found[1]
    return ""


def rules_of_functions(root: Path) -> dict[tuple[str, str], list[str]]:
    """(file, function) → the rules that it checks or implements, as the reference's own table has them."""
    rules: dict[tuple[str, str], list[str]] = {}
    for row in ROW.finditer((root / ROWS).read_text()):
        rules.setdefault((row["file"], row["function"]), []).append(row["rule"])
    return rules
