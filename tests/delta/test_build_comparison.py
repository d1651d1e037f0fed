"""Which provisions a change touches: exactly those that account for it, and nothing without one."""

import contextlib
import dataclasses
import datetime as dt

import msgspec
import pytest
from tests.delta.conftest import COMMAND
from tests.verification.certificates import make_build, refactor

from selo.cli.parser.command_line import parse_arguments
from selo.cli.runs.compared_sides import open_side
from selo.delta import compare_sides, read_change_policy
from selo.delta.build_comparison import ProvisionState
from selo.delta.carry_over import CarryObstacle
from selo.delta.change_policy import ChangeClass, ChangeKind
from selo.delta.provision_law import find_amended_provisions
from selo.examine.behaviour import canonical_terms, compute_fingerprints, is_canonical
from selo.law.loader import load_law
from selo.rules.checks import list_games

DAY = dt.date(2026, 1, 31)
#: Art. 6 h): three dice of a chosen figure.
PRIZE = "portaria-21-96-m/6/h"


def compared(before, after):
    return compare_sides(before, after, read_change_policy(), DAY)


def touched(delta):
    return {one.id for one in delta.provisions if one.state is ProvisionState.CHANGED}


def test_one_changed_prize_touches_exactly_its_article(sides, law):
    assert "cento e cinquenta" in law.find(PRIZE).provision.text.pt

    delta = compared(sides["lawful"], sides["prize"])

    assert touched(delta) == {PRIZE}
    assert delta.again == [PRIZE]
    assert delta.exit == 2


def test_a_change_is_shown_by_one_bet_and_both_answers(sides):
    delta = compared(sides["lawful"], sides["prize"])

    example = next(one.example for one in delta.provisions if one.id == PRIZE)
    (bet,) = example.params["bets"]
    assert bet["bet"] == "three-of-figure"
    assert set(example.params["outcome"]["dice"]) == {bet["choice"]}
    assert (example.before, example.after) == (150 * bet["stake"], 149 * bet["stake"])


def test_a_refactored_build_touches_nothing_although_every_file_changed(sides):
    before, after = (
        {file.path: file.sha256 for file in sides[name].header.description.files}
        for name in ("lawful", "refactored")
    )
    assert not {*before.values()} & {*after.values()}

    delta = compared(sides["lawful"], sides["refactored"])

    assert not touched(delta)
    assert delta.again == []
    assert delta.exit == 0
    assert {change.name for change in delta.changes} == {*before}


def test_every_change_has_a_class_and_a_reason(sides):
    delta = compared(sides["lawful"], sides["prize"])

    found = {(change.kind, change.bears_on) for change in delta.changes}
    assert found == {
        (ChangeKind.FILES, ChangeClass.RELIABILITY),
        (ChangeKind.SETTLEMENT, ChangeClass.FAIRNESS),
    }
    assert all(change.because.zh and change.because.pt for change in delta.changes)


def test_an_amended_article_touches_its_own(sides, copy):
    name = next(
        str(path.relative_to(copy.specs))
        for path in (copy.specs / "portaria-21-96-m" / "articles").glob("*.yaml")
        if "id: 6/h" in path.read_text(encoding="utf-8")
    )
    path = copy.specs / name
    head, mark, rest = path.read_text(encoding="utf-8").partition("id: 6/h")
    assert "150:1" in rest
    path.write_text(head + mark + rest.replace("150:1", "160:1", 1), encoding="utf-8")
    amended = load_law(specs=copy.specs, bilingual=copy.bilingual)
    lawful = sides["lawful"]

    delta = compared(lawful, dataclasses.replace(sides["refactored"], law=amended))

    assert find_amended_provisions(lawful.law, amended, ["fish-prawn-crab"]) == [PRIZE]
    again = {one.id: one.again for one in delta.provisions if one.id in delta.again}
    assert again == {PRIZE: CarryObstacle.LAW}


