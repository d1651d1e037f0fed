"""The file of deviations: what cannot be meant is refused, with file and line."""

import jsonschema
import pytest
import yaml

from selo.cli.schemas.published_schemas import build_schema
from selo.errors import SeloError
from selo.gate.deviations import Risk, read_deviations
from selo.rules.mutants.known_causes import causes_of_provision, find_cause
from selo.rules.readings.reading_choice import Readings
from selo.verdict.provision_verdict import Result

PROVISION = "portaria-96-85-m/annex/98"
FIGURES = "portaria-21-96-m/5/c"


def test_an_entry_is_read_with_its_line(law, listed):
    path = listed({"provision": PROVISION, "risk": "high"}, {"provision": "portaria-21-96-m/7"})

    first, second = read_deviations(path, law)

    assert first.deviation.risk is Risk.HIGH
    assert first.deviation.verdict is Result.VIOLATES
    lines = path.read_text("utf-8").splitlines()
    for one in (first, second):
        file, _, line = one.where.rpartition(":")
        assert file == str(path)
        assert lines[int(line) - 1].startswith("- ")


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ({"provision": "portaria-96-85-m/annex/999"}, "there is no provision"),
        ({"provision": "portaria-96-85-m"}, "there is no provision"),
        ({"verdict": "conforms"}, "“conforms” cannot be waived"),
        ({"verdict": "witnessed"}, "“witnessed” cannot be waived"),
        ({"verdict": "bad"}, "verdict"),
        ({"reason": " "}, "“reason” is blank"),
        ({"owner": "\u3000"}, "“owner” is blank"),
        ({"approver": "demonstration  ENGINEER 1"}, "owner and approver are the same person"),
        ({"risk": "none"}, "risk"),
        ({"expires": "soon"}, "expires"),
        ({"expires": "2026-02-30"}, "expires"),
        ({"note": "more"}, "unknown field `note`"),
        ({"cause": "x", "verdict": "inconclusive"}, "only a violation has a cause"),
        ({"readings": {"a": ["b"]}}, "only an inconclusive verdict depends on readings"),
        ({"cause": "another"}, "has no cause “another”"),
        ({"cause": f"{PROVISION}:tiles.tiles.line-000000"}, f"nearest: {PROVISION}:tiles.tiles."),
        ({"cause": "tiles 98: stands on line 1000"}, f"nearest: {PROVISION}:tiles.tiles.line-"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_file_and_line(law, listed, entry, says):
    path = listed({"provision": "portaria-21-96-m/7"}, {"provision": PROVISION, **entry})

    with pytest.raises(SeloError) as refused:
        read_deviations(path, law)

    assert says in str(refused.value)
    place = str(refused.value).partition(": ")[0]
    assert place.startswith(f"{path}:")
    # The second entry begins after seven lines of the first and the heading.
    assert int(place.rpartition(":")[2]) > 7


@pytest.mark.parametrize(
    ("language", "says"),
    [("pt", "não é um dia"), ("zh", "並非日期"), ("en", "not a day")],
)
@pytest.mark.parametrize("day", ["soon", "2026-02-30"])
def test_a_day_that_is_none_is_told_in_words(selo_here, listed, day, language, says):
    path = listed({"provision": PROVISION, "expires": day})

    code, _, told = selo_here("gate", "--vendor", "x", "--deviations", path, "--lang", language)

    assert code == 3
    assert says in told
    assert "RFC" not in told


@pytest.mark.parametrize(
    ("language", "says"),
    [("pt", "de comprimento 1 ou mais"), ("zh", "長度至少 1"), ("en", "of length >= 1")],
)
def test_a_field_that_is_empty_is_told_in_words(selo_here, listed, language, says):
    path = listed({"provision": PROVISION, "reason": ""})

    code, _, told = selo_here("gate", "--vendor", "x", "--deviations", path, "--lang", language)

    assert code == 3
    assert says in told


@pytest.mark.parametrize("field", ["reason", "owner", "approver", "risk", "expires", "provision"])
def test_no_field_may_be_left_out(law, listed, field):
    path = listed({"provision": PROVISION})
    whole = yaml.safe_load(path.read_text("utf-8"))
    del whole["deviations"][0][field]
    path.write_text(yaml.safe_dump(whole), "utf-8")

    with pytest.raises(SeloError, match=field):
        read_deviations(path, law)


def test_the_same_thing_is_listed_once(law, listed):
    path = listed({"provision": PROVISION}, {"provision": PROVISION})

    with pytest.raises(SeloError, match="is listed already on line 2"):
        read_deviations(path, law)


def test_a_code_and_a_former_sentence_name_the_same_cause(law, listed):
    sentence = "tiles 98: stands on line 107"
    cause = find_cause(law, [PROVISION], Readings(law), sentence)

    (by_code,) = read_deviations(listed({"provision": PROVISION, "cause": cause.code}), law)
    (by_sentence,) = read_deviations(listed({"provision": PROVISION, "cause": sentence}), law)

    assert by_code.codes == by_sentence.codes == {cause.code}
    assert (by_code.is_former, by_sentence.is_former) == (False, True)


def test_a_cause_by_its_code_and_by_its_sentence_is_listed_once(law, listed):
    sentence = "tiles 98: stands on line 107"
    code = find_cause(law, [PROVISION], Readings(law), sentence).code
    path = listed(
        {"provision": PROVISION, "cause": code}, {"provision": PROVISION, "cause": sentence}
    )

    with pytest.raises(SeloError, match="is listed already on line 2"):
        read_deviations(path, law)


def test_a_cause_that_only_another_reading_has_is_known(law, listed):
    point, reading = "21-96-m-5-c--what-the-figure-bet-is", "every-die"
    usual = {cause.code for cause in causes_of_provision(law, FIGURES, Readings(law))}
    others = causes_of_provision(law, FIGURES, Readings(law, {point: reading}))
    only = next(cause.code for cause in others if cause.code not in usual)

    (entry,) = read_deviations(listed({"provision": FIGURES, "cause": only}), law)

    assert entry.codes == {only}


@pytest.mark.parametrize("cause", ["order", "settlement", ""])
def test_the_manner_of_a_breach_at_a_table_is_a_code(law, listed, cause):
    (entry,) = read_deviations(listed({"provision": PROVISION, "cause": cause}), law)

    assert (entry.codes, entry.is_former) == ({cause}, False)


def test_a_test_of_draws_is_known_where_draws_are_tested(law, listed):
    balance = "portaria-21-96-m/1/a/close"
    (code,) = read_deviations(listed({"provision": balance, "cause": "draws:face.2"}), law)
    (sentence,) = read_deviations(listed({"provision": balance, "cause": "faces of die 2"}), law)

    assert (code.codes, code.is_former) == ({"draws:face.2"}, False)
    assert sentence.is_former
    with pytest.raises(SeloError, match="has no cause"):
        read_deviations(listed({"provision": PROVISION, "cause": "draws:face.2"}), law)


def test_two_verdicts_on_one_provision_are_two_things(law, listed):
    path = listed({"provision": PROVISION}, {"provision": PROVISION, "verdict": "inconclusive"})

    assert len(read_deviations(path, law)) == 2


def test_the_published_schema_takes_what_the_program_takes(listed):
    judge = jsonschema.Draft202012Validator(build_schema("deviations"))
    whole = yaml.safe_load(listed({"provision": PROVISION}).read_text("utf-8"))

    assert judge.is_valid(whole)
    whole["deviations"][0]["risk"] = "none"
    assert not judge.is_valid(whole)
