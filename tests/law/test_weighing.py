"""Each default that changes an outcome names the step of the method that decided it."""

import pytest

from selo.law.files.divergence_register import DivergenceKind, Severity, WeighingStep

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


def test_two_texts_decide_nothing_where_both_are_silent_or_one_was_misread(law):
    """Of silence and of a bad scan the texts themselves cannot be the ground."""
    wrong = {DivergenceKind.SILENCE, DivergenceKind.SCAN, DivergenceKind.VALIDITY}
    for point in law.divergences:
        if point.weighed is WeighingStep.BOTH_TEXTS:
            assert point.kind not in wrong, point.id


def test_a_special_provision_prevails_over_another(law):
    for point in law.divergences:
        if point.weighed is WeighingStep.SPECIAL_OVER_GENERAL:
            assert len(point.provisions) > 1, point.id


def test_where_two_languages_differ_the_first_step_is_asked_first(law):
    """A default between two texts rests on a later step only where both texts bear every reading.

    Each of these was looked at: the two texts of the point bear all its readings.
    """
    later = {
        point.id
        for point in law.divergences
        if point.kind is DivergenceKind.LANGUAGE
        and point.weighed not in {None, WeighingStep.BOTH_TEXTS}
    }

    assert later == {"78-2008-9-3--pair-plus-after-folding"}


@pytest.mark.parametrize("step", WeighingStep)
def test_the_method_is_written_down(root, step):
    assert f"`{step}`:" in (root / METHOD).read_text(encoding="utf-8")


@pytest.mark.parametrize("step", WeighingStep)
def test_every_step_decided_something(law, step):
    assert any(one.weighed is step for one in law.divergences)
