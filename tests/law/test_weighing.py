"""Each default that changes an outcome names the step of the method that decided it."""

import pytest

from selo.law.files.divergence_register import Severity, WeighingStep

METHOD = "docs/law-editors.md"


def test_every_point_that_changes_an_outcome_names_the_step(law):
    silent = [
        one.id
        for one in law.divergences
        if one.severity is Severity.OUTCOME and one.weighed is None
    ]

    assert silent == []


def test_only_points_with_a_choice_were_weighed(law):
    assert [one.id for one in law.divergences if one.weighed and len(one.readings) == 1] == []


def test_two_texts_decide_only_where_there_are_two(law):
    """The acts of 1985 were published in one language."""
    for point in law.divergences:
        if point.weighed is WeighingStep.BOTH_TEXTS:
            for language in ("pt", "zh"):
                assert any(quote.get(language) for quote in point.quotes), point.id


def test_a_loss_without_a_text_is_no_default_where_money_alone_decided(law):
    """By that step the default never loses a stake that another reading gives back."""
    kept = {"push", "void", "stands"}
    for point in law.divergences:
        results = {name: one.result for name, one in point.situation.results.items()}
        if point.weighed is WeighingStep.NO_LOSS_WITHOUT_TEXT and results[point.default] == "lose":
            assert kept.isdisjoint(results.values()), point.id


@pytest.mark.parametrize("step", WeighingStep)
def test_the_method_is_written_down(root, step):
    assert f"`{step}`:" in (root / METHOD).read_text(encoding="utf-8")


@pytest.mark.parametrize("step", WeighingStep)
def test_every_step_decided_something(law, step):
    assert any(one.weighed is step for one in law.divergences)
