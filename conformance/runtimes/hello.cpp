#include "conformance/runtimes/hello.hpp"

#include "conformance/results/run_settings.hpp"

namespace ifcert::conformance {

using nlohmann::json;

void copy_declarations(const json& hello, AdapterIdentity& identity) {
  const json& runtime = hello.at("runtime");
  runtime.at("name").get_to(identity.runtime);
  runtime.at("version").get_to(identity.version);
  runtime.at("language").get_to(identity.language);
  runtime.at("home").get_to(identity.home);
  hello.at("computes").get_to(identity.runs_models);
  hello.at("threads").get_to(identity.threads);
  identity.holds = hello.value("holds", false);
  identity.unsupported_features = hello.at(hello.contains("cannot") ? "cannot" : "unsupported_features");
}

void FirstHello::store_if_first(const json& hello) {
  const std::lock_guard lock(mutex_);
  if (first_.is_null()) first_ = hello;
}

std::string FirstHello::difference_from(const json& hello) const {
  const std::lock_guard lock(mutex_);
  return first_ == hello ? std::string() : difference(first_, hello);
}

json FirstHello::get() const {
  const std::lock_guard lock(mutex_);
  return first_;
}

}  // namespace ifcert::conformance
