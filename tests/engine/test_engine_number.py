"""The engine number changes with what it covers, and somebody has to say so."""

import ast
import json

import pytest
from tests.engine.judging_digest import ACKNOWLEDGED, compute_judging_digest, without_docstrings

from selo.engine import ENGINE, UNNUMBERED, can_judge


@pytest.mark.full
def test_what_judging_depends_on_is_acknowledged_together_with_the_number():
    record = json.loads(ACKNOWLEDGED.read_text(encoding="utf-8"))

    assert record == {"engine": ENGINE, "digest": compute_judging_digest()}, (
        "judging, plans or the format of the law may have changed: raise the number in "
        "selo/engine.py if an older document can come out otherwise, then run: make engine"
    )


def test_every_engine_up_to_this_one_can_be_judged_and_none_after_it():
    assert all(can_judge(engine) for engine in range(UNNUMBERED, ENGINE + 1))
    assert not can_judge(ENGINE + 1)


def test_words_do_not_count_and_numbers_do():
    plain, worded, other = (
        ast.dump(without_docstrings(ast.parse(source)))
        for source in (
            'def odds():\n    "a"\n    return 1\n',
            'def odds():\n    "b"  # c\n    return 1\n',
            'def odds():\n    "a"\n    return 2\n',
        )
    )

    assert plain == worded
    assert plain != other
