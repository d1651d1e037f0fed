"""What a vendor declares is held against the law as the register says, under each reading."""

import copy

import pytest
from msgspec.structs import replace

from selo.law.files.declaration_file import overlay_declarations, read_declarations
from selo.rules.clauses import clause_models as c
from selo.rules.clauses.clause_reader import LocatedClause
from selo.rules.declarations.declaration_checks import Requirements, declaration_points
from selo.rules.declarations.declaration_models import RequirementStatus
from selo.rules.readings.reading_choice import Readings

POKER = "fortune-three-card-poker"
GAMES = ["fish-prawn-crab", "three-card-baccarat", "bacara", "fortune-three-card-poker"]
PARTING = [
    pytest.param(game, point, case, reading, id=f"{point}={reading}")
    for game in GAMES
    for point, case in read_declarations(game).readings.items()
    for reading in case.expect
]


def judged(law, game, offer, **rulings):
    return Requirements(law, game, Readings(law, rulings)).judge(offer)


def broken(judgements):
    return {one.provision for one in judgements if one.status is RequirementStatus.BROKEN}


def standings(judgements, provision):
    return {one.about: one.status for one in judgements if one.provision == provision}


@pytest.fixture
def lawful():
    return {game: copy.deepcopy(read_declarations(game).lawful) for game in GAMES}


@pytest.mark.parametrize("game", GAMES)
def test_the_lawful_declaration_keeps_every_requirement(law, lawful, game):
    assert {one.status for one in judged(law, game, lawful[game])} == {RequirementStatus.KEPT}


@pytest.mark.parametrize("game", GAMES)
def test_whoever_declares_nothing_keeps_nothing(law, game):
    found = judged(law, game, {"game": game, "bets": ["jackpot"]})

    assert {one.status for one in found} <= {RequirementStatus.MISSING, RequirementStatus.ABSENT}


def test_every_provision_verified_by_configuration_has_a_requirement(law):
    asked = {
        one.held.id for game in GAMES for one in Requirements(law, game, Readings(law)).clauses
    }
    wanted = {
        held.id
        for held in law.provisions.values()
        if "configuration" in {held.provision.verified_by, *held.provision.also}
    }

    assert asked == wanted


@pytest.mark.parametrize(("game", "point", "case", "reading"), PARTING)
def test_a_reading_judges_its_declaration_as_worked_out_by_hand(
    law, lawful, game, point, case, reading
):
    offer = overlay_declarations(lawful[game], case.given)

    found = judged(law, game, offer, **{point: reading})

    forbidden = {case.provision} if case.expect[reading] == "forbidden" else set()
    assert broken(found) == forbidden


@pytest.mark.parametrize(("game", "point", "case", "reading"), PARTING)
def test_the_register_says_the_same(law, game, point, case, reading):
    del game
    divergence = next(one for one in law.divergences if one.id == point)
    said = {"accepted": "allowed", "refused": "forbidden"}
    result = divergence.situation.results[reading].result

    assert case.expect[reading] == said.get(result, result)


@pytest.mark.parametrize("game", GAMES)
def test_every_reading_on_which_declarations_depend_is_tried(law, game):
    tried = {point: set(case.expect) for point, case in read_declarations(game).readings.items()}

    assert tried == {
        point: set(readings) for point, readings in declaration_points(law, game).items()
    }


