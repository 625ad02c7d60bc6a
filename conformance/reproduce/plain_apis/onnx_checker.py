"""The checker of the onnx package: it loads and computes nothing."""

#: import
import onnx


#: version
onnx.__version__

#: short load
onnx.checker.check_model(path, full_check=True)


#: plain
def load(path):
    return onnx.checker.check_model(path, full_check=True)


#: wide
