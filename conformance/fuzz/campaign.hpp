// A campaign: the cases of many seeds on one adapter, and its findings.
#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "conformance/fuzz/folding.hpp"
#include "conformance/fuzz/fuzz_case.hpp"
#include "conformance/fuzz/fuzz_journal.hpp"
#include "conformance/fuzz/generator/shrink.hpp"
#include "conformance/fuzz/prober.hpp"

namespace ifcert::conformance {

struct FuzzOrder {
  std::uint64_t seed = 0;                               // the first seed
  std::uint64_t count = 1000;                           // the number of seeds
  std::optional<std::chrono::duration<double>> time{};  // to spend on seeds; if set, the count is ignored
  std::size_t jobs = 1;
  FuzzKinds kinds{};
  std::size_t examples = 4;  // how many failures of each cause to make smaller; three times as many for wrong values
  generator::ShrinkLimits shrinking{};
  Limits limits{};
  bool resume = false;
  const std::atomic<bool>* interrupted = nullptr;  // once true, no new work is begun
  std::function<void(std::size_t done, std::size_t total, const std::string& what)> progress{};
};

struct Campaign {
  AdapterIdentity adapter;
  std::size_t seeds = 0;
  std::map<std::string, std::size_t> verdicts;  // how many cases, by verdict_line()
  std::vector<FuzzFinding> findings;            // in the order of their first seeds
  std::vector<std::string> troubles;            // cases that could not be judged, through no fault of the runtime
  bool cut_short = false;                       // interrupted: seeds or failures are left
};

/// The findings depend only on the seeds, whatever the number of jobs, as long as the runtime is deterministic and no
/// time limit is reached. The journal is `file`. Throws Error if the adapter cannot be started or reads no format that
/// can be generated, or if the journal cannot be written.
Campaign fuzz(const Project& project, const Adapter& adapter, const FuzzOrder& order,
              const std::filesystem::path& file);

}  // namespace ifcert::conformance
