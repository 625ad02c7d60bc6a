#include "conformance/commands/mended_file.hpp"

#include <ifcert/allowance.hpp>
#include <ifcert/rules.hpp>
#include <utility>

#include "conformance/commands/edited_file.hpp"
#include "conformance/commands/model_argument.hpp"
#include "conformance/system/file.hpp"

namespace ifcert::conformance {

CheckedFile write_mended(const std::string& model, const std::string& out) {
  require_edited_name(model, out);
  Reading reading = read_model_argument(model, allowable_rules());
  write_edited(reading, model, out, reading.mended == nullptr ? read_file(model) : *reading.mended);
  return {out, checked(reading).findings, {}, std::move(reading.allowed)};
}

}  // namespace ifcert::conformance
