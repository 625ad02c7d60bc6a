// The exception for a model that another format cannot express.
#pragma once

#include <ifcert/message.hpp>
#include <stdexcept>
#include <string>

namespace ifcert {

/// Thrown where a writer or a translation cannot express something, with its place in the model and the reason. what()
/// is "place: reason".
class Inexpressible : public std::runtime_error {
 public:
  Inexpressible(std::string place, std::string reason)
      : std::runtime_error(printable(place + ": " + reason)), place_(std::move(place)), reason_(std::move(reason)) {}

  const std::string& place() const { return place_; }
  const std::string& reason() const { return reason_; }

 private:
  std::string place_, reason_;
};

}  // namespace ifcert
