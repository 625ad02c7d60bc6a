"""What goes wrong, each with its place in the model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ifcert._ifcert import printable

if TYPE_CHECKING:
    from ifcert._ifcert import Diagnostic


class UnreadableModel(ValueError):  # noqa: N818 (what it says is what it is)
    """Bytes that are no model of the format, or lie outside the reader's limits."""

    def __init__(self, message: str, diagnostic: Diagnostic) -> None:
        """`message` is one sentence with place, what was found and what is required; `diagnostic` has them apart."""
        super().__init__(message)
        self.diagnostic = diagnostic


class IllegalModel(ValueError):  # noqa: N818
    """The model breaks rules, so what it would compute means nothing."""

    def __init__(self, broken: list[Diagnostic]) -> None:
        """`broken` is what `Model.check` gives; the message tells the first."""
        more = "" if len(broken) == 1 else f"\n(and {len(broken) - 1} more; Model.check() gives them all)"
        super().__init__(f"{broken[0]}{more}")
        self.broken = broken


class Inexpressible(ValueError):  # noqa: N818
    """The model has what the required format cannot express."""

    def __init__(self, place: str, reason: str) -> None:
        """`place` is where in the model it stands, `reason` what no such file can say."""
        super().__init__(printable(f"{place}: {reason}"))
        self.place = place
        self.reason = reason


class EvaluationError(RuntimeError):
    """What cannot be evaluated: an input that does not fit, operands a node cannot take, a missing operator."""

    def __init__(self, message: str, missing_operator: str | None = None) -> None:
        """`missing_operator` names an operator that the reference lacks: "Op", or "domain.Op"."""
        super().__init__(message)
        self.missing_operator = missing_operator


class LimitExceeded(EvaluationError):  # noqa: N818
    """A run that would take longer, or hold more, than it may."""

    def __init__(self, message: str, limit: str) -> None:
        """`limit` names the argument of `Model.run` that raises the limit: "max_seconds" or "max_memory"."""
        super().__init__(f"{message} ({limit} raises the limit)")
        self.limit = limit
