"""The register holds what the readings of the law need, and nothing that says nothing."""

from collections import Counter

from selo.law.files.divergence_register import Severity

# The eight points that the law notes give as examples, by the provisions they touch.
KNOWN = [
    {"portaria-21-96-m/3/c"},
    {"despacho-2-2009/13/1/4/3/a/iii"},
    {"despacho-2-2009/13/1/4/3/c/iii"},
    {"despacho-78-2008/4/2", "despacho-78-2008/8/1"},
    {"portaria-22-96-m/5/2"},
    {"despacho-78-2008/9/8"},
    {"portaria-97-85-m/2/2/close"},
    {"portaria-97-85-m/7"},
]


def test_well_over_a_hundred_points_are_recorded_and_a_third_change_the_outcome(law):
    severities = Counter(one.severity for one in law.divergences)

    assert len(law.divergences) > 150
    assert severities[Severity.OUTCOME] * 3 >= len(law.divergences)


def test_every_instrument_has_open_points(law):
    for folder in law.folders:
        own = [
            one
            for one in law.divergences
            if any(name.startswith(folder.instrument.id + "/") for name in one.provisions)
        ]
        assert len(own) >= 5, folder.instrument.id


def test_the_points_known_from_the_start_are_there(law):
    for provisions in KNOWN:
        assert any(provisions <= set(one.provisions) for one in law.divergences), provisions


def test_a_point_that_is_played_differently_has_two_readings_with_different_results(law):
    for one in law.divergences:
        if one.severity is not Severity.WORDING:
            results = [
                (result.result, result.pays, result.text.en)
                for result in one.situation.results.values()
            ]
            assert len(set(results)) >= 2, one.id


def test_an_outcome_point_shows_another_result_or_another_amount(law):
    for one in law.divergences:
        if one.severity is Severity.OUTCOME:
            told = {(result.result, result.pays) for result in one.situation.results.values()}
            assert len(told) >= 2, one.id
