// ifcert-sample-report DIR: writes the reports of the sample certification, for report_page_test.py.
#include <cstdlib>
#include <exception>
#include <iostream>

#include "conformance/report/report.hpp"
#include "conformance/report/sample_certification.hpp"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: ifcert-sample-report DIR\n";
    return 2;
  }
  try {
    ifcert::conformance::write_report(ifcert::conformance::sample_certification(), argv[1]);
    return EXIT_SUCCESS;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
}
