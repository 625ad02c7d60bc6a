// A small invented certification for the tests of the reports: every verdict, every kind of value, and hostile words.
#pragma once

#include "conformance/certification.hpp"

namespace ifcert::conformance {

/// Markup that would run if anything took it for markup.
inline constexpr const char* hostile = "</script><img src=x onerror=\"document.title='run'\">";

/// Two rules hold nowhere by design, one has no vectors; the adapters' answers are invented, no runtime gave them.
Certification sample_certification();

}  // namespace ifcert::conformance
