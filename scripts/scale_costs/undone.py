"""The one exception of scripts/scale."""


class Undone(Exception):  # noqa: N818 (an exit code, 2)
    """Something cannot be measured."""
