"""Games of wheel, plain dice and beads, added by data alone: odds, verdicts, planted faults."""

import re
from fractions import Fraction
from itertools import combinations

import pytest
import yaml
from tests.example_games import EXAMPLES, ROOT, load_piece_module
from tests.house import rules
from tests.often import often

from selo.rules.checks import check_games, check_worked_cases
from selo.rules.odds.game_odds import OddsCatalogue
from selo.rules.readings import Readings
from selo.rules.settlement import compile_game

FAULTS = load_piece_module("piece_faults").FAULTS
#: Faults of the random source, which draws show.
DRAWN = {("roulette", "1/5"), ("cussec", "1/2"), ("fantan", "1/2"), ("boule", "1/4")}
EVERY_FAULT = [(game, name) for game, faults in FAULTS.items() for name in faults]
OFTEN = [
    ("roulette", "number-10-is-red"),
    ("roulette", "takes-bets-after-the-close"),
    ("cussec", "small-wins-with-a-triple"),
    ("fantan", "nothing-is-never-left"),
    ("boule", "five-is-odd"),
]


def load_vendor(game, fault=None):
    return load_piece_module("piece_vendor").load(game, fault)


def test_the_rules_of_the_three_games_are_proven(law_with_games):
    assert list(check_games(law_with_games)) == []


@pytest.mark.parametrize("game", EXAMPLES)
def test_the_worked_cases_agree_with_the_rules_and_the_register(law_with_games, game):
    def rules_under(rulings):
        return compile_game(law_with_games, game, Readings(law_with_games, dict(rulings)))

    assert list(check_worked_cases(law_with_games, game, rules_under)) == []


def published():
    for game in EXAMPLES:
        path = ROOT / "docs" / "examples" / game / "published.yaml"
        plain = yaml.safe_load(path.read_text(encoding="utf-8"))
        known = {source["id"] for source in plain["sources"]}
        for figure in plain["figures"]:
            assert figure["source"] in known
            yield game, figure


@pytest.mark.parametrize(
    ("game", "figure"),
    list(published()),
    ids=lambda one: one if isinstance(one, str) else one["what"],
)
def test_odds_are_those_that_others_published(law_with_games, game, figure):
    printed = figure["printed"]
    for odds in _figures(law_with_games, game):
        if odds.bet in figure["bets"] and odds.choice in figure.get("choices", [odds.choice]):
            wanted = _value(printed)
            digits = len(printed.rstrip("%").partition(".")[2])
            unit = Fraction(1, 10**digits) / (100 if printed.endswith("%") else 1)

            assert abs(_of(odds, law_with_games, game, figure["what"]) - wanted) <= unit / 2


def _figures(law, game):
    if game not in _KNOWN:
        _KNOWN[game] = OddsCatalogue(law).figures(game, Readings(law))
    return _KNOWN[game]


_KNOWN = {}


def _value(printed):
    return Fraction(printed.rstrip("%")) / (100 if printed.endswith("%") else 1)


def _of(odds, law, game, what):
    if what == "edge":
        return odds.edge
    if what == "win":
        return odds.of("win")
    compiled = compile_game(law, game, Readings(law))
    rule = compiled.bets[odds.bet]
    assert len({prize.odds for prize in rule.prizes}) == 1
    paid = rule.prizes[0].odds
    kept = sum((commission.rate for commission in rule.commissions), Fraction(0))
    return paid * (1 - kept) if what == "net" else paid


def test_the_cloth_of_roulette_is_a_grid_of_twelve_rows_of_three(law_with_games):
    """The lists of equipment.yaml, against squares that touch on a grid."""
    tables = compile_game(law_with_games, "roulette", Readings(law_with_games)).tables
    lists = {name: set(map(frozenset, one.values())) for name, one in tables.choices.items()}
    at = {number: divmod(number - 1, 3) for number in range(1, 37)}

    def near(numbers):
        rows, columns = ({at[n][part] for n in numbers} for part in (0, 1))
        return len(rows) * len(columns) == len(numbers) and max(rows) - min(rows) < 2

    pairs = {
        frozenset(pair)
        for pair in combinations(at, 2)
        if sum(abs(a - b) for a, b in zip(at[pair[0]], at[pair[1]], strict=True)) == 1
    }
    assert lists["split"] == pairs | {frozenset({0, n}) for n in (1, 2, 3)}
    assert len(lists["corner"]) == 23
    assert frozenset({0, 1, 2, 3}) in lists["corner"]
    assert all(near(one) for one in lists["corner"] if 0 not in one)
    assert all(near(one) for name in ("street", "line") for one in lists[name])
    assert [len(lists[name]) for name in ("street", "line", "dozen", "column")] == [12, 11, 3, 3]
    assert set().union(*lists["dozen"]) == set().union(*lists["column"]) == set(at)


@pytest.mark.parametrize("game", often(EXAMPLES, "roulette", "boule"))
def test_a_lawful_vendor_breaks_nothing(examiner, game):
    verdicts = examiner(game).examine_vendor(load_vendor(game))

    assert verdicts.broken == []
    assert not verdicts.findings


@pytest.mark.parametrize(("game", "name"), often(EVERY_FAULT, *OFTEN))
def test_a_planted_fault_is_found_by_its_article(examiner, game, name):
    fault, vendor = FAULTS[game][name], load_vendor(game, name)
    drawn = (game, fault.provision) in DRAWN
    examine = examiner(game).examine_draws if drawn else examiner(game).examine_vendor

    assert f"{EXAMPLES[game]}/{fault.provision}" in examine(vendor).broken


@pytest.mark.full
@pytest.mark.parametrize("game", EXAMPLES)
def test_faults_are_planted_in_every_article(game):
    articles = {fault.provision.partition("/")[0] for fault in FAULTS[game].values()}

    assert articles == {"1", "2", "3", "4"}


#: Words that the rule language, the protocol or the house itself uses.
COMMON = {
    "black", "column", "corner", "double", "even", "high", "left", "line", "low", "odd", "pair",
    "red", "single", "split", "street", "three", "total", "triple",
}  # fmt: skip


def test_no_line_of_python_knows_these_games(law_with_games, law):
    shipped = rules.ids_of_law(law)
    ids = {one for one in rules.ids_of_law(law_with_games) if one not in shipped} - COMMON

    assert {"roulette", "kwok", "ball-rests", "any-triple", "count-off"} <= ids
    assert rules.ids_in_code(ROOT / "harness", ids) == {}
    assert not re.search(r"exemplo-1[1235]-33", "\n".join(_harness_texts()))


def _harness_texts():
    for path in (ROOT / "harness").rglob("*.py"):
        yield path.read_text(encoding="utf-8")
