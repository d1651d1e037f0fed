"""House edges: exact from the law, beside what the vendor declares."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.errors import SeloError
from selo.law.spec_digest import spec_digest
from selo.report.model.report_model import HouseEdge
from selo.report.phrases.compose import joined
from selo.rules.odds import Catalogue, percent
from selo.rules.readings import Readings
from selo.text import wrong
from selo.text.multilingual import Words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from selo.examine.plan import PlannedGame
    from selo.law.loader import Law
    from selo.report.content.observed_edge import Observed
    from selo.report.phrases import Names
    from selo.rules.odds import Figure

    #: What the law prices alike: a bet, how it is played, and its edge.
    _Alike = tuple[str, str | None, Fraction]


class Odds:
    """The exact odds of the games of one law, worked out once for each set of rulings."""

    def __init__(self, law: Law, rulings: Mapping[str, str]) -> None:
        self._law, self._rulings = law, dict(rulings)

    def of(self, game: str) -> tuple[Figure, ...]:
        """Return the odds of a game; none if it has no bets or they cannot be counted."""
        key = self._key(game)
        if key not in _KNOWN:
            if len(_KNOWN) >= _MOST_KNOWN:
                _KNOWN.clear()
            _KNOWN[key] = _figures(self._law, game, self._rulings)
        return _KNOWN[key]

    def learn(self, known: Mapping[str, tuple[Figure, ...]]) -> None:
        """Learn the odds of some games that another process worked out for the same law."""
        for game, figures in known.items():
            _KNOWN[self._key(game)] = figures

    def uncounted(self, games: Iterable[PlannedGame]) -> list[str]:
        """Return the games with bets whose odds cannot be counted under these rulings."""
        known = Catalogue(self._law).games()
        return [
            game.game
            for game in games
            if game.bets and game.game in known and not self.of(game.game)
        ]

    def _key(self, game: str) -> tuple[str, str, tuple[tuple[str, str], ...]]:
        return spec_digest(self._law), game, tuple(sorted(self._rulings.items()))


#: What was worked out: a law is named by its digest, so two that say the same are the same.
_KNOWN: Final[dict[tuple[str, str, tuple[tuple[str, str], ...]], tuple[Figure, ...]]] = {}
_MOST_KNOWN: Final = 64


def _figures(law: Law, game: str, rulings: Mapping[str, str]) -> tuple[Figure, ...]:
    catalogue = Catalogue(law)
    if game not in catalogue.games():
        return ()
    try:
        return tuple(catalogue.figures(game, Readings(law, dict(rulings))))
    except SeloError:
        # A reading under which the odds cannot be counted leaves the column empty.
        return ()


def edges(
    odds: Odds,
    names: Names,
    games: Iterable[PlannedGame],
    declared: Mapping[str, Mapping[str, str]],
    observed: Observed | None = None,
) -> Iterator[HouseEdge]:
    """Yield the edge of every bet offered whose prize the law gives, alike choices together."""
    for game in games:
        said = dict(declared.get(game.game, {}))
        together = _together(odds.of(game.game), game)
        seen = {} if observed is None else _seen(observed, game.game, together)
        for (bet, manner, edge), choices in together.items():
            label = _label(names, game.game, bet, choices, manner)
            given = _declared(said, bet, manner, list(map(str, choices)))
            kept = seen.get((bet, manner, edge))
            exact = HouseEdge(
                game=game.game,
                bet=bet,
                name=label.pt,
                exact=str(edge),
                decimal=percent(edge),
                declared=None,
                observed=None if kept is None else percent(kept),
                label=label,
                agrees=None,
            )
            yield declaring(exact, given)


def declaring(edge: HouseEdge, given: str | None) -> HouseEdge:
    """Return an edge beside what is declared of it, and whether the two agree."""
    return msgspec.structs.replace(
        edge,
        declared=given,
        agrees=None if given is None else agrees(given, Fraction(edge.exact)),
    )


def _together(figures: Iterable[Figure], game: PlannedGame) -> dict[_Alike, list[Any]]:
    """Return the choices of each bet, manner and edge, as far as the vendor offers them."""
    offered = {str(one) for some in game.options.values() for one in some}
    regimes = {figure.bet for figure in figures if figure.manner in offered}
    found: dict[_Alike, list[Any]] = {}
    for figure in figures:
        if not figure.priced or (game.bets and figure.bet not in game.bets):
            continue
        # Where the manners of a bet are regimes, those that nobody offers are left out.
        if figure.bet in regimes and figure.manner is not None and figure.manner not in offered:
            continue
        choices = found.setdefault((figure.bet, figure.manner, figure.edge), [])
        if figure.choice is not None:
            choices.append(figure.choice)
    return found


def _seen(
    observed: Observed, game: str, together: Mapping[_Alike, list[Any]]
) -> dict[_Alike, Fraction]:
    """Return the edges in what was drawn, each over all choices that the law prices alike."""
    asked = [
        (alike, alike[0], choice)
        for alike, some in together.items()
        # What a bettor does when the cards are seen is in no draw.
        if alike[1] is None
        for choice in some or [None]
    ]
    each: dict[_Alike, list[Fraction | None]] = {}
    edges = observed.edges(game, [(bet, choice) for _, bet, choice in asked])
    for (alike, _, _), edge in zip(asked, edges, strict=True):
        each.setdefault(alike, []).append(edge)
    found = {}
    for alike, some in each.items():
        known = [one for one in some if one is not None]
        if len(known) == len(some):
            found[alike] = sum(known, Fraction(0)) / len(known)
    return found


def _label(names: Names, game: str, bet: str, choices: list[Any], manner: str | None) -> Words:
    told = [names.term(game, choice) for choice in choices]
    told += [] if manner is None else [names.term(game, manner)]
    name = names.term(game, bet)
    if not told:
        return name
    inside = joined(told, pt=", ", zh="、")
    return Words(
        pt=f"{name.pt} ({inside.pt})",
        zh=f"{name.zh}（{inside.zh}）",
        en=f"{name.en} ({inside.en})",
    )


def _declared(
    said: Mapping[str, str], bet: str, manner: str | None, choices: list[str]
) -> str | None:
    """Return what is declared of a bet, the most particular entry first."""
    for choice in choices:
        if f"{bet}/{choice}" in said:
            return said[f"{bet}/{choice}"]
    if manner is not None and f"{bet}/{manner}" in said:
        return said[f"{bet}/{manner}"]
    return said.get(bet)


def part(written: str) -> Fraction:
    """Return a declared edge as a number: 0.0277, 2.77% or 1/36."""
    text = written.strip()
    try:
        if text.endswith("%"):
            return Fraction(text.removesuffix("%").strip().replace(",", ".")) / 100
        return Fraction(text.replace(",", "."))
    except (ValueError, ZeroDivisionError) as error:
        raise wrong("edge", given=written) from error


def agrees(declared: str, exact: Fraction) -> bool:
    """Return whether a declared edge is the exact one, to as many digits as it is written with."""
    said = part(declared)
    if "/" in declared:
        return said == exact
    bare = declared.strip().removesuffix("%").strip().replace(",", ".")
    digits = len(bare.partition(".")[2]) + (2 if declared.strip().endswith("%") else 0)
    return abs(said - exact) <= Fraction(1, 2 * 10**digits)
