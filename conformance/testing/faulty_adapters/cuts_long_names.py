"""Has room for 255 characters of a name."""

from honest import serve
from passes_x import PassesX


class CutsLongNames(PassesX):
    """Lies in one respect."""

    def name(self) -> str:
        """Cut the name."""
        return super().name()[:255]


if __name__ == "__main__":
    serve(CutsLongNames())
