#include "specialise/specialise.hpp"

namespace ifcert::openvino {

std::string specialised(const Model& model, std::span<const std::byte> /*bytes*/, const Decisions& /*decisions*/) {
  throw Inexpressible(model.path, "not yet");
}

}  // namespace ifcert::openvino
