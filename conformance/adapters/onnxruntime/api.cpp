#include "api.hpp"

#include <ifcert_adapter.hpp>

namespace ifcert::onnxruntime {

const OrtApi& api() {
  static const OrtApi* const functions = OrtGetApiBase()->GetApi(ORT_API_VERSION);
  if (functions == nullptr)
    throw adapter::AdapterError("ONNX Runtime " + version() + " has no API " + std::to_string(ORT_API_VERSION));
  return *functions;
}

std::string version() {
  return OrtGetApiBase()->GetVersionString();
}

const OrtEnv* environment() {
  static const auto made_once = made<Environment>(api().CreateEnv, ORT_LOGGING_LEVEL_WARNING, "ifcert");
  return made_once.get();
}

void require(OrtStatus* status) {
  if (status == nullptr) return;
  const std::unique_ptr<OrtStatus, Releaser<&OrtApi::ReleaseStatus>> owned(status);
  const OrtErrorCode code = api().GetErrorCode(status);
  const std::string message = "status " + std::to_string(code) + ": " + api().GetErrorMessage(status);
  if (code == ORT_NOT_IMPLEMENTED) throw adapter::Unsupported("runtime", message, "NOT_IMPLEMENTED");
  throw adapter::Refused(message);
}

}  // namespace ifcert::onnxruntime
