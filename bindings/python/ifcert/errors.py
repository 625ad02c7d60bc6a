"""The errors, each with its place in the model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ifcert._ifcert import printable

if TYPE_CHECKING:
    from ifcert._ifcert import Diagnostic


class UnreadableModel(ValueError):  # noqa: N818 (the name describes the model)
    """Bytes that are not a model of the format, or exceed the reader's limits."""

    def __init__(self, message: str, diagnostic: Diagnostic) -> None:
        """`message` has the place, what was found and what is expected in a sentence; `diagnostic` has each of them."""
        super().__init__(message)
        self.diagnostic = diagnostic


class IllegalModel(ValueError):  # noqa: N818
    """The model breaks rules, so its results would mean nothing."""

    def __init__(self, broken: list[Diagnostic]) -> None:
        """`broken` is the result of `Model.check`; the message has the first finding."""
        more = "" if len(broken) == 1 else f"\n(and {len(broken) - 1} more; Model.check() returns them all)"
        super().__init__(f"{broken[0]}{more}")
        self.broken = broken


class Inexpressible(ValueError):  # noqa: N818
    """The model has a part that the requested format cannot express."""

    def __init__(self, place: str, reason: str) -> None:
        """`place` is that part's place in the model; `reason` describes what the format cannot express."""
        super().__init__(printable(f"{place}: {reason}"))
        self.place = place
        self.reason = reason


class EvaluationError(RuntimeError):
    """The model cannot be evaluated: an input that does not fit, operands a node cannot accept, a missing operator."""

    def __init__(self, message: str, missing_operator: str | None = None) -> None:
        """`missing_operator` names an operator that the reference lacks: "Op", or "domain.Op"."""
        super().__init__(message)
        self.missing_operator = missing_operator


class LimitExceeded(EvaluationError):  # noqa: N818
    """A run that exceeds its time or memory limit."""

    def __init__(self, message: str, limit: str) -> None:
        """`limit` names the argument of `Model.run` that raises the limit: "max_seconds" or "max_memory"."""
        super().__init__(f"{message} ({limit} raises the limit)")
        self.limit = limit
