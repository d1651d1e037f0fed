"""Spans are cut into lists, and what nobody wants is not made."""

from functools import partial
from itertools import accumulate

from hypothesis import given
from hypothesis import strategies as st

from selo.cases.group import CaseChunk
from selo.examine.plan.examination_plan import cut_spans


def spans(sizes, made):
    """Yield spans of numbers that follow one another, and note which of them are made."""

    def make(number, first, size):
        made.append(number)
        return iter(range(first, first + size))

    firsts = [0, *accumulate(sizes)]
    for number, (first, size) in enumerate(zip(firsts, sizes, strict=False)):
        yield CaseChunk(size, 0, partial(make, number, first, size))


@given(
    sizes=st.lists(st.integers(1, 9), max_size=12),
    length=st.integers(1, 7),
    wanted=st.sets(st.integers(0, 40)),
)
def test_what_is_wanted_is_there_in_its_order_and_all_is_counted(sizes, length, wanted):
    everything = list(range(sum(sizes)))
    lists = [everything[at : at + length] for at in range(0, len(everything), length)]
    made = []

    found = list(cut_spans(spans(sizes, made), wanted.__contains__, length))

    assert [size for size, _ in found] == [len(one) for one in lists]
    assert [some for _, some in found] == [
        one if number in wanted else [] for number, one in enumerate(lists)
    ]


def test_a_span_that_nobody_wants_is_not_made_and_one_that_is_wanted_is_made_once():
    made = []

    list(cut_spans(spans([3, 3, 9, 3], made), {0, 3, 4}.__contains__, 3))

    assert made == [0, 2]
