"""IREE: what its tools iree-import-onnx and iree-compile do, for llvm-cpu, and its runtime."""

#: import
import iree.compiler.api
import iree.runtime
from iree.compiler import ir
from iree.compiler.extras import onnx_importer
from iree.compiler.tools.import_onnx import __main__ as import_onnx

FLAGS = ["--iree-hal-target-device=local", "--iree-hal-local-target-device-backends=llvm-cpu"]
FLAGS += ["--iree-llvmcpu-target-cpu=generic", "--iree-input-demote-f64-to-f32=false"]

# By number in TensorProto.DataType. What is compiled returns signless integers, which become signed ones in Python.
UNSIGNED = {2: "uint8", 4: "uint16", 12: "uint32", 13: "uint64"}


#: plain
def load(path):
    """Imports, compiles, and loads what results; the compiler's reasons are on standard error."""
    proto = import_onnx.load_onnx_model(import_onnx.parse_arguments([path]))
    info = onnx_importer.ModelInfo(proto)
    module = info.create_module(context=ir.Context()).operation
    onnx_importer.NodeImporter.define_function(info.main_graph, module).import_all()
    module.verify()
    loaded = iree.runtime.Config("local-sync")
    code = compiled(module.get_asm(assume_verified=True))
    vm_module = iree.runtime.VmModule.copy_buffer(loaded.vm_instance, code)
    context = iree.runtime.SystemContext(vm_modules=[vm_module], config=loaded)
    kinds = [UNSIGNED.get(output.type.tensor_type.elem_type) for output in proto.graph.output]
    return list(info.main_graph.input_map), kinds, context.modules[vm_module.name][proto.graph.name]


def compiled(text):
    session = iree.compiler.api.Session()
    session.set_flags(*FLAGS)
    invocation = session.invocation()
    invocation.enable_console_diagnostics()
    source = iree.compiler.api.Source.wrap_buffer(session, text.encode() + b"\0", buffer_name="model.mlir")
    if not invocation.parse_source(source) or not invocation.execute():
        raise RuntimeError("it does not compile: standard error has the reason")
    output = iree.compiler.api.Output.open_membuffer()
    invocation.output_vm_bytecode(output)
    return bytes(output.map_memory())


def called(model, feeds):
    """A compiled function has positional arguments."""
    names, kinds, function = model
    known = [name for name in names if name in feeds]
    if known != names[: len(known)]:
        raise RuntimeError(f"the model's inputs are {names}")
    results = function(*[feeds[name] for name in known], *[feeds[name] for name in feeds if name not in names])
    return [read(*pair) for pair in zip(results if isinstance(results, tuple) else (results,), kinds)]


def read(result, unsigned):
    if not isinstance(result, iree.runtime.DeviceArray):
        return result
    array = result.to_host()
    return array.view(unsigned) if unsigned and array.dtype == unsigned[1:] else array


#: narrow
def run(model, feeds):
    return called(model, feeds)


#: wide
import ml_dtypes

# The element types that numpy lacks, with their names in the package ml_dtypes.
LACKING = {"bfloat16": "bfloat16", "float8e4m3fn": "float8_e4m3fn", "float8e4m3fnuz": "float8_e4m3fnuz"}
LACKING |= {"float8e5m2": "float8_e5m2", "float8e5m2fnuz": "float8_e5m2fnuz", "float8e8m0": "float8_e8m0fnu"}


def given(value):
    """Arrays (of ml_dtypes for the types that numpy lacks), lists or None."""
    if isinstance(value, list):
        return [given(item) for item in value]
    if not isinstance(value, tuple) or value[0] not in LACKING:
        return value
    kind, shape, elements = value
    return np.frombuffer(elements, getattr(ml_dtypes, LACKING[kind])).reshape(shape)


def value_of(result):
    name = next((ours for ours, theirs in LACKING.items() if getattr(result, "dtype", None) == theirs), None)
    return result if name is None else (name, list(result.shape), result.tobytes())


def run(model, feeds):
    return [value_of(result) for result in called(model, feeds)]
