"""onert, the runtime of ONE, on the backend cpu: the native class of its package."""

#: import
import onert
from onert.native import libnnfw_api_pybind


#: short load
session = libnnfw_api_pybind.infer.nnfw_session(path, "cpu")
session.set_prepare_config(libnnfw_api_pybind.prepare_config.ENABLE_INTERNAL_OUTPUT_ALLOC)
session.prepare()

#: short run
for position, value in enumerate(FEEDS.values()):
    session.set_input(position, value)
session.run()
returned = [session.get_output(position) for position in range(session.output_size())]

#: short load of open shapes
session = libnnfw_api_pybind.infer.nnfw_session(path, "cpu")
session.set_prepare_config(libnnfw_api_pybind.prepare_config.ENABLE_INTERNAL_OUTPUT_ALLOC)

#: short run of open shapes
for position, value in enumerate(feeds.values()):
    info = session.input_tensorinfo(position)
    if -1 in info.dims[: info.rank]:
        info.rank, info.dims = value.ndim, list(value.shape)
        session.set_input_tensorinfo(position, info)
session.prepare()
for position, value in enumerate(feeds.values()):
    info = session.input_tensorinfo(position)
    if list(info.dims[: info.rank]) != list(value.shape):
        info.rank, info.dims = value.ndim, list(value.shape)
        session.set_input_tensorinfo(position, info)
    session.set_input(position, value)
session.run()
returned = [session.get_output(position) for position in range(session.output_size())]


#: plain
import ctypes
import pathlib


def load(path):
    """Prepares the session now, or before the first run if a dim of an input is open."""
    model = {"path": path, "session": libnnfw_api_pybind.infer.nnfw_session(path, "cpu"), "places": {}}
    session = model["session"]
    session.set_prepare_config(libnnfw_api_pybind.prepare_config.ENABLE_INTERNAL_OUTPUT_ALLOC)
    infos = [session.input_tensorinfo(place) for place in range(session.input_size())]
    model["shapes"] = [list(info.dims[: info.rank]) for info in infos]
    model["ready"] = not any(-1 in shape for shape in model["shapes"])
    if model["ready"]:
        session.prepare()
    return model


def run(model, feeds):
    session = model["session"]
    at_places = {place_of(model, name): value for name, value in feeds.items()}
    for place, value in at_places.items():
        if model["shapes"][place] != list(value.shape):
            info = session.input_tensorinfo(place)
            info.rank, info.dims = value.ndim, list(value.shape)
            session.set_input_tensorinfo(place, info)
            model["shapes"][place] = list(value.shape)
    if not model["ready"]:
        session.prepare()
        model["ready"] = True
    for place, value in at_places.items():
        session.set_input(place, value)
    session.run()
    return [session.get_output(place) for place in range(session.output_size())]


def place_of(model, name):
    """Only the C library finds inputs by name. Done once: a new session between runs would change what is allocated."""
    if name not in model["places"]:
        library = ctypes.CDLL(str(pathlib.Path(onert.__path__[0]) / "native" / "libonert.so"))
        session, place = ctypes.c_void_p(), ctypes.c_uint32()
        library.nnfw_create_session(ctypes.byref(session))
        library.nnfw_load_model_from_file(session, model["path"].encode())
        status = library.nnfw_input_tensorindex(session, name.encode(), ctypes.byref(place))
        library.nnfw_close_session(session)
        if status != 0:
            raise KeyError(name)
        model["places"][name] = place.value
    return model["places"][name]


#: wide
def given(value):
    if isinstance(value, tuple):
        sys.exit(f"onert takes arrays of numpy, which has no {value[0]}")
    return value
