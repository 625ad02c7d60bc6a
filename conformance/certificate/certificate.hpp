// certificate.json: what was certified, with what, and what was found, in canonical JSON. It is made of results.jsonl
// and the vectors alone, so anyone who has these can make it again and compare (ifcert verify).
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "conformance/results/certification.hpp"

namespace ifcert::conformance {

/// 1 had no NOT-IF and no headline; the headline of 2 counted vectors, not ideas.
inline constexpr int certificate_format = 3;

/// The certificate of these results; `results` is the text of their results.jsonl. Counts are per adapter, for each
/// axis and rule, and per level (profiles.hpp), of which it names the rules that do not hold. Waivers are the
/// failures and leniencies that the adapter's list names. Throws Error as Counted and canonical_json() do.
std::string certificate_text(const Certification& certification, std::string_view results);

/// Where two certificates first differ, and how: "/adapters/0/version: the certificate has "1.2", the results have
/// "1.3""; empty where they are the same byte by byte.
std::string first_difference(std::string_view certificate, std::string_view recomputed);

}  // namespace ifcert::conformance
