"""Groups differences by their cause, so that one wrong prize is one finding and not a thousand.

A cause is sought among the ways in which one provision alone could have been misread: a game in
which just that provision is otherwise, and which answers as the vendor did, in every case that
was kept as a sample and was wrong, and in none that was right. Where nothing explains what is
left, differences are grouped by the provision that did in the derivation what came out wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

from selo.cases.blame import blamed
from selo.cases.expectation import lawful_under
from selo.errors import SeloError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from selo.cases.case import Case
    from selo.examine.tally import Difference, Tally

    Kind = tuple[Any, ...]
    #: A case, how it was answered, and which bet of it matters; nothing for all of it.
    Sample = tuple[Case, Any, int | None]


#: How a kind of difference is named that is no bet's.
_COMPARE: Final = "compare"


class Suspect(Protocol):
    """A way in which one provision may have been misread."""

    @property
    def provision(self) -> str:
        """The provision."""

    @property
    def name(self) -> str:
        """How it was misread, in words."""

    def bets(self) -> frozenset[str]:
        """Return the bets that can feel it."""

    def compile(self) -> Any:
        """Return the game that answers so, or raise if there is none."""


@dataclass(frozen=True, kw_only=True)
class Cause:
    """What lies behind one or more kinds of differences."""

    provisions: tuple[str, ...]
    #: How the provision seems to have been misread; nothing where that is not known.
    words: str
    kinds: tuple[Kind, ...]


def causes(
    tally: Tally,
    variants: Iterable[Suspect],
    right: Sequence[Sample] = (),
    points: Mapping[str, Sequence[str]] | None = None,
) -> list[Cause]:
    """Return the causes of all differences of one game that are not only open or of form.

    `points` are the provisions of each open point: what is as another reading than the adopted one
    would have it is blamed on them.
    """
    left = {
        kind: one for kind, one in tally.differences.items() if not one.open and not one.lawless
    }
    whole = _against(left, points or {})
    if whole is not None:
        return [whole]
    by_blame: dict[tuple[str, ...], tuple[str, list[Kind]]] = {}
    named = {name for one in left.values() for name in one.provisions}
    suspects = list(variants) if left else []
    # Those that the derivations name are tried first: compiling all the others takes seconds.
    found = _explained(tally, left, [one for one in suspects if one.provision in named], right)
    if left and not any(len(kinds) == len(left) for *_, kinds in found):
        rest = [one for one in suspects if one.provision not in named]
        found = found + _explained(tally, left, rest, right)
    # What explains most comes first; among equals, what the derivations name most often. Where
    # two provisions say the same, both explain it equally well, and both are broken.
    found.sort(key=lambda one: (-one[0], -one[1]))
    for weight, well, _, words, kinds in found:
        fresh = [kind for kind in kinds if kind in left]
        if fresh:
            equals = [one for one in found if one[:2] == (weight, well) and one[4] == kinds]
            provisions = tuple(dict.fromkeys(one[2] for one in equals))
            by_blame.setdefault(provisions, (words, []))[1].extend(fresh)
            for kind in fresh:
                del left[kind]
    # What nothing explains is against a ruling, or joins what rests on the same provision.
    for kind, one in list(left.items()):
        partly = _against({kind: one}, points or {})
        if partly is not None:
            by_blame.setdefault(partly.provisions, (partly.words, []))[1].append(kind)
            del left[kind]
    for kind, one in left.items():
        by_blame.setdefault(_blamed(one), ("", []))[1].append(kind)
    return [
        Cause(provisions=provisions, words=words, kinds=tuple(kinds))
        for provisions, (words, kinds) in by_blame.items()
    ]


def _against(left: Mapping[Kind, Difference], points: Mapping[str, Sequence[str]]) -> Cause | None:
    """Return one reading that was not adopted and explains everything that is left, if any does."""
    every = [set(one.against) for one in left.values()]
    for point, reading in left[next(iter(left))].against if left else ():
        if all((point, reading) in some for some in every) and points.get(point):
            named = {name for one in left.values() for name in one.provisions}
            both = tuple(name for name in points[point] if name in named)
            return Cause(
                provisions=both or tuple(points[point]),
                words=f"{point}: {reading}",
                kinds=tuple(left),
            )
    return None


def _explained(
    tally: Tally,
    left: dict[Kind, Difference],
    variants: Iterable[Suspect],
    right: Sequence[Sample],
) -> list[tuple[int, int, str, str, tuple[Kind, ...]]]:
    """Return what explains whole kinds of differences, with how many and how well named."""
    found = []
    bets = {kind[1] for kind in left}
    for variant in variants:
        if _COMPARE not in bets and not variant.bets() & bets:
            continue
        try:
            game = variant.compile()
            kinds = tuple(kind for kind in left if _answers_so(game, tally.samples[kind]))
            if len(kinds) < len(left):
                # What explains only a part must at least be named there: with several faults at
                # once, something or other explains nearly anything.
                kinds = tuple(kind for kind in kinds if variant.provision in left[kind].provisions)
            good = bool(kinds) and _answers_so(game, right)
        except (SeloError, ArithmeticError, LookupError, TypeError, ValueError):
            # Not every change of a rule makes a game, nor every such game an answer.
            continue
        if good:
            weight = sum(tally.times[kind] for kind in kinds)
            named = sum(variant.provision in left[kind].provisions for kind in kinds)
            found.append((weight, named, variant.provision, variant.name, kinds))
    return found


def _answers_so(game: Any, samples: Iterable[Sample]) -> bool:
    return all(lawful_under(game, case, answer, bet) for case, answer, bet in samples)


def _blamed(one: Difference) -> tuple[str, ...]:
    """Return the provisions that did in the derivation what came out wrong."""
    if one.bet is None:
        found = tuple(dict.fromkeys(name for name, role in one.reasons if role == "ranks"))
        return found or one.provisions
    return blamed(one.reasons, one.expected, one.observed)
