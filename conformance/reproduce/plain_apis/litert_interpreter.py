"""LiteRT, one thread."""

#: import
from ai_edge_litert import interpreter as litert


#: short load
model = litert.Interpreter(path, num_threads=1, experimental_op_resolver_type=litert.OpResolverType.RESOLVER)
model.allocate_tensors()

#: short run
for details in model.get_input_details():
    model.set_tensor(details["index"], FEEDS[details["name"]])
model.invoke()
returned = [model.get_tensor(details["index"]) for details in model.get_output_details()]

#: short load of open shapes
model = litert.Interpreter(path, num_threads=1, experimental_op_resolver_type=litert.OpResolverType.RESOLVER)

#: short run of open shapes
for details in model.get_input_details():
    if len(details["shape_signature"]) == 0 or -1 in details["shape_signature"]:
        model.resize_tensor_input(details["index"], feeds[details["name"]].shape)
model.allocate_tensors()
for details in model.get_input_details():
    model.set_tensor(details["index"], feeds[details["name"]])
model.invoke()
returned = [model.get_tensor(details["index"]) for details in model.get_output_details()]


#: plain
def is_open(details):
    """Whether a dim is -1, or there is no dim: a scalar, or an unknown rank."""
    return len(details["shape_signature"]) == 0 or -1 in details["shape_signature"]


def load(path):
    """If an input's shape is open, allocating for the declared shape may fail; then the run decides."""
    resolver = litert.OpResolverType.RESOLVER
    model = litert.Interpreter(model_path=path, num_threads=1, experimental_op_resolver_type=resolver)
    model.ready = not any(is_open(details) for details in model.get_input_details())
    try:
        model.allocate_tensors()
    except RuntimeError:
        if model.ready:
            raise
    return model


def run(model, feeds):
    inputs = {details["name"]: details for details in model.get_input_details()}
    for name, value in feeds.items():
        if is_open(inputs[name]) and tuple(inputs[name]["shape"]) != value.shape:
            model.resize_tensor_input(inputs[name]["index"], value.shape)
            model.ready = False
    if not model.ready:
        model.allocate_tensors()
        model.ready = True
    for name, value in feeds.items():
        model.set_tensor(inputs[name]["index"], value)
    model.invoke()
    return [read(model, details) for details in model.get_output_details()]


def read(model, details):
    """`get_tensor` raises ValueError for a tensor that has become empty."""
    if 0 in details["shape"]:
        return np.empty(details["shape"], details["dtype"])
    return np.asarray(model.get_tensor(details["index"]))


#: wide
def given(value):
    """Only tensors of numpy's types. Strings are objects of bytes; of a scalar object set_tensor reads the address."""
    if not isinstance(value, tuple):
        return value
    kind, shape, elements = value
    if kind != "string":
        sys.exit(f"LiteRT takes arrays of numpy, which has no {kind}")
    return object_array(elements, shape) if shape else np.array(elements[0])
