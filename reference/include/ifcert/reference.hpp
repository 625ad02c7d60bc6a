// The reference implementation of If: everything, in one header.
#pragma once

#include <ifcert/allowance.hpp>
#include <ifcert/diagnostic.hpp>
#include <ifcert/evaluate.hpp>
#include <ifcert/graph.hpp>
#include <ifcert/onnx.hpp>
#include <ifcert/openvino.hpp>
#include <ifcert/reading.hpp>
#include <ifcert/rules.hpp>
#include <ifcert/tflite.hpp>
#include <ifcert/translate.hpp>
#include <ifcert/types.hpp>
#include <ifcert/values.hpp>
