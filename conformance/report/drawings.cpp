#include "conformance/report/drawings.hpp"

#include <ifcert/reference.hpp>
#include <map>
#include <string>

#include "conformance/drawing/drawing.hpp"
#include "conformance/system/file.hpp"

namespace ifcert::conformance {

using nlohmann::json;

json drawings_of(const Certification& certification) {
  std::map<std::string, std::size_t> indices;
  json drawings = {{"svgs", json::array()}, {"of", json::object()}, {"undrawn", json::object()}};
  for (const VectorSummary& vector : certification.vectors) {
    if (vector.model.empty()) continue;
    try {
      const Reading reading = read_model(vector.model);
      const Checked found = checked(reading);
      const auto [at, fresh] =
          indices.emplace(drawing::svg_of(reading.model, found.types, errors_in(found.findings)), indices.size());
      if (fresh) drawings["svgs"].push_back(at->first);
      drawings["of"][vector.id] = at->second;
    } catch (const UnreadableModel& fault) {
      drawings["undrawn"][vector.id] = "the reference cannot read it: " + printable(fault.what());
    }
  }
  return drawings;
}

}  // namespace ifcert::conformance
