"""Faults generated from the law files: each is found and blamed, or set aside with a reason."""

import functools
from itertools import islice, pairwise

import pytest
from tests.often import often

from selo.cases.generate.case_stream import stream_cases
from selo.cases.oracle.answer_check import compare_hands
from selo.cases.oracle.case_oracle import Oracle
from selo.cases.scope import offer_everything
from selo.examine.kills.mutant_kills import KillIndex
from selo.examine.selftest.in_process_examiner import Examiner
from selo.examine.selftest.mutant_selftest import read_equivalents, score_mutants
from selo.examine.selftest.planted_selftest import FAILED_STATES, FaultState
from selo.rules.checks.game_check import list_games
from selo.rules.clauses import clause_models as c
from selo.rules.clauses.clause_reader import read_clauses
from selo.rules.equipment.kits import BadOutcome
from selo.rules.mutants.mutant_games import MUTANT_ERRORS, generate_mutants
from selo.rules.readings.reading_choice import Readings
from selo.rules.settlement.game_compiler import compile_game
from selo.verdict.rulings import adopt_rulings

GAMES = (
    "fish-prawn-crab", "three-card-baccarat", "bacara", "fortune-three-card-poker", "craps",
    "pai-kao",
)  # fmt: skip
#: Clauses that say what becomes of bets.
SAYING = (c.On, c.Prize, c.Combination)
#: So many cases of the full plan are held at once.
AT_ONCE = 8_192


@pytest.fixture(scope="module")
def examiner(law):
    return functools.cache(lambda game: Examiner(law, game, adopt_rulings(law, defaults=True)))


@pytest.fixture(scope="module")
def changes(law):
    """Return every change of the rules of a game by its code."""

    @functools.cache
    def of(game):
        return {one.cause.code: one for one in generate_mutants(law, game, Readings(law))}

    return of


def listed(game, kind=None):
    return [
        code for one in read_equivalents(game) for code in one.changes if kind in {None, one.kind}
    ]


def settled(game, case):
    if case.method == "compare":
        return compare_hands(game, case)
    return game.settle_plain(case.options, case.outcome, case.bets)


# What becomes of changes.


def faulty(scores):
    return [(one.state, one.provision, one.fault) for one in scores if one.state in FAILED_STATES]


@pytest.mark.parametrize(
    ("game", "every"),
    [("pai-kao", 1), pytest.param("fish-prawn-crab", 40, marks=pytest.mark.full)]
    + [pytest.param(game, 1, marks=pytest.mark.full) for game in GAMES if game != "pai-kao"],
)
def test_changes_of_rules_are_found_and_blamed_on_what_they_change(examiner, game, every):
    scores = list(score_mutants(examiner(game), every=every))

    assert FaultState.KILLED in {one.state for one in scores}
    assert faulty(scores) == []


@pytest.mark.full
@pytest.mark.parametrize("game", ["pai-kao", "fish-prawn-crab"])
def test_no_change_is_left_out(examiner, changes, game):
    if game == "pai-kao":
        scores = score_mutants(examiner(game))
        causes = [mutant.cause for mutant in changes(game).values()]
        assert {(score.provision, score.fault) for score in scores} == {
            (cause.provision, cause.sentence) for cause in causes
        }
    mutants = examiner(game).mutants
    assert [mutant.cause.code for mutant in mutants] == list(changes(game))


@pytest.mark.full
def test_a_change_that_no_case_shows_and_nobody_listed_survived(examiner, changes, monkeypatch):
    monkeypatch.setattr("selo.examine.selftest.mutant_selftest.read_equivalents", lambda _: [])

    scores = list(score_mutants(examiner("pai-kao")))

    survived = {(one.provision, one.fault) for one in scores if one.state is FaultState.SURVIVED}
    known = [changes("pai-kao")[code].cause for code in listed("pai-kao")]
    assert survived == {(cause.provision, cause.sentence) for cause in known}


@pytest.mark.full
def test_either_of_two_provisions_that_make_the_same_game_is_rightly_blamed(examiner):
    # 8 lets odd lose unless 8/1/a lets it win: that it always wins may be a misreading of either.
    made = examiner("three-card-baccarat")
    wanted = "on odd, even, three-figures, points, tie: odd: lose becomes win"
    one = next(each for each in made.mutants if each.cause.sentence == wanted)
    twin = next(each for each in made.mutants if each.cause.sentence == "bet odd: wins: always so")

    assert one.provision != twin.provision
    (score,) = score_mutants(Only(made, [one, twin]), every=2)
    assert (score.state, score.blamed) == (FaultState.KILLED, [twin.provision])
    (score,) = score_mutants(Only(made, [one]))
    assert score.state is FaultState.MISJUDGED


