// What an adapter says of itself in hello.
#pragma once

#include <mutex>
#include <nlohmann/json.hpp>
#include <string>

#include "conformance/certification.hpp"

namespace ifcert::conformance {

/// The longest line that is taken as an answer to hello: what it says stands in every result.
inline constexpr std::size_t longest_hello = std::size_t{1} << 20U;

/// Fills in what a hello says, of the schema of the protocol.
void take_over(const nlohmann::json& hello, AdapterIdentity& identity);

/// What the first process of an adapter said, which all others of the same certification must say too: a result is
/// that of one runtime. Threads may share it.
class FirstHello {
 public:
  /// How this hello and the first one differ; empty where they do not, and of the first.
  std::string difference_from_first(const nlohmann::json& hello);

  /// What the first one said; null where none was there.
  nlohmann::json said() const;

 private:
  mutable std::mutex mutex_;
  nlohmann::json said_;
};

}  // namespace ifcert::conformance
