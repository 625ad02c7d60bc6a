"""What a runtime throws is its refusal; what is thrown elsewhere ends this program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Refused(Exception):  # noqa: N818 (an outcome, not an error)
    """What the runtime threw."""


def ask(call: Callable[..., Any], *arguments: object) -> object:
    """A call of the runtime: what it throws is its refusal; what is thrown elsewhere ends this program."""
    try:
        return call(*arguments)
    except Exception as error:
        raise Refused(" ".join(f"{type(error).__name__}: {error}".split())[:400]) from error
