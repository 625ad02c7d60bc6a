"""tract, optimised, through its Python package."""

#: import
import tract


#: plain
def load(path):
    """Where tract refuses the shapes of the file, and an input's are open there, each run sets those of its inputs."""
    model = tract.onnx().load(path)
    inputs = range(model.input_count())
    names = [model.input_name(at) for at in inputs]
    dims = [dim for at in inputs for dim in model.input_fact(at).dump().split(",")[:-1]]
    try:
        return path, names, model.into_model().into_runnable()
    except tract.TractError:
        if all(dim.isdecimal() for dim in dims):
            raise
    return path, names, None


def prepared(path, arrays):
    model = tract.onnx().load(path)
    for at, array in enumerate(arrays):
        kind = array.dtype.kind
        element_type = "bool" if kind == "b" else f"{kind}{array.dtype.itemsize * 8}"
        model.set_input_fact(at, ",".join([*map(str, array.shape), element_type]))
    return model.into_model().into_runnable()


def value_of(tensor):
    """An array; what tract calls a size (TDim), and numpy does not have, is an int64."""
    try:
        return tensor.to_numpy()
    except tract.TractError:
        return tensor.convert_to(tract.DatumType.I64).to_numpy()


def run(model, feeds):
    path, names, runnable = model
    if set(feeds) != set(names):
        raise RuntimeError(f"the model's inputs are {names}")
    arrays = [feeds[name] for name in names]
    return [value_of(tensor) for tensor in (runnable or prepared(path, arrays)).run(arrays)]
