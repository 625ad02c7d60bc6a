"""Ends badly when the runner says bye."""

import sys

from honest import Honest, serve

if __name__ == "__main__":
    serve(Honest())
    sys.exit(5)
