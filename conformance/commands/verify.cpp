// ifcert verify CERTIFICATE [--results FILE] [--key FILE [--signature FILE]] [--badge FILE [--adapter NAME]]
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "conformance/certificate/badge.hpp"
#include "conformance/certificate/certificate.hpp"
#include "conformance/certify/merge.hpp"
#include "conformance/commands/commands.hpp"
#include "conformance/results/results_file.hpp"
#include "conformance/suite/rule_table.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/file.hpp"
#include "conformance/system/signature.hpp"

namespace ifcert::conformance {
namespace {

namespace fs = std::filesystem;

struct VerifyOptions {
  std::string certificate, results, key, signature, badge, adapter;
};

/// The results with the vectors and the rules that they are of.
Certification complete_results(const fs::path& results) {
  const Project project = find_project();
  Part part{results.string(), read_results(project, results)};
  const Suite suite = suite_of(project, std::span(&part, 1));
  add_vectors(suite, part);
  part.certification.rules = rules_of(summaries(suite));
  return part.certification;
}

void write_badge(const VerifyOptions& options, const Certification& certification) {
  if (options.adapter.empty() && certification.adapters.size() != 1)
    throw Error(fmt::format("the certificate has {} adapters; --adapter must name one for the badge",
                            certification.adapters.size()));
  const std::string name = options.adapter.empty() ? certification.adapters.front().name : options.adapter;
  if (std::ranges::find(certification.adapters, name, &AdapterIdentity::name) == certification.adapters.end())
    throw Error(fmt::format("the certificate has no adapter {}", name));
  replace_file(options.badge, badge_svg(Counted(certification), name), {options.certificate});
}

bool has_signature(const VerifyOptions& options, const std::string& certificate) {
  const std::string file = options.signature.empty() ? options.certificate + ".sig" : options.signature;
  if (is_signed_by(options.key, certificate, read_file(file))) {
    fmt::print("The signature {} is of this certificate, by the key {}\n", printable(file), printable(options.key));
    return true;
  }
  fmt::print("The signature {} is not of this certificate, or not by the key {}\n", printable(file),
             printable(options.key));
  return false;
}

int run_verify(const VerifyOptions& options) {
  const fs::path results = options.results.empty() ? fs::path(options.certificate).parent_path() / "results.jsonl"
                                                   : fs::path(options.results);
  const std::string certificate = read_file(options.certificate);
  const bool is_signed = options.key.empty() || has_signature(options, certificate);
  const Certification certification = complete_results(results);
  const std::string found = first_difference(certificate, certificate_text(certification, read_file(results)));
  if (found.empty()) {
    fmt::print("{} matches {} and the vectors\n", printable(options.certificate), printable(results.string()));
  } else {
    fmt::print("{} does not match {} and the vectors\n{}\n", printable(options.certificate),
               printable(results.string()), printable(found));
  }
  if (!found.empty() || !is_signed) return 1;
  if (!options.badge.empty()) write_badge(options, certification);
  return 0;
}

}  // namespace

void add_verify(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("verify", "Recompute a certificate from its results and the vectors, and compare");
  auto options = std::make_shared<VerifyOptions>();
  command->add_option("CERTIFICATE", options->certificate, "certificate.json of a certification")
      ->type_name("")
      ->required();
  command->add_option("--results", options->results, "its results (default: results.jsonl beside it)")
      ->type_name("FILE");
  CLI::Option* key =
      command->add_option("--key", options->key, "public Ed25519 key, in PEM: also check the detached signature")
          ->type_name("FILE");
  command
      ->add_option("--signature", options->signature, "detached signature (default: the certificate's name with .sig)")
      ->type_name("FILE")
      ->needs(key);
  CLI::Option* badge =
      command->add_option("--badge", options->badge, "if all is right, write a badge for READMEs, in SVG")
          ->type_name("FILE");
  command->add_option("--adapter", options->adapter, "adapter whose badge to write, if there are several")
      ->type_name("NAME")
      ->needs(badge);
  examples(
      *command,
      {{"ifcert verify results/certificate.json", "offline, from results/results.jsonl"},
       {"ifcert verify results/certificate.json --badge if.svg", "a badge of what holds"}},
      "Exit code 0: every byte is as recomputed, and the signature is right if a key was named; 1: the first\n"
      "difference is printed, or the signature is wrong; 2: a file cannot be read, its lines were changed, or the\n"
      "results are of other vectors.");
  command->callback([options, &exit_code] { exit_code = run_verify(*options); });
}

}  // namespace ifcert::conformance
