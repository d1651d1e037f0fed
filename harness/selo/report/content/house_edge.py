"""House edges: exact by the law, declared by the vendor, observed in draws."""

from __future__ import annotations

import re
from collections import Counter
from contextlib import contextmanager
from fractions import Fraction
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from selo.errors import SeloError, UsageError
from selo.law import compute_spec_digest
from selo.parallel import background_work
from selo.report.model.report_model import FRACTION_PATTERN, HouseEdge
from selo.report.phrases.composition import in_brackets, join_words
from selo.rules.odds import OddsCatalogue, format_percentage
from selo.rules.readings import Readings
from selo.text import user_error

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from selo.examine.plan import PlannedGame
    from selo.law import Law
    from selo.report.content.observed_edge import ObservedEdges
    from selo.report.phrases import Labels
    from selo.rules.odds import BetOdds
    from selo.text import Words

_MAX_EDITIONS_KEPT: Final = 16


class _Price(NamedTuple):
    """What choices with the same price share."""

    bet: str
    manner: str | None
    edge: Fraction


class ExactOdds:
    """The exact odds of the games under one set of rulings, each game computed once."""

    def __init__(self, law: Law, rulings: Mapping[str, str]) -> None:
        self._law, self._rulings = law, dict(rulings)
        self._figures = _shared_figures(compute_spec_digest(law), tuple(sorted(rulings.items())))

    def figures_of(self, game: str) -> tuple[BetOdds, ...]:
        """Return the odds of a game; none if it has no bets or they cannot be computed."""
        if game not in self._figures:
            self._figures[game] = _compute_figures(self._law, game, self._rulings)
        return self._figures[game]

    def list_declared_keys(self, game: PlannedGame) -> Iterator[tuple[str, Fraction]]:
        """Yield the key of each price in ``declared_edges`` of a dossier, and its exact edge.

        Prices that no key tells apart from another one of the same bet are left out.
        """
        prices = _choices_by_price(self.figures_of(game.game), game)
        bets = Counter(price.bet for price in prices)
        details = {
            price: _details(price, list(map(str, choices))) for price, choices in prices.items()
        }
        uses = Counter((price.bet, detail) for price in prices for detail in details[price])
        for price in prices:
            own = [detail for detail in details[price] if uses[price.bet, detail] == 1]
            if bets[price.bet] == 1:
                yield price.bet, price.edge
            elif own:
                yield f"{price.bet}/{own[0]}", price.edge

    @contextmanager
    def compute_meanwhile(self, games: Iterable[str]) -> Iterator[None]:
        """Compute the odds of games in another process during the block."""
        new = [game for game in games if game not in self._figures]
        if not new:
            yield
            return
        work = partial(_compute_all_figures, self._law, new, self._rulings)
        with background_work(work) as figures:
            yield
            self._figures.update(figures.result())

    def games_without_odds(self, games: Iterable[PlannedGame]) -> list[str]:
        """Return the games with bets whose odds cannot be computed under these rulings."""
        countable = OddsCatalogue(self._law).games()
        return [
            game.game
            for game in games
            if game.bets and game.game in countable and not self.figures_of(game.game)
        ]


@lru_cache(maxsize=_MAX_EDITIONS_KEPT)
def _shared_figures(
    digest: str,  # noqa: ARG001 - with the rulings it is the key
    rulings: tuple[tuple[str, str], ...],  # noqa: ARG001 - see above
) -> dict[str, tuple[BetOdds, ...]]:
    """Return the figures by game that all odds of one edition and its rulings share."""
    return {}


def _compute_figures(law: Law, game: str, rulings: Mapping[str, str]) -> tuple[BetOdds, ...]:
    catalogue = OddsCatalogue(law)
    if game not in catalogue.games():
        return ()
    try:
        return tuple(catalogue.figures(game, Readings(law, dict(rulings))))
    except SeloError:
        # A reading under which the odds cannot be computed leaves the column empty.
        return ()


def _compute_all_figures(
    law: Law, games: Iterable[str], rulings: Mapping[str, str]
) -> dict[str, tuple[BetOdds, ...]]:
    return {game: _compute_figures(law, game, rulings) for game in games}


def compute_house_edges(
    odds: ExactOdds,
    names: Labels,
    games: Iterable[PlannedGame],
    declared: Mapping[str, Mapping[str, str]],
    observed: ObservedEdges | None = None,
) -> Iterator[HouseEdge]:
    """Yield the edge of every bet offered whose prize the law sets, once for each price."""
    for game in games:
        declared_of_game = dict(declared.get(game.game, {}))
        choices_by_price = _choices_by_price(odds.figures_of(game.game), game)
        observed_edges = (
            {} if observed is None else _observed_edges(observed, game.game, choices_by_price)
        )
        for price, choices in choices_by_price.items():
            label = _bet_label(names, game.game, price, choices)
            declared_edge = _find_declared(declared_of_game, price, list(map(str, choices)))
            observed_edge = observed_edges.get(price)
            bets = [(price.bet, choice) for choice in choices or [None]]
            interval = (
                None
                if observed is None or observed_edge is None
                else observed.interval(game.game, bets)
            )
            exact = HouseEdge(
                game=game.game,
                bet=price.bet,
                name=label.pt,
                exact=str(price.edge),
                decimal=format_percentage(price.edge),
                declared=None,
                observed=None if observed_edge is None else format_percentage(observed_edge),
                label=label,
                agrees=None,
                interval=None
                if interval is None
                else (format_percentage(interval[0]), format_percentage(interval[1])),
            )
            yield with_declared_edge(exact, declared_edge)


