"""The one exception of scripts/mutation."""


class Undone(Exception):  # noqa: N818 (an exit code, 2)
    """The mutants could not be made or tried."""
