#include "conformance/fuzz/generator/illegal_form.hpp"

#include <ifcert/reference.hpp>
#include <utility>

namespace ifcert::generator {

IllegalForm illegal_itself(std::set<std::string> rules) {
  return {std::move(rules),
          [](const Generated& candidate) { return write_model(candidate.model, model_name(candidate.model.format)); }};
}

IllegalForm legal_before_the_fault(const Invalid& invalid, Format format) {
  const auto write = [make = invalid.make, choices = invalid.choices, format](const Generated& candidate) {
    if (!computed(candidate.model, model_name(format), {}).fault.empty()) return Files();
    Random random = choices;
    return make(candidate.model, random);
  };
  return {{std::string(invalid.rule)}, write};
}

std::shared_ptr<const Files> illegal_files(const IllegalForm& form, const Generated& candidate) {
  try {
    const auto files = std::make_shared<const Files>(form.write(candidate));
    return !files->empty() && broken_rules(files) == form.rules ? files : nullptr;
  } catch (const Inexpressible&) {
    return nullptr;
  }
}

}  // namespace ifcert::generator
