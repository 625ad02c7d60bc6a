"""The command `ifcert` of an installed package: the program is inside the package, with the vectors."""

import os
import signal
import sys
from importlib.machinery import PathFinder
from pathlib import Path
from typing import NoReturn


def main() -> NoReturn:
    """Become the program."""
    path = program()
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # Python ignores it, and the program would inherit that
    os.environ["IFCERT_PYTHON"] = sys.executable  # for --on, which runs in Python
    os.execv(path, [str(path), *sys.argv[1:]])


def program() -> Path:
    """The one inside the package; in a checkout the one that was built with the extension module."""
    package = Path(__file__).parent
    module = PathFinder.find_spec("ifcert._ifcert", sys.modules["ifcert"].__path__)
    built = Path(module.origin).parents[2] if module is not None and module.origin is not None else package
    for folder in (package / "installed", built):
        if (program := folder / "bin" / "ifcert").exists():
            return program
    raise SystemExit(f"ifcert: there is no program in {package / 'installed' / 'bin'}: the package is incomplete")
