"""Ends with an error when the runner sends bye."""

import sys

from honest import Honest, serve

if __name__ == "__main__":
    serve(Honest())
    sys.exit(5)
