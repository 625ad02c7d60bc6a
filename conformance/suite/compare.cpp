#include "conformance/suite/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "conformance/suite/element.hpp"
#include "conformance/suite/protocol_value.hpp"
#include "conformance/system/file.hpp"

namespace ifcert::conformance {

using nlohmann::json;

namespace {

using Maybe = std::optional<Difference>;

/// The first element that differs, and the number of differing elements. NaNs with different payloads differ, because
/// the text of a NaN contains its payload.
std::string element_difference(const json& expected, const json& got) {
  constexpr std::size_t all = std::numeric_limits<std::size_t>::max();
  const std::vector<std::string> wanted = elements(expected, all);
  const std::vector<std::string> found = elements(got, all);
  // Long strings are shortened in these texts; what they are compared by is not.
  const bool is_text = expected.contains("strings");
  const auto differs = [&](std::size_t i) {
    return is_text ? expected.at("strings")[i] != got.at("strings")[i] : wanted[i] != found[i];
  };
  std::size_t differing = 0;
  std::size_t first = 0;
  for (std::size_t i = 0; i < wanted.size() && i < found.size(); ++i) {
    if (differs(i) && differing++ == 0) first = i;
  }
  if (differing == 0) return "the bits differ";
  const std::string which = wanted.size() == 1 ? "the value is" : fmt::format("element {} is", first);
  const std::string many =
      wanted.size() == 1 ? "" : fmt::format(" ({} of {} elements differ)", differing, wanted.size());
  return fmt::format("{} {}, expected {}{}", which, found[first], wanted[first], many);
}

Maybe compare_tensors(const json& expected, const json& got, const std::string& where) {
  const auto& type = expected.at("type").get_ref<const std::string&>();
  const json& shape = expected.at("shape");
  if (got.at("shape") != shape) {
    return Difference{Fault::wrong_shape, fmt::format("{}: the shape is {}, expected {}", where,
                                                      shape_text(got.at("shape")), shape_text(shape))};
  }
  const char* content = type == "string" ? "strings" : "data";
  if (expected.at(content) == got.at(content)) return std::nullopt;
  return Difference{Fault::wrong_value, fmt::format("{}: {}", where, element_difference(expected, got))};
}

Maybe compare_sequences(const json& expected, const json& got, const std::string& where) {
  const json& wanted = expected.at("items");
  const json& found = got.at("items");
  if (wanted.size() != found.size()) {
    return Difference{Fault::wrong_shape,
                      fmt::format("{}: the sequence has {} items, expected {}", where, found.size(), wanted.size())};
  }
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (Maybe difference = compare_values(wanted[i], found[i], fmt::format("{}, item {}", where, i))) return difference;
  }
  return std::nullopt;
}

Maybe compare_optionals(const json& expected, const json& got, const std::string& where) {
  const bool wanted = expected.contains("value");
  if (wanted != got.contains("value")) {
    return Difference{
        Fault::wrong_value,
        fmt::format("{}: the optional is {}", where, wanted ? "absent, expected a value" : "present, expected absent")};
  }
  if (!wanted) return std::nullopt;
  return compare_values(expected.at("value"), got.at("value"), where);
}

/// Whether an answer has the expected type. An empty sequence or an absent optional need not have an item type ("of").
bool same_type(const json& expected, const json& got) {
  const json& kind = expected.at("kind");
  if (kind != got.at("kind")) return false;
  if (kind == "tensor") return expected.at("type") == got.at("type");
  return got.at("of").is_null() || expected.at("of") == got.at("of");
}

/// Base64 and shapes have one canonical form each, so equal values are equal JSON, except for an "of" that is null.
Maybe compare_well_formed(const json& expected, const json& got, const std::string& where) {
  if (!same_type(expected, got)) {
    return Difference{Fault::wrong_type,
                      fmt::format("{}: the type is {}, expected {}", where, type_of(got), type_of(expected))};
  }
  const auto& kind = expected.at("kind").get_ref<const std::string&>();
  if (kind == "tensor") return compare_tensors(expected, got, where);
  return kind == "sequence" ? compare_sequences(expected, got, where) : compare_optionals(expected, got, where);
}

/// Compares the names of outputs, in order, after their values were found right.
Maybe compare_names(const json& expected, const json& got) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto& name = expected[i].at("name").get_ref<const std::string&>();
    if (got[i].at("name") == name) continue;
    return Difference{Fault::wrong_name, fmt::format("output {} is named '{}', expected '{}'; its value is right", i,
                                                     printable(got[i].at("name").get<std::string>()), name)};
  }
  return std::nullopt;
}

/// Whether a declared shape, of numbers, names and nulls, allows the shape of a value. Names and nulls allow any
/// number.
bool allows_shape(const json& declared, const json& shape) {
  if (declared.size() != shape.size()) return false;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (declared[i].is_number() && declared[i] != shape[i]) return false;
  }
  return true;
}

Maybe compare_declared_port(const json& port, const json& value) {
  const std::string where = fmt::format("output {}", printable(port.at("name").get<std::string>()));
  const std::string type = type_of(value);
  if (!port.at("type").is_null() && port.at("type") != type && type.find('?') == std::string::npos) {
    return Difference{Fault::wrong_type, fmt::format("{}: the load declared {}, the run returned {}", where,
                                                     port.at("type").get<std::string>(), type)};
  }
  const json& shape = port.at("shape");
  if (shape.is_null() || value.at("kind") != "tensor" || allows_shape(shape, value.at("shape"))) return std::nullopt;
  return Difference{Fault::wrong_shape, fmt::format("{}: the load declared the shape {}, the run returned {}", where,
                                                    printable(shape_text(shape)), shape_text(value.at("shape")))};
}

}  // namespace

Maybe compare_values(const json& expected, const json& got, const std::string& where) {
  if (expected == got) return std::nullopt;
  if (const std::string found = contradiction(got); !found.empty()) {
    return Difference{Fault::none, fmt::format("{}: the adapter's answer contradicts itself: {}", where, found)};
  }
  return compare_well_formed(expected, got, where);
}

Maybe compare_outputs(const json& expected, const json& got) {
  if (expected.size() != got.size()) {
    return Difference{Fault::wrong_value,
                      fmt::format("{} outputs were returned, expected {}", got.size(), expected.size())};
  }
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const std::string where = fmt::format("output {}", expected[i].at("name").get_ref<const std::string&>());
    if (Maybe difference = compare_values(expected[i].at("value"), got[i].at("value"), where)) return difference;
  }
  return compare_names(expected, got);
}

Maybe compare_declared(const json& declared, const json& outputs) {
  for (const json& port : declared) {
    const auto same_name = [&port](const json& output) { return output.at("name") == port.at("name"); };
    const auto output = std::ranges::find_if(outputs, same_name);
    if (output == outputs.end()) continue;
    if (Maybe difference = compare_declared_port(port, output->at("value"))) return difference;
  }
  return std::nullopt;
}

}  // namespace ifcert::conformance
