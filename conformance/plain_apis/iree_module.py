"""IREE: what its tools iree-import-onnx and iree-compile do, for llvm-cpu, and its runtime."""

#: import
import iree.compiler.api
import iree.runtime
from iree.compiler import ir
from iree.compiler.extras import onnx_importer
from iree.compiler.tools.import_onnx import __main__ as import_onnx

FLAGS = ["--iree-hal-target-device=local", "--iree-hal-local-target-device-backends=llvm-cpu"]
FLAGS += ["--iree-llvmcpu-target-cpu=generic", "--iree-input-demote-f64-to-f32=false"]


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
    return list(info.main_graph.input_map), context.modules[vm_module.name][proto.graph.name]


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


#: narrow
def run(model, feeds):
    """A compiled function has positional arguments."""
    names, function = model
    known = [name for name in names if name in feeds]
    if known != names[: len(known)]:
        raise RuntimeError(f"the model's inputs are {names}")
    results = function(*[feeds[name] for name in known], *[feeds[name] for name in feeds if name not in names])
    results = results if isinstance(results, tuple) else (results,)
    return [result.to_host() if isinstance(result, iree.runtime.DeviceArray) else result for result in results]
