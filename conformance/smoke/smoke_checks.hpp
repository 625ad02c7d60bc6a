// The checks of `ifcert adapter smoke`, by name: each is a vector, as it is or changed in one respect.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "conformance/suite/suite.hpp"

namespace ifcert::conformance {

/// How a check changes or runs its vector.
enum class SmokeForm : std::uint8_t {
  as_it_is,      // load, its steps, unload
  junk,          // the model file is a line of text
  empty,         // the model file has no bytes
  half,          // the second half of the model file is missing
  without_data,  // the files beside the model are missing
  long_names,    // the inputs and outputs have names of 4 kB, beyond ASCII
  large,         // of a model that negates a float32 vector of any length: one of 1 MB
  replaces,      // loaded while another model is still loaded
  skipped,       // a run after a load that was refused
  held,          // the first run is held, and read again after the second
  concurrent     // its runs, by four threads at once
};

struct SmokeCheck {
  std::string name;    // "onnx/long-names"
  std::string vector;  // its id
  SmokeForm form = SmokeForm::as_it_is;
  std::string before{};  // for `replaces`: the vector whose model it replaces
};

/// "the inputs and outputs have names of 4 kB": what a form tries, for a person; empty for as_it_is.
std::string described(SmokeForm form);

/// Whether the model is one that no runtime can load.
bool is_damaged(SmokeForm form);

/// All checks of these systems. Twins come first.
std::vector<SmokeCheck> smoke_checks(std::span<const std::string> systems);

/// The vector in that form; `skipped` and `replaces` change nothing. Throws Error where the vector does not fit.
Vector in_form(const Vector& vector, SmokeForm form);

}  // namespace ifcert::conformance