#: What is declared otherwise, and which provision that breaks; the numbers are those of the law.
UNLAWFUL = [
    ("fish-prawn-crab", {"declares": {"dice": 2}}, "portaria-21-96-m/1/a"),
    ("fish-prawn-crab", {"declares": {"dice": 4}}, "portaria-21-96-m/1/a"),
    ("fish-prawn-crab", {"declares": {"dice": {"from": 3, "to": 4}}}, "portaria-21-96-m/1/a"),
    ("three-card-baccarat", {"declares": {"packs": 0}}, "portaria-22-96-m/1/1"),
    ("three-card-baccarat", {"declares": {"packs": {"from": 0, "to": 8}}}, "portaria-22-96-m/1/1"),
    ("three-card-baccarat", {"declares": {"pack_cards": 51}}, "portaria-22-96-m/1/1"),
    ("three-card-baccarat", {"declares": {"pack_cards": 53}}, "portaria-22-96-m/1/1"),
    ("three-card-baccarat", {"declares": {"seats": 9}}, "portaria-22-96-m/4/1"),
    ("fortune-three-card-poker", {"declares": {"packs": 2}}, "despacho-78-2008/1/1"),
    ("fortune-three-card-poker", {"declares": {"packs": 0}}, "despacho-78-2008/1/1"),
    ("fortune-three-card-poker", {"declares": {"pack_cards": 54}}, "despacho-78-2008/1/1"),
    ("fortune-three-card-poker", {"declares": {"places": 7}}, "despacho-78-2008/2/1"),
    ("fortune-three-card-poker", {"declares": {"places": 9}}, "despacho-78-2008/2/1"),
    ("fortune-three-card-poker", {"declares": {"minimum": 600000}}, "despacho-78-2008/6/1"),
    ("fortune-three-card-poker", {"layout": {"bets": ["pair-plus"]}}, "despacho-78-2008/5/1/1"),
    ("fortune-three-card-poker", {"layout": {"bets": ["ante"]}}, "despacho-78-2008/5/1/2"),
    ("bacara", {"jackpots": [{"modality": "D"}], "options": {}}, "despacho-2-2009/13/1/4/3"),
]


@pytest.mark.parametrize(("game", "given", "provision"), UNLAWFUL)
def test_an_unlawful_declaration_breaks_its_provision_alone(law, lawful, game, given, provision):
    assert broken(judged(law, game, overlay_declarations(lawful[game], given))) == {provision}


@pytest.mark.parametrize("seats", [1, 2, 8])
def test_fewer_seats_than_the_most_are_lawful(law, lawful, seats):
    offer = overlay_declarations(lawful["three-card-baccarat"], {"declares": {"seats": seats}})

    assert broken(judged(law, "three-card-baccarat", offer)) == set()


@pytest.mark.parametrize("limits", [(100, 100), (1, 2)])
def test_limits_are_lawful_while_the_lowest_is_not_above_the_highest(law, lawful, limits):
    declares = dict(zip(("minimum", "maximum"), limits, strict=True))
    offer = overlay_declarations(lawful["fortune-three-card-poker"], {"declares": declares})

    assert broken(judged(law, "fortune-three-card-poker", offer)) == set()


def _without_a_face(faces):
    return faces[1:]


def _in_another_colour(faces):
    return [{**faces[0], "colour": "green"}, *faces[1:]]


def _with_another_number(faces):
    return [{**faces[0], "number": 6}, *faces[1:]]


def _with_one_too_many(faces):
    return [*faces, {"figure": "tiger", "colour": "red", "number": 7}]


def _with_one_twice(faces):
    return [*faces, faces[0]]


@pytest.mark.parametrize(
    "change",
    [
        _without_a_face,
        _in_another_colour,
        _with_another_number,
        _with_one_too_many,
        _with_one_twice,
    ],
)
def test_other_faces_break_the_provision_that_lists_them(law, lawful, change):
    offer = lawful["fish-prawn-crab"]
    offer["faces"] = change(offer["faces"])

    assert broken(judged(law, "fish-prawn-crab", offer)) == {"portaria-21-96-m/1/a"}


def test_a_wrong_face_names_the_line_that_says_how_it_is(law, lawful):
    offer = lawful["fish-prawn-crab"]
    offer["faces"] = _in_another_colour(offer["faces"])

    (found,) = [
        one
        for one in judged(law, "fish-prawn-crab", offer)
        if one.status is RequirementStatus.BROKEN
    ]

    assert found.grounds == ("portaria-21-96-m/1/a/1",)


@pytest.mark.parametrize("bet", range(10))
def test_every_bet_that_a_layout_does_not_show_breaks_its_provision(law, lawful, bet):
    offer = lawful["fish-prawn-crab"]
    del offer["layout"]["bets"][bet]

    assert broken(judged(law, "fish-prawn-crab", offer)) == {"portaria-21-96-m/1/c"}


