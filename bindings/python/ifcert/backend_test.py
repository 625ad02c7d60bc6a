"""The onnx package's own backend tests of If run on the reference, through ifcert.backend."""

import onnx.backend.test

import ifcert.backend

cases = onnx.backend.test.BackendTest(ifcert.backend, __name__)
cases.include(r"test_(if|loop11|scan9|sequence_map|identity|optional).*_cpu$")
globals().update(cases.test_cases)
