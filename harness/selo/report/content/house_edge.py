"""House edges: exact from the law, beside what the vendor declares."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.errors import SeloError
from selo.law.spec_digest import spec_digest
from selo.report.model.report_model import HouseEdge
from selo.report.phrases.composition import join_words
from selo.rules.odds import Catalogue, percent
from selo.rules.readings import Readings
from selo.text import user_error
from selo.text.multilingual import Words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from selo.examine.plan import PlannedGame
    from selo.law.loader import Law
    from selo.report.content.observed_edge import ObservedEdges
    from selo.report.phrases import Labels
    from selo.rules.odds import Figure

    #: What the law prices alike: a bet, how it is played, and its edge.
    _Alike = tuple[str, str | None, Fraction]


class ExactOdds:
    """The exact odds of the games of one law, worked out once for each set of rulings."""

    def __init__(self, law: Law, rulings: Mapping[str, str]) -> None:
        self._law, self._rulings = law, dict(rulings)

    def of(self, game: str) -> tuple[Figure, ...]:
        """Return the odds of a game; none if it has no bets or they cannot be counted."""
        key = self._key(game)
        if key not in _KNOWN:
            if len(_KNOWN) >= _MOST_KNOWN:
                _KNOWN.clear()
            _KNOWN[key] = _count_figures(self._law, game, self._rulings)
        return _KNOWN[key]

    def learn(self, known: Mapping[str, tuple[Figure, ...]]) -> None:
        """Learn the odds of some games that another process worked out for the same law."""
        for game, figures in known.items():
            _KNOWN[self._key(game)] = figures

    def uncounted(self, games: Iterable[PlannedGame]) -> list[str]:
        """Return the games with bets whose odds cannot be counted under these rulings."""
        countable = Catalogue(self._law).games()
        return [
            game.game
            for game in games
            if game.bets and game.game in countable and not self.of(game.game)
        ]

    def _key(self, game: str) -> tuple[str, str, tuple[tuple[str, str], ...]]:
        return spec_digest(self._law), game, tuple(sorted(self._rulings.items()))


#: What was worked out: a law is named by its digest, so two that say the same are the same.
_KNOWN: Final[dict[tuple[str, str, tuple[tuple[str, str], ...]], tuple[Figure, ...]]] = {}
_MOST_KNOWN: Final = 64


def _count_figures(law: Law, game: str, rulings: Mapping[str, str]) -> tuple[Figure, ...]:
    catalogue = Catalogue(law)
    if game not in catalogue.games():
        return ()
    try:
        return tuple(catalogue.figures(game, Readings(law, dict(rulings))))
    except SeloError:
        # A reading under which the odds cannot be counted leaves the column empty.
        return ()


def compute_house_edges(
    odds: ExactOdds,
    names: Labels,
    games: Iterable[PlannedGame],
    declared: Mapping[str, Mapping[str, str]],
    observed: ObservedEdges | None = None,
) -> Iterator[HouseEdge]:
    """Yield the edge of every bet offered whose prize the law gives, alike choices together."""
    for game in games:
        declared_of_game = dict(declared.get(game.game, {}))
        choices_by_price = _group_alike(odds.of(game.game), game)
        observed_edges = (
            {} if observed is None else _observed_edges(observed, game.game, choices_by_price)
        )
        for (bet, manner, edge), choices in choices_by_price.items():
            label = _bet_label(names, game.game, bet, choices, manner)
            declared_edge = _find_declared(declared_of_game, bet, manner, list(map(str, choices)))
            observed_edge = observed_edges.get((bet, manner, edge))
            exact = HouseEdge(
                game=game.game,
                bet=bet,
                name=label.pt,
                exact=str(edge),
                decimal=percent(edge),
                declared=None,
                observed=None if observed_edge is None else percent(observed_edge),
                label=label,
                agrees=None,
            )
            yield with_declared_edge(exact, declared_edge)


def with_declared_edge(edge: HouseEdge, declared: str | None) -> HouseEdge:
    """Return an edge beside what is declared of it, and whether the two agree."""
    return msgspec.structs.replace(
        edge,
        declared=declared,
        agrees=None if declared is None else is_exact_edge(declared, Fraction(edge.exact)),
    )


def _group_alike(figures: Iterable[Figure], game: PlannedGame) -> dict[_Alike, list[Any]]:
    """Return the choices of each bet, manner and edge, as far as the vendor offers them."""
    offered = {str(value) for values in game.options.values() for value in values}
    regimes = {figure.bet for figure in figures if figure.manner in offered}
    alike: dict[_Alike, list[Any]] = {}
    for figure in figures:
        if not figure.priced or (game.bets and figure.bet not in game.bets):
            continue
        # Where the manners of a bet are regimes, those that nobody offers are left out.
        if figure.bet in regimes and figure.manner is not None and figure.manner not in offered:
            continue
        choices = alike.setdefault((figure.bet, figure.manner, figure.edge), [])
        if figure.choice is not None:
            choices.append(figure.choice)
    return alike


def _observed_edges(
    observed: ObservedEdges, game: str, together: Mapping[_Alike, list[Any]]
) -> dict[_Alike, Fraction]:
    """Return the edges in what was drawn, each over all choices that the law prices alike."""
    bets = [
        (alike, alike[0], choice)
        for alike, choices in together.items()
        # What a bettor does when the cards are seen is in no draw.
        if alike[1] is None
        for choice in choices or [None]
    ]
    edges_by_price: dict[_Alike, list[Fraction | None]] = {}
    edges = observed.edges(game, [(bet, choice) for _, bet, choice in bets])
    for (alike, _, _), edge in zip(bets, edges, strict=True):
        edges_by_price.setdefault(alike, []).append(edge)
    found = {}
    for alike, choices in edges_by_price.items():
        known = [one for one in choices if one is not None]
        if len(known) == len(choices):
            found[alike] = sum(known, Fraction(0)) / len(known)
    return found


def _bet_label(names: Labels, game: str, bet: str, choices: list[Any], manner: str | None) -> Words:
    details = [names.term(game, choice) for choice in choices]
    details += [] if manner is None else [names.term(game, manner)]
    name = names.term(game, bet)
    if not details:
        return name
    inside = join_words(details, pt=", ", zh="、")
    return Words(
        pt=f"{name.pt} ({inside.pt})",
        zh=f"{name.zh}（{inside.zh}）",
        en=f"{name.en} ({inside.en})",
    )


def _find_declared(
    declared: Mapping[str, str], bet: str, manner: str | None, choices: list[str]
) -> str | None:
    """Return what is declared of a bet, the most particular entry first."""
    for choice in choices:
        if f"{bet}/{choice}" in declared:
            return declared[f"{bet}/{choice}"]
    if manner is not None and f"{bet}/{manner}" in declared:
        return declared[f"{bet}/{manner}"]
    return declared.get(bet)


def parse_edge(text_given: str) -> Fraction:
    """Return a declared edge as a number: 0.0277, 2.77% or 1/36."""
    text = text_given.strip()
    try:
        if text.endswith("%"):
            return Fraction(text.removesuffix("%").strip().replace(",", ".")) / 100
        return Fraction(text.replace(",", "."))
    except (ValueError, ZeroDivisionError) as error:
        raise user_error("edge", given=text_given) from error


def is_exact_edge(declared: str, exact: Fraction) -> bool:
    """Return whether a declared edge is the exact one, to as many digits as it is written with."""
    value = parse_edge(declared)
    if "/" in declared:
        return value == exact
    digits_written = declared.strip().removesuffix("%").strip().replace(",", ".")
    digits = len(digits_written.partition(".")[2]) + (2 if declared.strip().endswith("%") else 0)
    return abs(value - exact) <= Fraction(1, 2 * 10**digits)
