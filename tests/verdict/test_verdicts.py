"""From what was seen to a verdict: what must never happen, and what must always be named."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from selo.law.files.provision_file import Way
from selo.text.message_catalogue import say
from selo.text.multilingual import Words
from selo.verdict.observations import (
    Followed,
    Lacking,
    Look,
    Met,
    NotOffered,
    Seen,
    Signed,
    Witness,
)
from selo.verdict.overall import Overall, conclude, whole
from selo.verdict.rulings import Ruling, Rulings, Source
from selo.verdict.truth_tables import GRAVITY, Doubt, Reason, Result, Verdict, doubt, verdict
from selo.verdict.verdict_phrases import lines

POINT = "a-point"
PROGRAM = [Way.EXAMINATION, Way.PROCEDURE, Way.CONFIGURATION, Way.STATISTICS]
ORDER = list(Overall)

followed = st.builds(
    lambda cases, fits: Followed(
        divergence=POINT, cases=cases, fits={name: min(n, cases) for name, n in fits.items()}
    ),
    st.integers(1, 4),
    st.dictionaries(st.sampled_from(["one", "two"]), st.integers(0, 4)),
)
looks = st.builds(
    lambda decisive, others, **rest: Look(cases=decisive + others, decisive=decisive, **rest),
    decisive=st.integers(0, 3),
    others=st.integers(0, 3),
    not_offered=st.lists(
        st.builds(Lacking, kind=st.sampled_from(NotOffered), name=st.just("x")), max_size=2
    ).map(tuple),
    findings=st.sampled_from([(), ("F-001",)]),
    faults=st.sampled_from([(), ("fault",)]),
    followed=st.lists(followed, max_size=2).map(tuple),
)
witnesses = st.builds(
    Witness,
    provision=st.just("p"),
    signed=st.sampled_from(Signed),
    result=st.none() | st.sampled_from(Met),
)
seens = st.builds(
    Seen,
    provision=st.just("p"),
    ways=st.lists(st.sampled_from(Way), min_size=1, max_size=3, unique=True).map(tuple),
    looks=st.dictionaries(st.sampled_from(PROGRAM), looks, max_size=3),
    witnesses=st.lists(witnesses, max_size=2).map(tuple),
    left_out=st.sampled_from([None, "the law leaves it to the operator"]),
)
rulings = st.sampled_from(["", "one", "two"]).map(
    lambda reading: Rulings(
        adopted=(Ruling(divergence=POINT, reading=reading, source=Source.GIVEN),) if reading else ()
    )
)


def with_look(seen, way, look):
    return msgspec.structs.replace(seen, looks={**seen.looks, way: look})


@given(seens, rulings)
@settings(max_examples=120)
def test_conforms_means_that_every_way_was_looked_at_and_nothing_is_wrong(seen, ruled):
    found = verdict(seen, ruled)

    if found.result in {Result.CONFORMS, Result.WITNESSED}:
        assert not found.findings
        assert not found.faults
        assert all(doubt(one, ruled) is Doubt.NONE for one in found.followed)
        for way in seen.ways:
            if way in PROGRAM:
                assert seen.looks[way].decisive > 0
        if Way.INSPECTION in seen.ways:
            assert any(
                one.signed is Signed.VALID and one.result is Met.MET for one in seen.witnesses
            )
        assert any(one.decisive for one in seen.looks.values()) or seen.witnesses


@given(seens, rulings, st.sampled_from(PROGRAM))
@settings(max_examples=120)
def test_a_violation_makes_it_a_violation_whatever_else_is_seen(seen, ruled, way):
    look = seen.looks.get(way, Look())
    worse = msgspec.structs.replace(look, findings=(*look.findings, "F-002"))

    found = verdict(with_look(seen, way, worse), ruled)

    assert found.result is Result.VIOLATES
    assert "F-002" in found.findings


@given(seens, rulings, st.sampled_from(PROGRAM), followed, st.sampled_from(["fault", "doubt"]))
@settings(max_examples=120)
def test_nothing_bad_ever_improves_a_verdict(seen, ruled, way, extra, bad):
    look = seen.looks.get(way, Look())
    worse = (
        msgspec.structs.replace(look, faults=(*look.faults, "another"))
        if bad == "fault"
        else msgspec.structs.replace(look, followed=(*look.followed, extra))
    )

    before, after = verdict(seen, ruled), verdict(with_look(seen, way, worse), ruled)

    # What nothing waits for, such as a definition, may be judged once it is looked at.
    if before.counts:
        assert GRAVITY[after.result] >= GRAVITY[before.result]


@given(st.lists(seens, max_size=4), seens, rulings)
@settings(max_examples=40)
def test_another_violation_never_improves_the_whole(all_seen, one, ruled):
    verdicts = [verdict(seen, ruled) for seen in all_seen]
    broken = verdict(with_look(one, Way.EXAMINATION, Look(findings=("F-001",))), ruled)

    before, after = conclude(verdicts), conclude([*verdicts, broken])

    assert after.overall is Overall.VIOLATES
    assert ORDER.index(after.overall) >= ORDER.index(before.overall)


@given(st.lists(st.lists(seens, max_size=3), max_size=3))
@settings(max_examples=40)
def test_the_whole_is_the_worst_of_its_games(games):
    parts = [conclude(verdict(seen) for seen in game) for game in games]

    together = whole(parts)

    assert together.overall is max(
        (one.overall for one in parts), key=ORDER.index, default=Overall.NOT_FULLY_VERIFIED
    )
    assert (together.exit == 0) is (together.overall is Overall.CONFORMS)


@given(seens, rulings)
@settings(max_examples=40)
def test_a_verdict_survives_being_written_down(seen, ruled):
    found = verdict(seen, ruled)

    assert msgspec.json.decode(msgspec.json.encode(found), type=Verdict) == found
    assert msgspec.json.decode(msgspec.json.encode(seen), type=Seen) == seen


def test_nothing_examined_is_not_a_pass():
    assert conclude([]).overall is Overall.NOT_FULLY_VERIFIED
    assert whole([]).overall is Overall.NOT_FULLY_VERIFIED
    assert whole([]).exit == 2


def test_only_definitions_are_not_a_pass():
    one = verdict(Seen(provision="p", ways=(Way.DEFINITION,)))

    assert conclude([one]).overall is Overall.NOT_FULLY_VERIFIED
    assert conclude([one]).aside == 1


def test_a_definition_does_not_hold_up_what_conforms():
    defined = verdict(Seen(provision="p", ways=(Way.DEFINITION,)))
    examined = verdict(
        Seen(
            provision="q",
            ways=(Way.EXAMINATION,),
            looks={Way.EXAMINATION: Look(cases=216, decisive=91)},
        )
    )

    assert conclude([defined, examined]).overall is Overall.CONFORMS


def test_a_definition_that_cases_decide_is_judged_by_them():
    seen = Seen(
        provision="p", ways=(Way.DEFINITION,), looks={Way.EXAMINATION: Look(cases=9, decisive=2)}
    )

    assert verdict(seen).result is Result.CONFORMS
    assert verdict(seen).counts


def test_a_provision_of_two_ways_needs_both():
    seen = Seen(
        provision="p",
        ways=(Way.EXAMINATION, Way.PROCEDURE),
        looks={Way.EXAMINATION: Look(cases=9, decisive=9)},
    )

    assert verdict(seen).result is Result.NOT_EXAMINED
    assert verdict(seen).reason is Reason.NOTHING_TRIED


@pytest.mark.parametrize(
    ("look", "entry", "result"),
    [
        (Look(cases=1, decisive=1), None, Result.TO_BE_WITNESSED),
        (Look(), Met.MET, Result.NOT_EXAMINED),
        (Look(cases=1, decisive=1), Met.MET, Result.CONFORMS),
        (Look(cases=1, decisive=1), Met.NOT_MET, Result.VIOLATES),
    ],
)
def test_what_program_and_person_must_see_needs_both(look, entry, result):
    seen = Seen(
        provision="p",
        ways=(Way.INSPECTION, Way.PROCEDURE),
        looks={Way.PROCEDURE: look},
        witnesses=()
        if entry is None
        else (Witness(provision="p", signed=Signed.VALID, result=entry),),
    )

    assert verdict(seen).result is result


def test_a_valid_entry_outweighs_one_that_is_not_and_not_met_outweighs_met():
    def entry(signed, result):
        return Witness(provision="p", signed=signed, result=result)

    def judged(*entries):
        return verdict(Seen(provision="p", ways=(Way.INSPECTION,), witnesses=entries)).result

    met = entry(Signed.VALID, Met.MET)

    assert judged(entry(Signed.SINGLE, Met.NOT_MET), met) is Result.WITNESSED
    assert judged(met, entry(Signed.VALID, Met.NOT_MET)) is Result.VIOLATES
    assert judged(entry(Signed.VALID, Met.NOT_MET), met) is Result.VIOLATES
    assert judged(entry(Signed.VALID, None)) is Result.TO_BE_WITNESSED


def test_a_breach_is_not_hidden_by_breaking_down():
    seen = Seen(
        provision="p",
        ways=(Way.EXAMINATION,),
        looks={Way.EXAMINATION: Look(cases=2, findings=("F-001",), faults=("fault",))},
    )

    concluded = conclude([verdict(seen)], fault=True)

    assert concluded.overall is Overall.VIOLATES
    assert concluded.exit == 1
    assert concluded.decided_by == ("p",)


def test_a_vendor_that_broke_down_outside_of_all_cases_does_not_pass():
    good = Seen(
        provision="p",
        ways=(Way.EXAMINATION,),
        looks={Way.EXAMINATION: Look(cases=1, decisive=1)},
    )

    assert conclude([verdict(good)]).exit == 0
    assert conclude([verdict(good)], fault=True).exit == 4


def test_what_is_left_out_waits_for_nothing_and_says_why():
    seen = Seen(provision="p", ways=(Way.EXAMINATION,), left_out="no jackpot is authorised")

    found = verdict(seen)

    assert (found.result, found.reason) == (Result.NOT_EXAMINED, Reason.LEFT_OUT)
    assert not found.counts
    assert "no jackpot is authorised" in lines(found, "en")


def test_the_reading_that_the_vendor_follows_throughout_is_named():
    point = Followed(divergence=POINT, cases=36, fits={"one": 36, "two": 0})
    seen = Seen(
        provision="p",
        ways=(Way.EXAMINATION,),
        looks={Way.EXAMINATION: Look(cases=216, decisive=36, followed=(point,))},
    )

    found = verdict(seen)

    assert (found.result, found.reason) == (Result.INCONCLUSIVE, Reason.READING_OPEN)
    assert "a-point: follows “one” in 36 of 36 cases" in lines(found, "en")


def test_a_vendor_that_follows_now_this_and_now_that_reading_is_told_so():
    point = Followed(divergence=POINT, cases=36, fits={"one": 30, "two": 6})
    seen = Seen(
        provision="p",
        ways=(Way.EXAMINATION,),
        looks={Way.EXAMINATION: Look(cases=216, decisive=36, followed=(point,))},
    )

    found = verdict(seen)

    assert point.readings == ("one",)
    assert not point.consistent
    assert found.reason is Reason.READINGS_MIXED


@pytest.mark.parametrize(
    ("reading", "result", "reason"),
    [
        ("one", Result.CONFORMS, Reason.EXAMINED),
        ("two", Result.VIOLATES, Reason.AGAINST_RULING),
    ],
)
def test_a_ruling_removes_the_doubt(reading, result, reason):
    point = Followed(divergence=POINT, cases=36, fits={"one": 36})
    ruled = Rulings(adopted=(Ruling(divergence=POINT, reading=reading, source=Source.GIVEN),))
    seen = Seen(
        provision="p",
        ways=(Way.EXAMINATION,),
        looks={Way.EXAMINATION: Look(cases=216, decisive=36, followed=(point,))},
    )

    found = verdict(seen, ruled)

    assert (found.result, found.reason) == (result, reason)


def test_readings_that_fit_equally_well_are_both_named():
    point = Followed(divergence=POINT, cases=2, fits={"two": 2, "one": 2, "three": 0})

    assert point.readings == ("one", "two")
    assert point.consistent


def test_answers_that_fit_no_reading_follow_none():
    point = Followed(divergence=POINT, cases=2, fits={"one": 0})

    assert point.readings == ()
    assert not point.consistent


@pytest.mark.parametrize("wrong", [{"cases": 1, "decisive": 2}, {"decisive": -1}])
def test_counts_that_cannot_be_are_refused(wrong):
    with pytest.raises(ValueError, match="decisive"):
        Look(**wrong)


@pytest.mark.parametrize(("cases", "fits"), [(0, {}), (1, {"one": 2}), (1, {"one": -1})])
def test_readings_that_cannot_be_counted_are_refused(cases, fits):
    with pytest.raises(ValueError, match="counted"):
        Followed(divergence=POINT, cases=cases, fits=fits)


@pytest.mark.parametrize("language", ["pt", "zh", "en"])
def test_every_result_and_reason_has_words(language):
    for one in [*Result, *Overall]:
        assert say(f"verdict.{one}", language)
    for one in Reason:
        assert say(f"verdict.reason.{one}", language)
    for one in Source:
        assert say(f"verdict.ruling.{one}", language)


def test_the_law_files_own_words_are_told_where_nothing_waits():
    because = Words(pt="porque", zh="因為", en="because")
    found = verdict(Seen(provision="p", ways=(Way.NOT_TESTABLE,), because=because))

    assert "because" in lines(found, "en")
    assert "因為" in lines(found, "zh")