class Only:
    """An examiner that is to try a few changes, and still suspects every one."""

    def __init__(self, made, mutants):
        self.law, self.game, self.mutants = made.law, made.game, mutants
        self.kill_matrix, self.examine_answers = made.kill_matrix, made.examine_answers


# Changes that no case can show.


def test_equivalents_are_listed_for_games_that_there_are(law):
    assert {*list_games(law)} == {*GAMES}
    assert all(listed(game) for game in GAMES)


@pytest.mark.parametrize("game", GAMES)
def test_what_is_listed_is_a_change_of_that_provision_and_listed_once(changes, game):
    named = listed(game)

    assert [one for one in named if one not in changes(game)] == []
    assert len(named) == len(set(named))
    for one in read_equivalents(game):
        assert {changes(game)[code].provision for code in one.changes} == {one.provision}


def test_above_each_code_stands_its_sentence(root, changes):
    lines = (root / "fixtures" / "planted" / "equivalents.yaml").read_text("utf-8").splitlines()
    causes = {code: one.cause for game in GAMES for code, one in changes(game).items()}

    told = {line.strip(" -"): above.strip(" #") for above, line in pairwise(lines)}

    for code in (code for game in GAMES for code in listed(game)):
        assert told[code] == causes[code].sentence


@pytest.mark.parametrize("game", GAMES)
def test_what_is_said_elsewhere_is_said_by_provisions_of_the_law(law, game):
    for one in read_equivalents(game):
        assert bool(one.elsewhere) == (one.kind == "elsewhere"), one
        assert all(law.provisions[name].instrument.game == game for name in one.elsewhere), one


@pytest.mark.parametrize("game", often(GAMES, "fish-prawn-crab", "pai-kao"))
def test_without_what_is_said_elsewhere_the_change_would_show(law, examiner, changes, game):
    for one in read_equivalents(game):
        others = {*one.elsewhere} - {one.provision}
        for name in one.changes if others else ():
            variant = changes(game)[name]
            lawful = [each for each in held(law, game) if not says(each, others)]
            altered = [each for each in variant.clauses if not says(each, others)]

            assert differ(law, game, lawful, altered, examiner(game).kill_matrix.cases), one


def held(law, game):
    readings = Readings(law)
    return [each for each in read_clauses(law, game) if readings.allows(each.clause.under)]


def says(written, provisions):
    """Return whether a clause says what becomes of bets, for one of some provisions."""
    return written.held.id in provisions and isinstance(written.clause, SAYING)


def differ(law, game, lawful, altered, cases):
    """Return whether some case comes out otherwise, or the rules no longer tell what becomes."""
    try:
        one, other = (compile_game(law, game, Readings(law), some) for some in (lawful, altered))
        return any(settled(one, case) != settled(other, case) for case in cases)
    except MUTANT_ERRORS:
        return True


@pytest.mark.parametrize("game", GAMES)
def test_what_is_unasked_is_asked_by_no_rule_that_settles_a_bet(law, changes, game):
    for named in listed(game, "unasked"):
        one = changes(game)[named]
        lawful, altered = (compiled.bets for compiled in (Oracle(law).game(game), one.compile()))
        touched = {bet for bet in one.bets() if rules(lawful[bet]) != rules(altered[bet])}

        # Only a commission on what is paid in shares may be there, and is asked for nowhere.
        assert all(rule.share is not None for bet in touched for rule in lawful[bet].prizes), named


def rules(bet):
    return [
        [(one.provision, str(one.condition and one.condition.text)) for one in some]
        for some in (bet.results, bet.prizes, bet.commissions)
    ]


@pytest.mark.parametrize("game", GAMES)
def test_what_is_no_answer_is_whether_something_is_judged(changes, game):
    for named in listed(game, "not-an-answer"):
        was = changes(game)[named].was

        assert isinstance(was, c.MannerClause)
        assert was.manner == "reconstructed"


@pytest.mark.full
@pytest.mark.parametrize("game", GAMES)
def test_what_is_undeclared_cannot_be_settled_where_it_would_show(examiner, changes, game):
    cases = examiner(game).kill_matrix.cases
    for named in listed(game, "undeclared"):
        altered = changes(game)[named].compile()

        assert any(not can_settle(altered, case) for case in cases), named


def can_settle(game, case):
    try:
        settled(game, case)
    except BadOutcome:
        return False
    return True


@pytest.mark.full
@pytest.mark.parametrize("game", GAMES)
def test_no_case_of_the_full_plan_shows_a_change_that_is_listed(law, changes, game):
    shown = []
    cases = stream_cases(law, offer_everything(law, [game]), budget="full")
    while some := list(islice(cases, AT_ONCE)):
        oracle = Oracle(law)
        held = KillIndex(oracle, oracle.game(game), some, with_reasons=False)
        for named in listed(game):
            at = held.killing_cases(changes(game)[named], set(), 1)
            shown += [(named, some[place].params()) for place in at]

    assert shown == []
