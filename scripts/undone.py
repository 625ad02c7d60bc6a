"""The one exception of the scripts that measure: of scripts/mutation, scripts/scale and scripts/confirm_deviations."""


class Undone(Exception):  # noqa: N818 (an exit code, 2)
    """Something cannot be made, tried or measured."""
