"""From what was seen to a verdict: what must never happen, and what must always be named."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from selo.law.files.provision_file import Way
from selo.text.message_catalogue import say
from selo.text.multilingual import Words
from selo.verdict.observations import (
    EntryTrust,
    MissingOffer,
    NotOffered,
    Observation,
    ProvisionObservations,
    ReadingAdherence,
    Witness,
    WitnessAnswer,
)
from selo.verdict.overall import Overall, conclude_all, conclude_game
from selo.verdict.provision_verdict import (
    GRAVITY,
    Doubt,
    Result,
    Verdict,
    VerdictReason,
    doubt_of,
    judge_provision,
)
from selo.verdict.rulings import Ruling, Rulings, RulingSource
from selo.verdict.verdict_phrases import explain_verdict

POINT = "a-point"
PROGRAM = [Way.EXAMINATION, Way.PROCEDURE, Way.CONFIGURATION, Way.STATISTICS]
ORDER = list(Overall)

followed = st.builds(
    lambda cases, fits: ReadingAdherence(
        divergence=POINT, cases=cases, fits={name: min(n, cases) for name, n in fits.items()}
    ),
    st.integers(1, 4),
    st.dictionaries(st.sampled_from(["one", "two"]), st.integers(0, 4)),
)
looks = st.builds(
    lambda decisive, others, **rest: Observation(
        cases=decisive + others, decisive=decisive, **rest
    ),
    decisive=st.integers(0, 3),
    others=st.integers(0, 3),
    not_offered=st.lists(
        st.builds(MissingOffer, kind=st.sampled_from(NotOffered), name=st.just("x")), max_size=2
    ).map(tuple),
    findings=st.sampled_from([(), ("F-001",)]),
    faults=st.sampled_from([(), ("fault",)]),
    followed=st.lists(followed, max_size=2).map(tuple),
)
witnesses = st.builds(
    Witness,
    provision=st.just("p"),
    signed=st.sampled_from(EntryTrust),
    result=st.none() | st.sampled_from(WitnessAnswer),
)
seens = st.builds(
    ProvisionObservations,
    provision=st.just("p"),
    ways=st.lists(st.sampled_from(Way), min_size=1, max_size=3, unique=True).map(tuple),
    looks=st.dictionaries(st.sampled_from(PROGRAM), looks, max_size=3),
    witnesses=st.lists(witnesses, max_size=2).map(tuple),
    left_out=st.sampled_from([None, "the law leaves it to the operator"]),
)
rulings = st.sampled_from(["", "one", "two"]).map(
    lambda reading: Rulings(
        adopted=(Ruling(divergence=POINT, reading=reading, source=RulingSource.GIVEN),)
        if reading
        else ()
    )
)


def with_look(seen, way, look):
    return msgspec.structs.replace(seen, looks={**seen.looks, way: look})


@given(seens, rulings)
@settings(max_examples=120)
def test_conforms_means_that_every_way_was_looked_at_and_nothing_is_wrong(seen, ruled):
    found = judge_provision(seen, ruled)

    if found.result in {Result.CONFORMS, Result.WITNESSED}:
        assert not found.findings
        assert not found.faults
        assert all(doubt_of(one, ruled) is Doubt.NONE for one in found.followed)
        for way in seen.ways:
            if way in PROGRAM:
                assert seen.looks[way].decisive > 0
        if Way.INSPECTION in seen.ways:
            assert any(
                one.signed is EntryTrust.VALID and one.result is WitnessAnswer.MET
                for one in seen.witnesses
            )
        assert any(one.decisive for one in seen.looks.values()) or seen.witnesses


@given(seens, rulings, st.sampled_from(PROGRAM))
@settings(max_examples=120)
def test_a_violation_makes_it_a_violation_whatever_else_is_seen(seen, ruled, way):
    look = seen.looks.get(way, Observation())
    worse = msgspec.structs.replace(look, findings=(*look.findings, "F-002"))

    found = judge_provision(with_look(seen, way, worse), ruled)

    assert found.result is Result.VIOLATES
    assert "F-002" in found.findings


@given(seens, rulings, st.sampled_from(PROGRAM), followed, st.sampled_from(["fault", "doubt"]))
@settings(max_examples=120)
def test_nothing_bad_ever_improves_a_verdict(seen, ruled, way, extra, bad):
    look = seen.looks.get(way, Observation())
    worse = (
        msgspec.structs.replace(look, faults=(*look.faults, "another"))
        if bad == "fault"
        else msgspec.structs.replace(look, followed=(*look.followed, extra))
    )

    before, after = (
        judge_provision(seen, ruled),
        judge_provision(with_look(seen, way, worse), ruled),
    )

    # What nothing waits for, such as a definition, may be judged once it is looked at.
    if before.counts:
        assert GRAVITY[after.result] >= GRAVITY[before.result]


@given(st.lists(seens, max_size=4), seens, rulings)
@settings(max_examples=40)
def test_another_violation_never_improves_the_whole(all_seen, one, ruled):
    verdicts = [judge_provision(seen, ruled) for seen in all_seen]
    broken = judge_provision(
        with_look(one, Way.EXAMINATION, Observation(findings=("F-001",))), ruled
    )

    before, after = conclude_game(verdicts), conclude_game([*verdicts, broken])

    assert after.overall is Overall.VIOLATES
    assert ORDER.index(after.overall) >= ORDER.index(before.overall)


@given(st.lists(st.lists(seens, max_size=3), max_size=3))
@settings(max_examples=40)
def test_the_whole_is_the_worst_of_its_games(games):
    parts = [conclude_game(judge_provision(seen) for seen in game) for game in games]

    together = conclude_all(parts)

    assert together.overall is max(
        (one.overall for one in parts), key=ORDER.index, default=Overall.NOT_FULLY_VERIFIED
    )
    assert (together.exit == 0) is (together.overall is Overall.CONFORMS)


@given(seens, rulings)
@settings(max_examples=40)
def test_a_verdict_survives_being_written_down(seen, ruled):
    found = judge_provision(seen, ruled)

    assert msgspec.json.decode(msgspec.json.encode(found), type=Verdict) == found
    assert msgspec.json.decode(msgspec.json.encode(seen), type=ProvisionObservations) == seen


def test_nothing_examined_is_not_a_pass():
    assert conclude_game([]).overall is Overall.NOT_FULLY_VERIFIED
    assert conclude_all([]).overall is Overall.NOT_FULLY_VERIFIED
    assert conclude_all([]).exit == 2


def test_only_definitions_are_not_a_pass():
    one = judge_provision(ProvisionObservations(provision="p", ways=(Way.DEFINITION,)))

    assert conclude_game([one]).overall is Overall.NOT_FULLY_VERIFIED
    assert conclude_game([one]).aside == 1


def test_a_definition_does_not_hold_up_what_conforms():
    defined = judge_provision(ProvisionObservations(provision="p", ways=(Way.DEFINITION,)))
    examined = judge_provision(
        ProvisionObservations(
            provision="q",
            ways=(Way.EXAMINATION,),
            looks={Way.EXAMINATION: Observation(cases=216, decisive=91)},
        )
    )

    assert conclude_game([defined, examined]).overall is Overall.CONFORMS


def test_a_definition_that_cases_decide_is_judged_by_them():
    seen = ProvisionObservations(
        provision="p",
        ways=(Way.DEFINITION,),
        looks={Way.EXAMINATION: Observation(cases=9, decisive=2)},
    )

    assert judge_provision(seen).result is Result.CONFORMS
    assert judge_provision(seen).counts


def test_a_provision_of_two_ways_needs_both():
    seen = ProvisionObservations(
        provision="p",
        ways=(Way.EXAMINATION, Way.PROCEDURE),
        looks={Way.EXAMINATION: Observation(cases=9, decisive=9)},
    )

    assert judge_provision(seen).result is Result.NOT_EXAMINED
    assert judge_provision(seen).reason is VerdictReason.NOTHING_TRIED


@pytest.mark.parametrize(
    ("look", "entry", "result"),
    [
        (Observation(cases=1, decisive=1), None, Result.TO_BE_WITNESSED),
        (Observation(), WitnessAnswer.MET, Result.NOT_EXAMINED),
        (Observation(cases=1, decisive=1), WitnessAnswer.MET, Result.CONFORMS),
        (Observation(cases=1, decisive=1), WitnessAnswer.NOT_MET, Result.VIOLATES),
    ],
)
def test_what_program_and_person_must_see_needs_both(look, entry, result):
    seen = ProvisionObservations(
        provision="p",
        ways=(Way.INSPECTION, Way.PROCEDURE),
        looks={Way.PROCEDURE: look},
        witnesses=()
        if entry is None
        else (Witness(provision="p", signed=EntryTrust.VALID, result=entry),),
    )

    assert judge_provision(seen).result is result


def test_a_valid_entry_outweighs_one_that_is_not_and_not_met_outweighs_met():
    def entry(signed, result):
        return Witness(provision="p", signed=signed, result=result)

    def judged(*entries):
        return judge_provision(
            ProvisionObservations(provision="p", ways=(Way.INSPECTION,), witnesses=entries)
        ).result

    met = entry(EntryTrust.VALID, WitnessAnswer.MET)

    assert judged(entry(EntryTrust.SINGLE, WitnessAnswer.NOT_MET), met) is Result.WITNESSED
    assert judged(met, entry(EntryTrust.VALID, WitnessAnswer.NOT_MET)) is Result.VIOLATES
    assert judged(entry(EntryTrust.VALID, WitnessAnswer.NOT_MET), met) is Result.VIOLATES
    assert judged(entry(EntryTrust.VALID, None)) is Result.TO_BE_WITNESSED


def test_a_breach_is_not_hidden_by_breaking_down():
    seen = ProvisionObservations(
        provision="p",
        ways=(Way.EXAMINATION,),
        looks={Way.EXAMINATION: Observation(cases=2, findings=("F-001",), faults=("fault",))},
    )

    concluded = conclude_game([judge_provision(seen)], fault=True)

    assert concluded.overall is Overall.VIOLATES
    assert concluded.exit == 1
    assert concluded.decided_by == ("p",)


def test_a_vendor_that_broke_down_outside_of_all_cases_does_not_pass():
    good = ProvisionObservations(
        provision="p",
        ways=(Way.EXAMINATION,),
        looks={Way.EXAMINATION: Observation(cases=1, decisive=1)},
    )

    assert conclude_game([judge_provision(good)]).exit == 0
    assert conclude_game([judge_provision(good)], fault=True).exit == 4


def test_what_is_left_out_waits_for_nothing_and_says_why():
    seen = ProvisionObservations(
        provision="p", ways=(Way.EXAMINATION,), left_out="no jackpot is authorised"
    )

    found = judge_provision(seen)

    assert (found.result, found.reason) == (Result.NOT_EXAMINED, VerdictReason.LEFT_OUT)
    assert not found.counts
    assert "no jackpot is authorised" in explain_verdict(found, "en")


def test_the_reading_that_the_vendor_follows_throughout_is_named():
    point = ReadingAdherence(divergence=POINT, cases=36, fits={"one": 36, "two": 0})
    seen = ProvisionObservations(
        provision="p",
        ways=(Way.EXAMINATION,),
        looks={Way.EXAMINATION: Observation(cases=216, decisive=36, followed=(point,))},
    )

    found = judge_provision(seen)

    assert (found.result, found.reason) == (Result.INCONCLUSIVE, VerdictReason.READING_OPEN)
    assert "a-point: follows “one” in 36 of 36 cases" in explain_verdict(found, "en")


def test_a_vendor_that_follows_now_this_and_now_that_reading_is_told_so():
    point = ReadingAdherence(divergence=POINT, cases=36, fits={"one": 30, "two": 6})
    seen = ProvisionObservations(
        provision="p",
        ways=(Way.EXAMINATION,),
        looks={Way.EXAMINATION: Observation(cases=216, decisive=36, followed=(point,))},
    )

    found = judge_provision(seen)

    assert point.readings == ("one",)
    assert not point.consistent
    assert found.reason is VerdictReason.READINGS_MIXED


@pytest.mark.parametrize(
    ("reading", "result", "reason"),
    [
        ("one", Result.CONFORMS, VerdictReason.EXAMINED),
        ("two", Result.VIOLATES, VerdictReason.AGAINST_RULING),
    ],
)
def test_a_ruling_removes_the_doubt(reading, result, reason):
    point = ReadingAdherence(divergence=POINT, cases=36, fits={"one": 36})
    ruled = Rulings(adopted=(Ruling(divergence=POINT, reading=reading, source=RulingSource.GIVEN),))
    seen = ProvisionObservations(
        provision="p",
        ways=(Way.EXAMINATION,),
        looks={Way.EXAMINATION: Observation(cases=216, decisive=36, followed=(point,))},
    )

    found = judge_provision(seen, ruled)

    assert (found.result, found.reason) == (result, reason)


def test_readings_that_fit_equally_well_are_both_named():
    point = ReadingAdherence(divergence=POINT, cases=2, fits={"two": 2, "one": 2, "three": 0})

    assert point.readings == ("one", "two")
    assert point.consistent


def test_answers_that_fit_no_reading_follow_none():
    point = ReadingAdherence(divergence=POINT, cases=2, fits={"one": 0})

    assert point.readings == ()
    assert not point.consistent


@pytest.mark.parametrize("wrong", [{"cases": 1, "decisive": 2}, {"decisive": -1}])
def test_counts_that_cannot_be_are_refused(wrong):
    with pytest.raises(ValueError, match="decisive"):
        Observation(**wrong)


@pytest.mark.parametrize(("cases", "fits"), [(0, {}), (1, {"one": 2}), (1, {"one": -1})])
def test_readings_that_cannot_be_counted_are_refused(cases, fits):
    with pytest.raises(ValueError, match="counted"):
        ReadingAdherence(divergence=POINT, cases=cases, fits=fits)


@pytest.mark.parametrize("language", ["pt", "zh", "en"])
def test_every_result_and_reason_has_words(language):
    for one in [*Result, *Overall]:
        assert say(f"verdict.{one}", language)
    for one in VerdictReason:
        assert say(f"verdict.reason.{one}", language)
    for one in RulingSource:
        assert say(f"verdict.ruling.{one}", language)


def test_the_law_files_own_words_are_told_where_nothing_waits():
    because = Words(pt="porque", zh="因為", en="because")
    found = judge_provision(
        ProvisionObservations(provision="p", ways=(Way.NOT_TESTABLE,), because=because)
    )

    assert "because" in explain_verdict(found, "en")
    assert "因為" in explain_verdict(found, "zh")
