"""Clauses of an operator's text, each by a call of the operator and by what the text makes of the operands.

All calls of a table are in one model. Their results make one list; a run asks of one part of it, the elements of one
call, what it is: cond is true where every element at the places fed is the one fed. Their dims make another list.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice

import numpy as np


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
