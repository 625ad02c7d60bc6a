// The declarations that an adapter makes about itself in hello.
#pragma once

#include <mutex>
#include <nlohmann/json.hpp>
#include <string>

#include "conformance/results/certification.hpp"

namespace ifcert::conformance {

/// The longest accepted answer to hello, which is stored with the results.
inline constexpr std::size_t max_hello_bytes = std::size_t{1} << 20U;

/// Copies the declarations of a hello, which matches the protocol's schema, into the identity. The list of unsupported
/// features may have its older name, "cannot".
void copy_declarations(const nlohmann::json& hello, AdapterIdentity& identity);

/// The hello of an adapter's first process. All other processes of the same certification must repeat it, because all
/// results of an adapter must be of one runtime. Safe to use from several threads.
class FirstHello {
 public:
  void store_if_first(const nlohmann::json& hello);

  /// How this hello differs from the stored one, as one phrase; empty where it does not.
  std::string difference_from(const nlohmann::json& hello) const;

  /// Null before a hello was stored.
  nlohmann::json get() const;

 private:
  mutable std::mutex mutex_;
  nlohmann::json first_;
};

}  // namespace ifcert::conformance
