// ONNX Runtime's C API: its objects owned, and what it says no to as the SDK's exceptions.
#pragma once

#include <onnxruntime_c_api.h>

#include <memory>
#include <string>

namespace ifcert::onnxruntime {

/// The functions of the library that is linked.
const OrtApi& api();

/// What the library says its version is.
std::string version();

/// Gives an object back by the member of OrtApi that releases it.
template <auto release>
struct Releaser {
  template <class Object>
  void operator()(Object* object) const {
    (api().*release)(object);
  }
};

using Environment = std::unique_ptr<OrtEnv, Releaser<&OrtApi::ReleaseEnv>>;
using Options = std::unique_ptr<OrtSessionOptions, Releaser<&OrtApi::ReleaseSessionOptions>>;
using Session = std::unique_ptr<OrtSession, Releaser<&OrtApi::ReleaseSession>>;
using TypeInfo = std::unique_ptr<OrtTypeInfo, Releaser<&OrtApi::ReleaseTypeInfo>>;
using ShapeInfo = std::unique_ptr<OrtTensorTypeAndShapeInfo, Releaser<&OrtApi::ReleaseTensorTypeAndShapeInfo>>;
using RuntimeValue = std::unique_ptr<OrtValue, Releaser<&OrtApi::ReleaseValue>>;

/// Throws what a status says: Unsupported for the runtime's own not-implemented status, Refused for any other.
void require(OrtStatus* status);

/// The process's environment, made at the first call; what the runtime logs goes to standard error.
const OrtEnv* environment();

/// What a function of the API tells by its last parameter.
template <class Told, class Function, class... Arguments>
Told told(Function function, Arguments... arguments) {
  Told answer{};
  require(function(arguments..., &answer));
  return answer;
}

/// The object that a function of the API makes and hands out by its last parameter.
template <class Owner, class Function, class... Arguments>
Owner made(Function function, Arguments... arguments) {
  return Owner(told<typename Owner::pointer>(function, arguments...));
}

}  // namespace ifcert::onnxruntime
