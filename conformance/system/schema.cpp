// The only translation unit that includes valijson.
#include "schema.hpp"

#include <fmt/format.h>

#include <map>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>
#include <vector>

#include "error.hpp"
#include "file.hpp"

namespace ifcert::conformance {

struct Schema::Compiled {
  valijson::Schema schema;
  std::map<std::string, std::string> descriptions;  // of the document's members, by their names
};

namespace {

using Adapter = valijson::adapters::NlohmannJsonAdapter;

/// The documents that a schema refers to, alive while it is compiled.
class Neighbours {
 public:
  explicit Neighbours(std::filesystem::path folder) : folder_(std::move(folder)) {}

  const nlohmann::json* read(const std::string& uri) {
    const std::string name = uri.substr(uri.rfind('/') + 1);
    documents_.push_back(std::make_unique<nlohmann::json>(read_json(folder_ / name.substr(0, name.find('#')))));
    return documents_.back().get();
  }

 private:
  std::filesystem::path folder_;
  std::vector<std::unique_ptr<nlohmann::json>> documents_;
};

std::map<std::string, std::string> descriptions_in(const nlohmann::json& schema) {
  std::map<std::string, std::string> found;
  const nlohmann::json members = schema.value("properties", nlohmann::json::object());
  for (const auto& [name, member] : members.items()) {
    if (member.contains("description")) found.emplace(name, member["description"]);
  }
  return found;
}

/// "<root>", "[steps]", "[0]" → "steps[0]".
std::string path_text(const std::vector<std::string>& context) {
  std::string text;
  for (std::size_t i = 1; i < context.size(); ++i) {
    const std::string_view part = context[i];
    const std::string_view name = part.size() > 2 ? part.substr(1, part.size() - 2) : part;
    const bool index = name.find_first_not_of("0123456789") == std::string_view::npos;
    text += index ? fmt::format("[{}]", name) : fmt::format("{}{}", text.empty() ? "" : ".", name);
  }
  return text;
}

}  // namespace

Schema::Schema(const std::filesystem::path& file) {
  const nlohmann::json document = read_json(file);
  auto compiled = std::make_unique<Compiled>();
  Neighbours neighbours(file.parent_path());
  try {
    valijson::SchemaParser parser(valijson::SchemaParser::kDraft7);
    parser.populateSchema(
        Adapter(document), compiled->schema, [&neighbours](const std::string& uri) { return neighbours.read(uri); },
        [](const nlohmann::json*) {});
  } catch (const std::exception& fault) {
    throw Error(fmt::format("{} is not a JSON schema: {}", file.string(), fault.what()));
  }
  compiled->descriptions = descriptions_in(document);
  compiled_ = std::move(compiled);
}

Schema::Schema(Schema&&) noexcept = default;
Schema& Schema::operator=(Schema&&) noexcept = default;
Schema::~Schema() = default;

std::string Schema::fault(const nlohmann::json& document) const {
  thread_local valijson::Validator validator;  // reuses the regular expressions it has compiled
  if (validator.validate(compiled_->schema, Adapter(document), nullptr)) return {};
  valijson::ValidationResults results;
  validator.validate(compiled_->schema, Adapter(document), &results);
  // The deepest error is the most precise: for a choice between forms the outer errors only report that none matches.
  std::string best = "does not match its schema", member;
  std::size_t depth = 0;
  for (valijson::ValidationResults::Error error; results.popError(error);) {
    if (error.context.size() <= depth) continue;
    depth = error.context.size();
    const std::string at = path_text(error.context);
    best = at.empty() ? error.description : fmt::format("{}: {}", at, error.description);
    member = at.substr(0, at.find_first_of("[."));
  }
  if (const auto found = compiled_->descriptions.find(member); found != compiled_->descriptions.end())
    best += fmt::format(" ({}: {})", member, found->second);
  return printable(best);
}

void Schema::require(const nlohmann::json& document, std::string_view where) const {
  if (const std::string found = fault(document); !found.empty()) {
    throw Error(fmt::format("{} does not match its schema: {}", where, found));
  }
}

nlohmann::json parsed_json(std::string_view text, const std::filesystem::path& path, const Schema& schema) {
  nlohmann::json document = parsed_json(text, path);
  schema.require(document, path.string());
  return document;
}

nlohmann::json read_json(const std::filesystem::path& path, const Schema& schema) {
  return parsed_json(read_file(path), path, schema);
}

}  // namespace ifcert::conformance
