// The shards of a certification, put together again.
#pragma once

#include <string>
#include <vector>

#include "conformance/certification.hpp"
#include "conformance/suite.hpp"

namespace ifcert::conformance {

/// What one results.jsonl held, and how messages name it.
struct Part {
  std::string name;
  Certification certification;
};

/// Fills in what a results file leaves to the project: the vectors of its selector and shard. Throws Error: results of
/// another manifest, a vector in the adapter's scope that has no result, a result of any other vector.
void complete(const Suite& suite, Part& part);

/// The whole of which these are the shards, as if it had been run at once; the known-failure lists and the rules are
/// the caller's. Throws Error: as complete() does, and for parts on different terms or of different runtimes, two that
/// are the same shard, a shard that is missing.
Certification merge(const Suite& suite, std::vector<Part> parts);

}  // namespace ifcert::conformance
