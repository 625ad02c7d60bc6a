#include "conformance/fuzz/prober.hpp"

#include <fmt/format.h>

#include "conformance/system/error.hpp"

namespace ifcert::conformance {

std::unique_ptr<Session> Prober::fresh() const {
  return std::make_unique<Session>(target_.project, target_.adapter, target_.answers, target_.limits,
                                   target_.first_hello);
}

Trial Prober::attempt(const Vector& vector) {
  const bool was_first = session_->is_fresh();
  const Trial trial = try_vector(*session_, vector);
  return trial.may_be_due_to_earlier_vectors && !was_first ? try_vector(*session_, vector) : trial;
}

Session& Prober::greeted() {
  if (const auto failure = session_->start()) throw Error(fmt::format("{}: {}", target_.adapter.name, failure->reason));
  return *session_;
}

}  // namespace ifcert::conformance
