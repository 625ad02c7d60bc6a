"""An exception of a runtime is its refusal; any other exception ends this program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Refused(Exception):  # noqa: N818 (an outcome, not an error)
    """An exception of the runtime."""


def ask(call: Callable[..., Any], *arguments: object) -> object:
    """Calls the runtime; its exceptions become Refused."""
    try:
        return call(*arguments)
    except Exception as error:
        raise Refused(" ".join(f"{type(error).__name__}: {error}".split())[:400]) from error
