// What the inference of a model's types finds.
#pragma once

#include <ifcert/trip_types.hpp>
#include <ifcert/values.hpp>
#include <vector>

namespace ifcert::inference {

struct Inferred {
  std::vector<std::vector<Type>> types;  // types[graph][slot]
  TripTypes trip_types;
};

}  // namespace ifcert::inference
