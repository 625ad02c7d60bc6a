#include "evaluation/failure.hpp"

#include <fmt/format.h>

#include <utility>

#include "limits/out_of_memory.hpp"

namespace ifcert {

[[noreturn]] void fail(const Place& place, std::string_view message, std::string missing) {
  throw EvaluationError(fmt::format("{}: {}", to_string(place), message), std::move(missing));
}

void fail(const Place& place, const LimitExceeded& error) {
  throw LimitExceeded(error.limit, fmt::format("{}: {}", to_string(place), error.what()));
}

void fail(const Place& place, const std::bad_alloc& /*error*/) {
  throw OutOfMemory(fmt::format("{}: out of memory", to_string(place)));
}

}  // namespace ifcert