def with_declared_edge(edge: HouseEdge, declared: str | None) -> HouseEdge:
    """Return an edge with the declared one, and whether the two agree."""
    return msgspec.structs.replace(
        edge,
        declared=declared,
        agrees=None if declared is None else is_exact_edge(declared, Fraction(edge.exact)),
    )


def _choices_by_price(figures: Iterable[BetOdds], game: PlannedGame) -> dict[_Price, list[Any]]:
    """Return the choices of each bet, manner and edge that the vendor offers."""
    offered = {str(value) for values in game.options.values() for value in values}
    regimes = {figure.bet for figure in figures if figure.manner in offered}
    alike: dict[_Price, list[Any]] = {}
    for figure in figures:
        if not figure.priced or (game.bets and figure.bet not in game.bets):
            continue
        # Where the manners of a bet are regimes, those that are not offered are left out.
        if figure.bet in regimes and figure.manner is not None and figure.manner not in offered:
            continue
        choices = alike.setdefault(_Price(figure.bet, figure.manner, figure.edge), [])
        if figure.choice is not None:
            choices.append(figure.choice)
    return alike


def _observed_edges(
    observed: ObservedEdges, game: str, choices_by_price: Mapping[_Price, list[Any]]
) -> dict[_Price, Fraction]:
    """Return the edges in the drawn outcomes, each over all choices with the same price."""
    bets = [
        (price, choice)
        for price, choices in choices_by_price.items()
        # Draws do not contain the decisions of a bettor who sees the cards.
        if price.manner is None
        for choice in choices or [None]
    ]
    edges_by_price: dict[_Price, list[Fraction | None]] = {}
    edges = observed.edges(game, [(price.bet, choice) for price, choice in bets])
    for (price, _), edge in zip(bets, edges, strict=True):
        edges_by_price.setdefault(price, []).append(edge)
    means = {}
    for price, observed_edges in edges_by_price.items():
        decided = [edge for edge in observed_edges if edge is not None]
        if len(decided) == len(observed_edges):
            means[price] = sum(decided, Fraction(0)) / len(decided)
    return means


def _bet_label(names: Labels, game: str, price: _Price, choices: list[Any]) -> Words:
    details = [names.term(game, choice) for choice in choices]
    details += [] if price.manner is None else [names.term(game, price.manner)]
    name = names.term(game, price.bet)
    return in_brackets(name, join_words(details, pt=", ", zh="、")) if details else name


def _find_declared(declared: Mapping[str, str], price: _Price, choices: list[str]) -> str | None:
    """Return the declared edge of a bet, from the most specific entry."""
    keys = [*(f"{price.bet}/{detail}" for detail in _details(price, choices)), price.bet]
    return next((declared[key] for key in keys if key in declared), None)


def _details(price: _Price, choices: list[str]) -> list[str]:
    """Return what may follow a bet in a key of ``declared_edges``."""
    return [*choices, *([] if price.manner is None else [price.manner])]


def parse_edge(declared: str) -> Fraction:
    """Return a declared edge as a number: 0.0277, 2.77% or 1/36."""
    text = declared.strip()
    if not re.search(FRACTION_PATTERN, text):
        # Python would also compute 1e999999999, digit by digit.
        raise user_error("edge", given=declared)
    try:
        if text.endswith("%"):
            return Fraction(text.removesuffix("%").strip().replace(",", ".")) / 100
        return Fraction(text.replace(",", "."))
    except (ValueError, ZeroDivisionError) as error:
        raise user_error("edge", given=declared) from error


def require_edges(declared: Mapping[str, Mapping[str, str]]) -> None:
    """Raise if some declared edges are not numbers, with all of them by key."""
    wrong = []
    for game, edges in declared.items():
        for bet, edge in edges.items():
            try:
                parse_edge(edge)
            except UsageError:
                wrong.append(f"declared_edges.{game}.{bet}: {edge}")
    if wrong:
        raise user_error("edge", given=", ".join(wrong))


def is_exact_edge(declared: str, exact: Fraction) -> bool:
    """Return whether a declared edge is the exact one, rounded to the digits it has."""
    value = parse_edge(declared)
    if "/" in declared:
        return value == exact
    number = declared.strip().removesuffix("%").strip().replace(",", ".")
    digits = len(number.partition(".")[2]) + (2 if declared.strip().endswith("%") else 0)
    return abs(value - exact) <= Fraction(1, 2 * 10**digits)