def test_three_dice_with_six_faces_show_fifty_six_combinations(law, lawful):
    point = {"21-96-m-1-c--what-the-layout-shows": "every-combination"}
    offer = lawful["fish-prawn-crab"]
    offer["layout"]["combinations"] = 55

    # 6 triples, 30 pairs with another figure, 20 of three different figures.
    assert broken(judged(law, "fish-prawn-crab", offer, **point)) == {"portaria-21-96-m/1/c"}
    offer["layout"]["combinations"] = 6 + 30 + 20
    assert broken(judged(law, "fish-prawn-crab", offer, **point)) == set()


def otherwise(clause):
    """Return a clause that asks for something else."""
    if isinstance(clause, c.AuthorisationClause):
        return replace(clause, ahead=99)
    if isinstance(clause, c.Shows):
        return replace(clause, shows="nothing", offered=False)
    if clause.among:
        return replace(clause, among=["nothing"])
    return replace(clause, exactly=99)


@pytest.mark.parametrize("game", GAMES)
def test_every_requirement_decides_what_is_lawful(law, lawful, game):
    """What is kept would not be kept if the clause asked for something else."""
    requirements = Requirements(law, game, Readings(law))
    clauses = list(requirements.clauses)
    for one in clauses:
        if isinstance(one.clause, c.Declares) and one.clause.like is not None:
            # What faces must be like is said by other clauses; other faces are tried above.
            continue
        requirements.clauses = [LocatedClause(one.held, one.index, otherwise(one.clause))]

        found = requirements.judge(lawful[game])

        assert RequirementStatus.KEPT not in {judgement.status for judgement in found}, one.clause


# Authorisations.

ASKED = "commission half-on-six: asked ahead"


@pytest.fixture
def bacara(lawful):
    """Return an offer that uses one option, asked for and used as a test says."""

    def made(asked, used, working_days=(), granted=None):
        entry = {
            "option": "commission",
            "values": ["half-on-six"],
            "document": "Demonstration authorisation 1",
            "asked": asked,
            "granted": granted or used,
            "used_from": used,
            "working_days": list(working_days),
        }
        given = {
            "bets": ["player", "banker", "tie"],
            "options": {"commission": ["half-on-six"]},
            "jackpots": [],
            "authorisations": [entry],
        }
        return overlay_declarations(lawful["bacara"], given)

    return made


#: Asked, used, days named as working days, and what follows if days count, and if clear days do.
#: 2025-03-03 is a Monday; 2025-05-01 is a holiday on a Thursday.
DAYS = [
    ("2025-03-03", "2025-03-06", "03 04 05", "kept", "broken"),
    ("2025-03-03", "2025-03-07", "04 05 06", "kept", "kept"),
    ("2025-03-04", "2025-03-06", "04 05", "broken", "broken"),
    # Friday to Wednesday: the week-end does not count.
    ("2025-03-07", "2025-03-12", "07 10 11", "kept", "broken"),
    ("2025-03-08", "2025-03-12", "10 11", "broken", "broken"),
    ("2025-03-07", "2025-03-13", "10 11 12", "kept", "kept"),
    # Too few days are named, and holidays could decide.
    ("2025-03-03", "2025-03-07", "", "untold", "untold"),
    ("2025-03-03", "2025-03-07", "05 06", "untold", "untold"),
    ("2025-03-03", "2025-03-07", "03 04 05", "kept", "untold"),
    # A Sunday is no working day, whatever is declared.
    ("2025-03-06", "2025-03-12", "08 09 10 11", "untold", "untold"),
    # A holiday of a fixed date: Wednesday to Monday leaves Wednesday and Friday.
    ("2025-04-30", "2025-05-05", "04-30 05-01 05-02", "broken", "broken"),
    ("2025-03-06", "2025-03-06", "", "broken", "broken"),
    ("2025-03-07", "2025-03-03", "", "broken", "broken"),
]


