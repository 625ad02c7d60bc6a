// A small invented certification for the tests of the reports: every verdict, every kind of value, and hostile text.
#pragma once

#include "conformance/results/certification.hpp"

namespace ifcert::conformance {

/// Markup that would run if anything treated it as markup.
inline constexpr const char* hostile = "</script><img src=x onerror=\"document.title='run'\">";

/// Two rules hold nowhere by design, one has no vectors; the adapters' answers are invented, no runtime returned them.
Certification sample_certification();

}  // namespace ifcert::conformance
