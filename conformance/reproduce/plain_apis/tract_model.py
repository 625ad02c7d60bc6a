"""tract, optimised, through its Python package."""

#: import
import tract


#: plain
def load(path):
    model = tract.onnx().load(path)
    names = [model.input_name(at) for at in range(model.input_count())]
    return names, model.into_model().into_runnable()


def value_of(tensor):
    """An array; what tract calls a size (TDim), and numpy does not have, is an int64."""
    try:
        return tensor.to_numpy()
    except tract.TractError:
        return tensor.convert_to(tract.DatumType.I64).to_numpy()


def run(model, feeds):
    names, runnable = model
    if set(feeds) != set(names):
        raise RuntimeError(f"the model's inputs are {names}")
    return [value_of(tensor) for tensor in runnable.run([feeds[name] for name in names])]
