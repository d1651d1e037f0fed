"""Sets of case numbers: ranges, what is published of them, and which lie within others."""

import hashlib

from hypothesis import given, settings
from hypothesis import strategies as st

from selo.cases.case_numbers import CaseNumbers, NumberRanges, parse_ranges

NUMBERS = st.lists(st.integers(0, 60))


def test_numbers_are_published_as_ranges_in_order():
    published = CaseNumbers.of(NumberRanges([9, 3, 7, 8, 7]))

    assert (published.count, published.ranges) == (4, "3, 7-9")
    assert published.digest == hashlib.sha256(b"3, 7-9").hexdigest()


def test_a_case_outside_the_plan_has_no_number():
    assert CaseNumbers.of(NumberRanges([-1])).count == 0


@given(NUMBERS, NUMBERS)
@settings(deadline=None)
def test_being_within_is_being_a_subset(some, others):
    inner, outer = CaseNumbers.of(NumberRanges(some)), CaseNumbers.of(NumberRanges(others))

    assert inner.is_within(outer) == ({*some} <= {*others})


def test_ranges_that_were_cut_are_within_nothing_but_themselves():
    many = CaseNumbers.of(NumberRanges(range(0, 100_000, 2)))
    more = CaseNumbers.of(NumberRanges(range(0, 100_002, 2)))

    assert many.ranges.endswith("…")
    assert many.is_within(many)
    assert not many.is_within(more)


def test_numbers_that_are_not_in_order_are_not_read():
    assert parse_ranges("7-9, 3") is None
    assert parse_ranges("9-7") is None
    assert parse_ranges("3, x") is None
