"""What is asked of the list that the results of calls make."""

import numpy as np

from ifcert.authoring.clauses import asked_together, questions, rank_and_dims

RESULTS = [np.int64([[4, 5], [6, 7]]), np.zeros((0, 3), np.int64), np.int64(9)]


def test_each_result_that_has_elements_is_asked_for_once_rightly_and_once_with_a_wrong_element() -> None:
    asked = list(questions(RESULTS))
    assert [question.truth for question in asked] == [True, False, True, False]
    assert [list(question.places) for question in asked] == [[0, 1, 2, 3]] * 2 + [[4]] * 2
    assert [list(question.want) for question in asked[::2]] == [[4, 5, 6, 7], [9]]
    assert [int(np.sum(wrong.want != right.want)) for right, wrong in zip(asked[::2], asked[1::2], strict=True)] == [
        1,
        1,
    ]


def test_wrong_elements_of_every_type_differ() -> None:
    for right in (np.bool_([True]), np.uint8([255]), np.int64([-(2**63)]), np.float16([2048]), np.float32([-np.inf])):
        _, wrong = questions([right])
        assert wrong.want.dtype == right.dtype
        assert wrong.want[0] != right[0]


def test_the_rank_comes_before_the_dims_so_that_a_scalar_is_asked_for_too() -> None:
    assert [list(rank_and_dims(each)) for each in RESULTS] == [[2, 2, 2], [2, 0, 3], [0]]


def test_every_question_of_elements_and_of_dims_is_in_a_run() -> None:
    runs = asked_together(RESULTS)
    assert len(runs) == 6
    assert {tuple(dims.places) for _, dims in runs} == {(0, 1, 2), (3, 4, 5), (6,)}
    assert {tuple(elements.places) for elements, _ in runs} == {(0, 1, 2, 3), (4,)}
