"""Lines belong to the function that they are in, by the name that the reference's table of rules has for it."""

from pathlib import Path

from mutation_testing.functions import functions_of, rules_of_functions

ROOT = Path(__file__).resolve().parents[2]

SOURCE = """\
#include <array>

namespace ifcert {
namespace {

/// A comment (with parentheses).
template <class See>
void for_each(const Site& site, const See& see) {
  see(site);
}

constexpr std::array<Row, 2> rows{{
    {"bool", 8},
}};

constexpr int limit = 3;
constexpr std::string_view text =
    "of two lines";

class Reader {
  void read() { at_ = 0; }
};

}  // namespace

std::vector<Value> Run::enter(const At& at,
                              int trip) {
  if (trip > 0) {
    leave();
  }
}

}  // namespace ifcert
"""


def test_each_line_has_the_name_of_what_it_is_in() -> None:
    lines = SOURCE.splitlines()
    names = dict(zip(lines, functions_of(lines), strict=True))
    assert names["  see(site);"] == "for_each"
    assert names['    {"bool", 8},'] == "rows"
    assert names["constexpr int limit = 3;"] == ""
    assert names["  void read() { at_ = 0; }"] == "read"
    assert names["                              int trip) {"] == "Run::enter"
    assert names["    leave();"] == "Run::enter"
    assert names["}  // namespace ifcert"] == ""


def test_every_function_in_the_table_of_rules_is_found_in_its_source() -> None:
    for (file, function), rules in rules_of_functions(ROOT).items():
        if file.endswith(".cpp"):
            assert function in functions_of((ROOT / file).read_text().splitlines()), f"{file}: {function} ({rules[0]})"
