"""ifcert: a conformance suite and a reference for the operator If.

    >>> import ifcert
    >>> model = ifcert.load("model.onnx")
    >>> model.check()                        # every rule that the model breaks
    >>> model.run({"cond": True, "x": x})    # the outputs by name

`ifcert.backend` runs the onnx package's backend tests on the reference; `ifcert.authoring` makes the suite's vectors.
"""

from pkgutil import extend_path

import ml_dtypes  # noqa: F401 (the first run needs it and should not have to wait for it)

__path__ = extend_path(__path__, __name__)  # in a checkout the extension module is in the build folder

from ifcert._ifcert import Diagnostic, Port, Rule, __version__, rules
from ifcert.errors import EvaluationError, IllegalModel, Inexpressible, LimitExceeded, UnreadableModel
from ifcert.model import Model, Picture, load

__all__ = [
    "Diagnostic",
    "EvaluationError",
    "IllegalModel",
    "Inexpressible",
    "LimitExceeded",
    "Model",
    "Picture",
    "Port",
    "Rule",
    "UnreadableModel",
    "__version__",
    "load",
    "rules",
]