@pytest.mark.parametrize(("asked", "used", "days", "third", "clear"), DAYS)
def test_working_days_are_counted_as_worked_out_by_hand(
    law, bacara, asked, used, days, third, clear
):
    named = [f"2025-{day}" if "-" in day else f"2025-03-{day}" for day in days.split()]
    offer = bacara(asked, used, named)
    point = "2-2009-19--counting-three-working-days"

    found = [
        standings(judged(law, "bacara", offer, **{point: reading}), "despacho-2-2009/19")[ASKED]
        for reading in ("third-day-before", "three-clear-days")
    ]

    assert found == [third, clear]


def test_an_authorisation_on_the_day_of_use_is_in_time_and_one_day_later_is_not(law, bacara):
    days = ["2025-03-03", "2025-03-04", "2025-03-05"]
    on_the_day = bacara("2025-03-03", "2025-03-06", days, granted="2025-03-06")
    later = bacara("2025-03-03", "2025-03-06", days, granted="2025-03-07")

    assert broken(judged(law, "bacara", on_the_day)) == set()
    assert broken(judged(law, "bacara", later)) == {"despacho-2-2009/19"}


def test_of_two_entries_the_better_counts(law, bacara):
    offer = bacara("2025-03-05", "2025-03-06")
    early = bacara("2025-03-03", "2025-03-06", ["2025-03-03", "2025-03-04", "2025-03-05"])
    offer["authorisations"] += early["authorisations"]

    assert broken(judged(law, "bacara", offer)) == set()


@pytest.mark.parametrize("at", range(3))
def test_an_option_without_an_entry_breaks_the_article_on_authorisation(law, lawful, at):
    offer = lawful["bacara"]
    del offer["authorisations"][at]

    assert broken(judged(law, "bacara", offer)) == {"despacho-2-2009/19"}


@pytest.mark.parametrize("at", range(3, 6))
def test_an_amount_without_an_approval_breaks_the_number_on_approval(law, lawful, at):
    offer = lawful["bacara"]
    del offer["authorisations"][at]

    assert broken(judged(law, "bacara", offer)) == {"despacho-2-2009/17/12"}


def test_a_percentage_needs_no_approval_unless_it_is_ruled_so(law, lawful):
    offer = lawful["bacara"]
    del offer["authorisations"][6]
    ruled = {"2-2009-17-12--percentage-without-approval": "percentage-also"}

    assert broken(judged(law, "bacara", offer)) == set()
    assert broken(judged(law, "bacara", offer, **ruled)) == {"despacho-2-2009/17/12"}


@pytest.mark.parametrize("change", [1, -1])
def test_another_amount_than_the_one_approved_breaks_the_number_on_approval(law, lawful, change):
    offer = lawful["bacara"]
    offer["jackpots"][0]["fixed"]["single-pair"] += change

    assert broken(judged(law, "bacara", offer)) == {"despacho-2-2009/17/12"}


def test_the_same_percentage_may_be_written_otherwise(law, lawful):
    offer = lawful["bacara"]
    offer["jackpots"][2]["percentage"] = [5, 100]

    assert broken(judged(law, "bacara", offer)) == set()


def test_an_amount_that_is_not_declared_is_missing_and_not_kept(law, lawful):
    offer = lawful["bacara"]
    del offer["jackpots"][0]["fixed"]["single-pair"]

    found = standings(judged(law, "bacara", offer), "despacho-2-2009/17/12")

    assert RequirementStatus.MISSING in found.values()


def test_a_jackpot_that_is_offered_and_not_declared_is_missing(law, lawful):
    offer = lawful["bacara"]
    del offer["jackpots"][1]

    found = standings(judged(law, "bacara", offer), "despacho-2-2009/13/1/4/3")

    assert found["modality"] is RequirementStatus.MISSING


def test_where_no_jackpot_is_offered_its_provisions_are_not_judged(law, lawful):
    given = {"bets": ["player"], "options": {}, "jackpots": [], "authorisations": []}
    offer = overlay_declarations(lawful["bacara"], given)

    found = judged(law, "bacara", offer)

    assert set(standings(found, "despacho-2-2009/17/12").values()) == {RequirementStatus.ABSENT}
    assert standings(found, "despacho-2-2009/13/1/4/3")["modality"] is RequirementStatus.ABSENT
