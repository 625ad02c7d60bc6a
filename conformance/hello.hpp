// The declarations that an adapter makes about itself in hello.
#pragma once

#include <mutex>
#include <nlohmann/json.hpp>
#include <string>

#include "conformance/certification.hpp"

namespace ifcert::conformance {

/// The longest line that is accepted as an answer to hello: its contents are part of every result.
inline constexpr std::size_t longest_hello = std::size_t{1} << 20U;

/// Fills in the contents of a hello that matches the protocol's schema.
void take_over(const nlohmann::json& hello, AdapterIdentity& identity);

/// The hello of an adapter's first process, which all other processes of the same certification must repeat: a result
/// belongs to one runtime. Threads may share it.
class FirstHello {
 public:
  /// How this hello differs from the first one; empty where it does not, and for the first.
  std::string difference_from_first(const nlohmann::json& hello);

  /// The first hello; null where there was none.
  nlohmann::json get() const;

 private:
  mutable std::mutex mutex_;
  nlohmann::json first_;
};

}  // namespace ifcert::conformance
