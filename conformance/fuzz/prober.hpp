// Sends cases to an adapter, many of them to one process; after a process has ended, a new one is started.
#pragma once

#include <memory>

#include "conformance/certify/trial.hpp"
#include "conformance/runtimes/adapter.hpp"
#include "conformance/runtimes/hello.hpp"
#include "conformance/runtimes/session.hpp"
#include "conformance/system/schema.hpp"

namespace ifcert::conformance {

/// The adapter, and the settings for its processes. Everything it refers to must outlive it.
struct FuzzTarget {
  const Project& project;
  const Adapter& adapter;
  const Schema& answers;
  Limits limits;
  FirstHello* first_hello;  // the hello that every process must repeat
};

class Prober {
 public:
  explicit Prober(const FuzzTarget& target) : target_(target), session_(fresh()) {}

  /// Tries the vector in the process that earlier cases have used. If that process is killed for what they used up, the
  /// vector is tried once more in a fresh one.
  Trial attempt(const Vector& vector);

  /// Tries the vector in a process of its own.
  Trial alone(const Vector& vector) const { return try_vector(*fresh(), vector); }

  /// Starts the process if needed. Throws Error if the adapter does not answer hello.
  Session& greeted();

 private:
  std::unique_ptr<Session> fresh() const;

  const FuzzTarget& target_;
  std::unique_ptr<Session> session_;
};

}  // namespace ifcert::conformance
