// A campaign: the cases of many seeds on one adapter, and the findings that are left once failures with the same cause
// and the same smallest model are folded.
#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "conformance/fuzz/fuzz_case.hpp"
#include "conformance/fuzz/fuzz_journal.hpp"
#include "conformance/fuzz/prober.hpp"
#include "generator/shrink.hpp"

namespace ifcert::conformance {

struct FuzzOrder {
  std::uint64_t seed = 0;                               // the first
  std::uint64_t count = 1000;                           // of seeds
  std::optional<std::chrono::duration<double>> time{};  // for the seeds; then the count does not matter
  std::size_t jobs = 1;
  FuzzKinds kinds{};
  std::size_t examples = 4;  // of each cause that are made smaller; of wrong values three times as many
  generator::ShrinkLimits shrinking{};
  Limits limits{};
  bool resume = false;
  const std::atomic<bool>* interrupted = nullptr;  // once true, nothing new is begun
  std::function<void(std::size_t done, std::size_t total, const std::string& what)> progress{};
};

/// Examples with the same cause and the same form.
struct FuzzFinding {
  FuzzExample example;               // the smallest of them
  std::vector<std::uint64_t> seeds;  // of all of them
  std::size_t failures = 0;          // cases with the cause of any of them, made smaller or not
};

struct Campaign {
  AdapterIdentity adapter;
  std::size_t seeds = 0;
  std::map<std::string, std::size_t> verdicts;  // how many cases, by verdict_line()
  std::vector<FuzzFinding> findings;            // in the order of their first seeds
  std::vector<std::string> troubles;            // of our own
  bool cut_short = false;                       // interrupted: seeds or failures are left
};

/// The findings are determined by the seeds, whatever the number of jobs, as far as the runtime and the limits of time
/// are. The journal is `file`. Throws Error where the adapter cannot be started, reads no format that is generated, or
/// the journal cannot be written.
Campaign fuzz(const Project& project, const Adapter& adapter, const FuzzOrder& order,
              const std::filesystem::path& file);

}  // namespace ifcert::conformance
