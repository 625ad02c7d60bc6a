// Sends cases to an adapter, one process for many of them; a process that ended is started again.
#pragma once

#include <memory>

#include "conformance/adapter.hpp"
#include "conformance/hello.hpp"
#include "conformance/schema.hpp"
#include "conformance/session.hpp"
#include "conformance/trial.hpp"

namespace ifcert::conformance {

/// The adapter and the terms on which it is asked; all that it refers to outlives its use.
struct FuzzTarget {
  const Project& project;
  const Adapter& adapter;
  const Schema& answers;
  Limits limits;
  FirstHello* first_hello;  // which every process must repeat
};

class Prober {
 public:
  explicit Prober(const FuzzTarget& target) : target_(target), session_(fresh()) {}

  /// In the process that earlier cases have used. Where it was killed for what those used up, once more in a fresh one.
  Trial attempt(const Vector& vector);

  /// In a process of its own.
  Trial alone(const Vector& vector) const { return try_vector(*fresh(), vector); }

  /// Starts the process if needed. Throws Error where the adapter does not answer hello.
  Session& greeted();

 private:
  std::unique_ptr<Session> fresh() const;

  const FuzzTarget& target_;
  std::unique_ptr<Session> session_;
  bool used_ = false;
};

}  // namespace ifcert::conformance
