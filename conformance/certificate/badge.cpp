#include "conformance/certificate/badge.hpp"

#include <fmt/format.h>

#include <vector>

#include "conformance/report/headline.hpp"

namespace ifcert::conformance {
namespace {

constexpr int height = 20, padding = 8;

/// Verdana, 11 px: digits and small letters are about 7 px wide. `textLength` fits the text to the estimate.
int width_of(std::string_view text) {
  return static_cast<int>(text.size()) * 7;
}

struct Part {
  std::string text, colour;
};

std::string drawn(const std::vector<Part>& parts, std::string_view title) {
  std::string shapes;
  int x = 0;
  for (const Part& part : parts) {
    const int inner = width_of(part.text), outer = inner + 2 * padding;
    shapes += fmt::format(
        "<rect x=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>"
        "<text x=\"{}\" y=\"14\" textLength=\"{}\">{}</text>\n",
        x, outer, height, part.colour, x + padding, inner, part.text);
    x += outer;
  }
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" role=\"img\" aria-label=\"{2}\">\n"
      "<title>{2}</title>\n<g fill=\"#fff\" font-family=\"Verdana,DejaVu Sans,sans-serif\" font-size=\"11\">\n"
      "{3}</g>\n</svg>\n",
      x, height, title, shapes);
}

}  // namespace

std::string badge_svg(const Counted& counted, std::string_view adapter) {
  const Standing standing = headline_of(counted, adapter).of_if();
  const std::string text = fmt::format("{} of {} rules", standing.holding, standing.run);
  const bool is_whole = standing.run > 0 && standing.holding == standing.run;
  return drawn({{"If", "#444"}, {text, is_whole ? "#2d7d46" : "#9a6700"}}, "If · " + text);
}

}  // namespace ifcert::conformance
