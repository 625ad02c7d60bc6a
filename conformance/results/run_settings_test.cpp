#include "conformance/results/run_settings.hpp"

#include <gmock/gmock.h>

namespace ifcert::conformance {
namespace {

Certification sample_of_version(const std::string& version = "1.0") {
  Certification certification;
  certification.limits = {{"timeout_s", 30.0}, {"jobs", 1}};
  certification.adapters.resize(1);
  certification.adapters.front().version = version;
  return certification;
}

TEST(RunSettings, DoNotDependOnTheJobsAndTheTime) {
  Certification other = sample_of_version();
  other.limits["jobs"] = 2;
  other.started = std::string(20, '1');
  EXPECT_EQ(difference(settings_of(sample_of_version()), settings_of(other)), "");
}

TEST(RunSettings, IncludeTheInstalledFilesOfTheAdapters) {
  Certification other = sample_of_version();
  other.adapters.at(0).files = "others";
  EXPECT_THAT(difference(settings_of(sample_of_version()), settings_of(other)),
              testing::HasSubstr(R"(adapters.0.files is "" there and "others" here)"));
}

TEST(RunSettings, ThatDifferAreNamedOneByOne) {
  Certification other = sample_of_version("2.0");
  other.limits["timeout_s"] = 20.0;
  other.limits["memory_mib"] = 4096;
  EXPECT_EQ(difference(settings_of(sample_of_version()), settings_of(other)),
            R"(adapters.0.version is "1.0" there and "2.0" here; limits.memory_mib is nothing there and 4096 here; )"
            R"(limits.timeout_s is 30.0 there and 20.0 here)");
}

}  // namespace
}  // namespace ifcert::conformance
