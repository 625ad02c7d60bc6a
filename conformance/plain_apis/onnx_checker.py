"""The checker of the onnx package: it loads and computes nothing."""

#: import
import onnx


#: plain
def load(path):
    return onnx.checker.check_model(path, full_check=True)


#: wide
