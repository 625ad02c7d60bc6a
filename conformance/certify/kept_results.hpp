// The results of an earlier run that a new one keeps (certify --update): those of vectors that have not changed since.
#pragma once

#include <string>

#include "conformance/certify/merge.hpp"
#include "conformance/results/certification.hpp"
#include "conformance/suite/suite.hpp"

namespace ifcert::conformance {

/// The first 16 digits of SHA-256 of the vector and its twin: as long as they are the same, a result of the vector
/// stays what it is. Empty where the vector was not read or cannot be used.
std::string digest_with_twin(const Suite& suite, const Vector& vector);

/// The earlier certification, but of its results only those that a run of this plan need not make again: of vectors
/// that the plan selects and that have not changed, and only where the vector and its twin were judged. The results of
/// a file without the digests of vectors have not changed if its manifest is the suite's. Throws Error where the
/// earlier run had another version of ifcert, other settings or other adapters; the manifest and the selection may
/// differ.
Certification kept_results(const Suite& suite, const Certification& plan, Part earlier);

/// Throws Error where the adapter, which has answered hello, is not the one of the kept results.
void require_same_runtime(const Certification& kept, const AdapterIdentity& adapter);

/// The adapter as it was when the results were made, but in the folder where it is now.
AdapterIdentity kept_identity(const Certification& kept, const AdapterIdentity& adapter);

/// Adds the kept results, in the order of the adapters and of the manifest, and says how many they are and since when.
void add_kept_results(const Certification& kept, Certification& certification);

}  // namespace ifcert::conformance
