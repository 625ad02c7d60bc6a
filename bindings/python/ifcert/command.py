"""The command `ifcert` of an installed package: the program lies inside the package, with the vectors."""

import os
import sys
from pathlib import Path
from typing import NoReturn


def main() -> NoReturn:
    """Become the program."""
    program = Path(__file__).parent / "installed" / "bin" / "ifcert"
    os.execv(program, [str(program), *sys.argv[1:]])
