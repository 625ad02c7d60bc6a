// ifcert-sample-report DIR [MODEL.onnx]: writes the reports of the sample certification, for report_page_test.py. The
// model is drawn as that of its first vector.
#include <cstdlib>
#include <exception>
#include <iostream>

#include "conformance/report/report.hpp"
#include "conformance/report/sample_certification.hpp"

int main(int argc, char** argv) {
  if (argc != 2 && argc != 3) {
    std::cerr << "usage: ifcert-sample-report DIR [MODEL.onnx]\n";
    return 2;
  }
  try {
    ifcert::conformance::Certification sample = ifcert::conformance::sample_certification();
    if (argc == 3) sample.vectors.front().model = argv[2];
    ifcert::conformance::write_report(sample, argv[1]);
    return EXIT_SUCCESS;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
}
