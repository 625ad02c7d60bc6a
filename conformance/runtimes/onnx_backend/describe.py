"""Describes a backend for the runner, which then starts the adapter: as JSON, version, home and folders to read.

Usage: describe.py MODULE-OR-CLASS FOLDER. The folder is searched last. Exit status 1, with one line on standard error,
where there is no such backend.
"""

import importlib.util
import json
import sys
from pathlib import Path

from backend import NoBackendError, backend_named, page_of, version_of


def main(name: str, folder: str) -> int:
    """Print the description."""
    sys.path.append(folder)
    try:
        backend_named(name)
    except (ImportError, NoBackendError) as error:
        print(error, file=sys.stderr)
        return 1
    folders = [sys.prefix, sys.base_prefix, *sys.path[1:-1]]
    if is_in(name, folder):
        folders.append(folder)
    reads = sorted({str(Path(each).absolute()) for each in folders if each and Path(each).exists()})
    print(json.dumps({"python": sys.executable, "version": version_of(name), "home": page_of(name), "reads": reads}))
    return 0


def is_in(name: str, folder: str) -> bool:
    """Whether the backend's package was imported from the folder."""
    spec = importlib.util.find_spec(name.partition(".")[0])
    return spec is not None and spec.origin is not None and Path(spec.origin).is_relative_to(folder)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
