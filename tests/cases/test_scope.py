"""Nothing is asked that is not offered, and everything that is offered is asked."""

import itertools

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.games import GAMES

from selo.cases.generate.case_stream import list_groups, stream_cases
from selo.cases.oracle.case_oracle import Oracle
from selo.cases.scope import OfferedGame, Scope, offer_everything

MAIN = {"player", "banker", "tie"}
#: What each bet cannot be without: one of these must be offered too.
NEEDS = {
    "three-card-baccarat": {"tie": {"beat-banker"}},
    "fortune-three-card-poker": {"raise": {"ante"}},
    "bacara": dict.fromkeys(("player-pair", "banker-pair", "seven-dragon", "jackpot"), MAIN),
    "craps": {
        f"{line}-additional": {line} for line in ("pass-line", "come", "dont-pass", "dont-come")
    },
}


def part(values):
    """Some of some values, in their order."""
    masks = st.lists(st.booleans(), min_size=len(values), max_size=len(values))
    return masks.map(lambda mask: list(itertools.compress(values, mask)))


def scopes(whole):
    """Some of the methods, bets and options of a game."""
    options = st.fixed_dictionaries(
        {}, optional={name: part(values).filter(bool) for name, values in whole.options.items()}
    )
    return st.builds(
        lambda methods, bets, options: OfferedGame(
            game=whole.game, methods=frozenset(methods), bets=tuple(bets), options=options
        ),
        part(sorted(whole.methods)).filter(bool), part(whole.bets), options,
    )  # fmt: skip


def named(value):
    return value["modality"] if isinstance(value, dict) else value


def respects(case, offered):
    assert case.method in offered.methods
    for name, value in case.options.items():
        assert named(value) in offered.options[name], case
    for bet in case.bets:
        assert bet["bet"] in offered.bets, case
        needed = NEEDS.get(case.game, {}).get(bet["bet"])
        assert needed is None or needed & set(offered.bets), case
    if "jackpot" in case.options:
        assert any(bet["bet"] == "jackpot" for bet in case.bets), case


@pytest.mark.parametrize("examples", [6, pytest.param(150, marks=pytest.mark.full)])
@pytest.mark.parametrize("game", GAMES)
def test_a_case_asks_only_for_what_is_offered(law, game, examples):
    (whole,) = offer_everything(law, [game]).games

    @settings(
        max_examples=examples, deadline=None, derandomize=True, database=None,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(scopes(whole))
    def asks(offered):
        for _, group in list_groups(law, Scope(games=(offered,))):
            for case in itertools.islice(group.cases(), 40):
                respects(case, offered)

    asks()


def test_a_raise_is_not_asked_for_where_no_ante_is_offered(law):
    offered = OfferedGame(game="fortune-three-card-poker", bets=("raise", "pair-plus"))

    asked = {
        bet["bet"] for case in stream_cases(law, Scope(games=(offered,))) for bet in case.bets
    }  # fmt: skip

    assert asked == {"pair-plus"}


@pytest.mark.parametrize("game", GAMES)
def test_every_bet_choice_and_option_offered_is_asked_for_quickly(law, game):
    scope = offer_everything(law, [game])
    rules = Oracle(law).game(game).bets
    spots = {(name, one) for name, bet in rules.items() for one in bet.domain or (None,)}
    # A table of which nothing is said tells no positions apart.
    asked, used = set(), ({("positions", "flat")} if game == "craps" else set())

    for case in stream_cases(law, scope):
        asked |= {(bet["bet"], bet.get("choice")) for bet in case.bets}
        used |= {(name, named(value)) for name, value in case.options.items()}

    assert spots <= asked
    (whole,) = scope.games
    assert used == {(name, value) for name, values in whole.options.items() for value in values}


def test_an_option_with_many_values_is_tried_at_both_ends(law):
    offered = OfferedGame(
        game="three-card-baccarat", bets=("beat-banker",), options={"packs": range(2, 101)}
    )

    used = {
        case.options["packs"] for case in stream_cases(law, Scope(games=(offered,))) if case.options
    }

    assert {2, 100} <= used <= set(range(2, 101))
    assert len(used) < 10


def test_a_bet_that_is_offered_and_unknown_to_the_law_must_be_refused(law):
    offered = OfferedGame(game="craps", bets=("field", "place-on-8"))
    oracle = Oracle(law)

    asked = [
        case for case in stream_cases(law, Scope(games=(offered,))) if case.group == "unknown-bets"
    ]

    assert [bet["bet"] for case in asked for bet in case.bets] == ["place-on-8"]
    assert [one.result for case in asked for one in oracle.expected_settlements(case)] == [
        "refused"
    ]
