// Declared types for the inputs and outputs of bodies.
#pragma once

#include <ifcert/graph.hpp>

namespace ifcert::generator {

/// The bodies that the main graph enters, directly or through other bodies, declare the types that are inferred for
/// their inputs and outputs. Bodies of functions are left as they are: each call may infer others.
void declare_bodies(Model& model);

}  // namespace ifcert::generator
