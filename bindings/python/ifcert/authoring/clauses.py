"""Clauses of an operator's text, each by a call of the operator and by what the text makes of the operands.

All calls of a table are in one model. Their results make one list; a run asks of one part of it, the elements of one
call, what it is: cond is true where every element at the places fed is the one fed. Their dims make another list.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from typing import TypeVar

import numpy as np

from ifcert.authoring.values import Writable
from ifcert.authoring.vector import Run

Held = TypeVar("Held", bound=Writable)


@dataclass(frozen=True)
class Question:
    """Whether the elements at these places of a list are these, and the answer."""

    places: np.ndarray
    want: np.ndarray
    truth: bool


def questions(parts: Sequence[np.ndarray]) -> Iterator[Question]:
    """What each part of the list is that they make: the right elements, then those of which one is wrong."""
    begin = 0
    for turn, part in enumerate(parts):
        right = part.ravel()
        places = np.arange(begin, begin + right.size)
        begin += right.size
        if right.size > 0:
            yield Question(places, right, True)
            yield Question(places, _with_a_wrong_one(right, turn % right.size), False)


def asked_together(results: Sequence[np.ndarray]) -> list[tuple[Question, Question]]:
    """What is asked of the elements of each result, with what is asked of the rank and the dims of each."""
    elements, dims = list(questions(results)), list(questions([rank_and_dims(each) for each in results]))
    runs = max(len(elements), len(dims))
    return list(zip(islice(cycle(elements), runs), islice(cycle(dims), runs), strict=True))


def those_read(operands: Mapping[str, Held], calls: Sequence[Sequence[str | np.ndarray]]) -> dict[str, Held]:
    """The operands that a call reads by name; each call is given as what it reads."""
    read = {operand for each in calls for operand in each if isinstance(operand, str)}
    return {name: held for name, held in operands.items() if name in read}


def runs_of(
    operands: Mapping[str, Writable],
    results: Sequence[np.ndarray],
    chosen: Callable[[bool], np.ndarray],
    x: np.ndarray,
    index: type[np.integer] = np.int64,
) -> list[Run]:
    """The runs that ask everything: y and z of the elements, w of the dims.

    `chosen` is what an If makes of x where its cond is true or false; places and dims are of the type `index`.
    """
    return [
        Run(
            {
                **operands, "at": elements.places.astype(index), "want": elements.want,
                "dim_at": dims.places.astype(index), "want_dims": dims.want.astype(index), "x": x,
            },
            {"y": chosen(elements.truth), "z": chosen(elements.truth), "w": chosen(dims.truth)},
        )
        for elements, dims in asked_together(results)
    ]  # fmt: skip


def rank_and_dims(result: np.ndarray) -> np.ndarray:
    """The rank, then the dims."""
    return np.array([result.ndim, *result.shape], np.int64)


def _with_a_wrong_one(right: np.ndarray, at: int) -> np.ndarray:
    wrong = right.copy()
    if wrong.dtype.kind == "f":
        wrong[at] = wrong[at] + 1 if abs(wrong[at]) < 1000 else 0
    else:
        wrong[at] ^= np.array(1, wrong.dtype)
    return wrong
