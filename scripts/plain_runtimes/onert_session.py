"""onert, the runtime of ONE."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

import numpy as np
from elements import array_of


class Onert:
    """The native class of the onert package, on the backend cpu."""

    computes = True

    def __init__(self) -> None:
        """`version` is that of the package's metadata. The C library, which the class wraps, knows inputs by name."""
        from importlib.metadata import version

        import onert
        from onert.native import libnnfw_api_pybind

        self._native = libnnfw_api_pybind
        self._c = ctypes.CDLL(str(Path(onert.__path__[0]) / "native" / "libonert.so"))
        self.version = version("onert")

    def load(self, model: Path) -> None:
        """Prepared at once, or before the first run where a dim of an input is open."""
        self._model, self._places = model, {}
        self._session = self._native.infer.nnfw_session(str(model), "cpu")
        self._session.set_prepare_config(self._native.prepare_config.ENABLE_INTERNAL_OUTPUT_ALLOC)
        infos = [self._session.input_tensorinfo(place) for place in range(self._session.input_size())]
        self._shapes = [list(info.dims[: info.rank]) for info in infos]
        self._prepared = not any(-1 in shape for shape in self._shapes)
        if self._prepared:
            self._session.prepare()

    def unload(self) -> None:
        """The session is destroyed with its last reference."""
        self._session = None

    def feed(self, value: dict[str, Any]) -> np.ndarray:
        """An array: there are tensors only."""
        return array_of(value)

    def run(self, feeds: dict[str, np.ndarray]) -> list[object]:
        """All outputs; inputs of another shape get that of the value."""
        placed = {self._place(name): array for name, array in feeds.items()}
        for place, array in placed.items():
            if self._shapes[place] != list(array.shape):
                info = self._session.input_tensorinfo(place)
                info.rank, info.dims = array.ndim, list(array.shape)
                self._session.set_input_tensorinfo(place, info)
                self._shapes[place] = list(array.shape)
        if not self._prepared:
            self._session.prepare()
            self._prepared = True
        for place, array in placed.items():
            self._session.set_input(place, array)
        self._session.run()
        return [self._session.get_output(place) for place in range(self._session.output_size())]

    def _place(self, name: str) -> int:
        """Determined once: a second session between two runs would change what the runtime then allocates."""
        if name not in self._places:
            self._places[name] = self._place_in_new_session(name)
        return self._places[name]

    def _place_in_new_session(self, name: str) -> int:
        session, place = ctypes.c_void_p(), ctypes.c_uint32()
        self._c.nnfw_create_session(ctypes.byref(session))
        self._c.nnfw_load_model_from_file(session, str(self._model).encode())
        status = self._c.nnfw_input_tensorindex(session, name.encode(), ctypes.byref(place))
        self._c.nnfw_close_session(session)
        if status != 0:
            raise KeyError(name)
        return place.value