def test_another_reading_touches_the_instrument(sides, law):
    lawful = sides["lawful"]
    point = next(
        point
        for point in law.divergences
        if any(one.startswith("portaria-21-96-m/") for one in point.provisions)
        and len(point.readings) > 1
    )
    other = next(one.id for one in point.readings if one.id != point.default)
    terms = lawful.header.terms
    reread = msgspec.structs.replace(
        lawful.header,
        terms=msgspec.structs.replace(terms, rulings={**terms.rulings, point.id: other}),
    )

    delta = compared(dataclasses.replace(lawful, header=reread), lawful)

    assert {one.again for one in delta.provisions} == {
        CarryObstacle.READINGS,
        CarryObstacle.NOT_ASKED,
    }


def test_another_engine_touches_everything(sides):
    lawful = sides["lawful"]
    older = msgspec.structs.replace(
        lawful.header, terms=msgspec.structs.replace(lawful.header.terms, engine=0)
    )

    delta = compared(dataclasses.replace(lawful, header=older), lawful)

    assert {one.again for one in delta.provisions} == {
        CarryObstacle.ENGINE,
        CarryObstacle.NOT_ASKED,
    }


def test_without_answers_to_the_canonical_set_nothing_is_alike(sides):
    unasked = dataclasses.replace(sides["lawful"], canonical=None, answers=None)

    delta = compared(unasked, sides["lawful"])

    assert not any(one.state is ProvisionState.ALIKE for one in delta.provisions)
    assert delta.exit == 2


def test_every_provision_verified_by_questions_has_a_fingerprint(sides):
    delta = compared(sides["lawful"], sides["refactored"])

    states = {one.state for one in delta.provisions}
    assert states == {ProvisionState.ALIKE, ProvisionState.NOT_ASKED}
    assert len([one for one in delta.provisions if one.state is ProvisionState.ALIKE]) > 30


def test_what_no_provision_accounts_for_touches_its_whole_game(sides):
    lawful = sides["lawful"]
    fingerprints = {**lawful.canonical.fingerprints, "fish-prawn-crab": "0" * 64}
    other = msgspec.structs.replace(lawful.canonical, fingerprints=fingerprints)

    delta = compared(lawful, dataclasses.replace(lawful, canonical=other))

    assert {one.again for one in delta.provisions} == {
        CarryObstacle.BEHAVIOUR,
        CarryObstacle.NOT_ASKED,
    }


@pytest.mark.full
def test_a_fingerprint_does_not_depend_on_the_number_of_processes(sides, law):
    lawful = sides["lawful"]

    alone = compute_fingerprints(lawful.answers, law, lawful.header.terms, processes=1)

    assert alone == lawful.canonical.fingerprints


def test_the_canonical_set_does_not_depend_on_the_seed(sides):
    terms = sides["lawful"].header.terms
    sealed = msgspec.structs.replace(terms, seed=2**200 + 7, budget="full", carried=[PRIZE])

    assert is_canonical(terms)
    assert not is_canonical(sealed)
    assert canonical_terms(sealed).digest == terms.digest


@pytest.mark.parametrize("kind", ChangeKind)
def test_every_kind_of_change_has_one_class_in_three_languages(kind):
    row = read_change_policy().class_of(kind)

    assert row.because.pt
    assert row.because.zh
    assert row.because.en


@pytest.mark.full
def test_two_builds_that_behave_alike_have_the_same_fingerprints(law, tmp_path):
    # Where the white card lies in a shoe is chance, and changes what tables of 22/96/M do.
    games = [game for game in list_games(law) if game != "three-card-baccarat"]
    chosen = [word for game in games for word in ("--game", game)]
    arguments = parse_arguments(["diff", COMMAND, COMMAND, "--rulings", "defaults", *chosen])
    builds = make_build(tmp_path / "old"), refactor(make_build(tmp_path / "new"))

    with contextlib.ExitStack() as stack:
        before, after = (
            stack.enter_context(open_side(COMMAND, str(build), arguments, law, None))
            for build in builds
        )

        assert before.canonical.fingerprints == after.canonical.fingerprints
        assert before.canonical.wrong == after.canonical.wrong == 0
