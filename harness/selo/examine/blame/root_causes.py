"""Groups differences by their cause, so that one wrong prize is one finding and not a thousand.

1. A cause is sought among the ways in which one provision alone could have been misread: a game in
   which just that provision is otherwise, and which answers as the vendor did, in every case that
   was kept as a sample and was wrong, and which leaves right what was right.
2. What explains only a part must be named in the derivations of that part.
   Where several provisions explain everything, those are left that leave right whatever was right
   in the whole plan (`refutation`); where several changes of one provision explain the
   same, the one is meant that would have been seen as often as it was (`kill_frequency`).
3. Another reading than the adopted one is blamed for all that is wrong, or for all of it that rests
   on the same, if it allows that; it is one that no right answer denies (`following`).
4. Each difference that is left is blamed on the provision that did in its derivation what came out
   wrong. If these are several, one provision on which all of them hang, and few right answers do,
   is blamed instead of them (`selo.examine.blame.common_cause`).
5. What looks open because some reading would have it so, and has a cause all the same, is not open.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from selo.examine.blame.common_cause import culprit
from selo.examine.blame.hypotheses import RANKS, answers_so, derived, explained
from selo.examine.blame.refutation import unrefuted
from selo.rules.mutants import UNRULY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from selo.cases import Case
    from selo.examine.blame.hypotheses import Explained, Kind, Sample, Suspect
    from selo.examine.blame.kill_frequency import Often
    from selo.examine.tally import Difference, Tally

    #: All cases of a game, each with its place in the plan; they are made when they are asked for.
    Planned = Callable[[], Iterable[tuple[int, Case]]]

#: So much of a kind of difference says of what bet it is, and with what results.
_RESULTS: Final = 4
_WIN: Final = "win"


@dataclass(frozen=True, kw_only=True)
class Besides:
    """What is known besides the answers that were wrong."""

    #: Some answers that were right.
    right: Sequence[Sample]
    #: Every case of the plan: most were answered rightly, and refute what explains too much.
    planned: Planned
    #: Tells apart what explains the same.
    often: Often | None = None


@dataclass(frozen=True, kw_only=True)
class Misreading:
    """How the law seems to have been misread: a game that answers so, or a reading not adopted."""

    words: str
    game: Any = field(default=None, compare=False, repr=False)
    point: tuple[str, str] | None = None


@dataclass(frozen=True, kw_only=True)
class Cause:
    """What lies behind one or more kinds of differences."""

    provisions: tuple[str, ...]
    kinds: tuple[Kind, ...]
    #: Each way of misreading that explains some of it, nothing where none is known.
    told: tuple[Misreading, ...] = ()

    @property
    def words(self) -> str:
        """The first way of misreading; it need not explain every kind."""
        return self.told[0].words if self.told else ""

    @property
    def games(self) -> tuple[Any, ...]:
        """The games that answer so, where some do."""
        return tuple(one.game for one in self.told if one.game is not None)


def causes(
    tally: Tally,
    variants: Iterable[Suspect],
    besides: Besides,
    points: Mapping[str, Sequence[str]],
) -> list[Cause]:
    """Return the causes of all differences of one game that are not only open or of form.

    `points` are the provisions of each open point: what is as another reading than the adopted one
    would have it is blamed on them.
    """
    left = {
        kind: difference
        for kind, difference in tally.differences.items()
        if not difference.open and not difference.lawless
    }
    if not left:
        return []
    whole = _against(left, points)
    if whole is not None:
        return [whole]
    suspects = list(variants)
    by_blame: dict[tuple[str, ...], _Blamed] = {}
    kept = _kept(left, suspects)
    if kept is not None:
        by_blame[kept.provisions] = _Blamed(kinds=list(kept.kinds))
        left = {kind: one for kind, one in left.items() if kind not in kept.kinds}
    for cause in _misread(tally, left, suspects, besides):
        by_blame.setdefault(cause.provisions, _Blamed()).take(cause)
        for kind in cause.kinds:
            del left[kind]
    broken = {name for provisions in by_blame for name in provisions}
    ruled = list(_against_rulings(left, points))
    against = {kind for cause in ruled for kind in cause.kinds}
    rest = {kind: one for kind, one in left.items() if kind not in against}
    # What little a reading explains may hang on the same provision as all the rest.
    much = sum(tally.times[kind] for kind in rest) > sum(tally.times[kind] for kind in against)
    shared = (
        culprit(tally, left, suspects, besides.right, broken) if against and rest and much else None
    )
    if shared is not None:
        ruled, rest = [Cause(provisions=(shared,), kinds=tuple(left))], {}
    broken |= {name for cause in ruled for name in cause.provisions}
    for cause in (*ruled, *_derived(tally, rest, suspects, besides.right, broken)):
        by_blame.setdefault(cause.provisions, _Blamed()).take(cause)
    _join_open(tally, by_blame)
    return [
        Cause(provisions=provisions, kinds=tuple(found.kinds), told=tuple(found.told))
        for provisions, found in by_blame.items()
    ]


@dataclass(slots=True)
class _Blamed:
    """What is blamed on the same provisions."""

    kinds: list[Kind] = field(default_factory=list)
    told: list[Misreading] = field(default_factory=list)

    def take(self, cause: Cause) -> None:
        self.kinds += cause.kinds
        self.told += cause.told

    @property
    def games(self) -> list[Any]:
        return [one.game for one in self.told if one.game is not None]


def _misread(
    tally: Tally,
    left: dict[Kind, Difference],
    suspects: list[Suspect],
    besides: Besides,
) -> Iterator[Cause]:
    """Yield what explains some kinds of differences exactly, those first that explain most."""
    named = {name for one in left.values() for name in one.provisions}
    # Those that the derivations name are tried first: compiling all the others takes seconds.
    found = explained(
        tally, left, [suspect for suspect in suspects if suspect.provision in named], besides.right
    )
    shared = _shared(tally, left, suspects)
    if not _all_explained(found, left):
        found += explained(tally, left, _displaced(shared, suspects), besides.right)
    if not _all_explained(found, left):
        rest = [suspect for suspect in suspects if suspect.provision not in named]
        found += explained(tally, left, rest, besides.right)
    # Another line than the one of every wrong comparison may explain some, and is not the cause,
    # unless it explains them all: it may have taken hands from the line on which they belong.
    found = [
        one
        for one in found
        if not (shared and one.suspect.line and one.suspect.provision not in shared)
        or len(one.kinds) == len(left)
    ]
    found = _without_refuted(tally, left, found, besides.planned)
    # What explains most comes first; then what explains most of what looks open; among
    # equals, what the derivations blame most often. Where two provisions say the same, both
    # explain it equally well, and both are broken.
    opened = {id(one): _opened(tally, left, one) for one in found}

    def strength(one: Explained) -> tuple[int, int, tuple[int, int]]:
        return one.weight, opened[id(one)], one.named

    found.sort(key=strength, reverse=True)
    taken: set[Kind] = set()
    if len(shared) == 1 and not _all_explained(found, left):
        # What explains some comparisons by another line says less than the line of all of them.
        taken = {kind for kind, one in left.items() if one.bet is None}
        yield Cause(provisions=tuple(shared), kinds=tuple(taken))
    for one in found:
        fresh = tuple(kind for kind in one.kinds if kind not in taken)
        if fresh:
            equals = [
                other
                for other in found
                if (strength(other), other.kinds) == (strength(one), one.kinds)
            ]
            taken.update(fresh)
            mine = [other for other in equals if other.suspect.provision == one.suspect.provision]
            meant = besides.often.nearest(mine, one.weight) if besides.often else one
            yield Cause(
                provisions=tuple(dict.fromkeys(other.suspect.provision for other in equals)),
                kinds=fresh,
                # The one that would have been seen as often as it was comes first.
                told=tuple(
                    Misreading(words=other.suspect.name, game=other.game)
                    for other in sorted(equals, key=lambda other: other is not meant)
                ),
            )  # fmt: skip


def _without_refuted(
    tally: Tally, left: Mapping[Kind, Difference], found: list[Explained], planned: Planned
) -> list[Explained]:
    """Return the same, without what explains everything and would have been seen elsewhere too."""
    whole = [one for one in found if len(one.kinds) == len(left)]
    if len({one.suspect.provision for one in whole}) <= 1:
        return found
    held = {id(one) for one in unrefuted(tally, whole, planned())}
    return [one for one in found if id(one) in held or len(one.kinds) < len(left)]


def _opened(tally: Tally, left: Mapping[Kind, Difference], one: Explained) -> int:
    """Return how much of what looks open follows as well from what explains all that is wrong."""
    if len(one.kinds) < len(left):
        return 0
    opened = [kind for kind, other in tally.differences.items() if other.open and not other.lawless]
    return sum(tally.times[kind] for kind in opened if _explains(one.game, tally.samples[kind]))


def _shared(tally: Tally, left: Mapping[Kind, Difference], suspects: Iterable[Suspect]) -> set[str]:
    """Return the lines of an order on which one hand of every wrong comparison stands.

    What some reading would allow counts as well, as far as it speaks of the same lines.
    """
    lines = {suspect.provision for suspect in suspects if suspect.line}
    wrong = [_lines(one) for one in left.values() if one.bet is None]
    if not wrong:
        return set()
    open_ones = [
        _lines(difference)
        for difference in tally.differences.values()
        if difference.bet is None and difference.open
    ]
    shared = lines.intersection(*wrong)
    return shared.intersection(*open_ones) or shared


def _lines(one: Difference) -> set[str]:
    return {name for name, role in one.reasons if role in RANKS}


def _displaced(shared: set[str], suspects: list[Suspect]) -> list[Suspect]:
    """Return some lines of an order, each at every other place of it."""
    found: dict[str, list[Suspect]] = {}
    for suspect in suspects:
        if suspect.provision in shared and not found.get(suspect.provision):
            found[suspect.provision] = list(suspect.displaced())
    return [moved for some in found.values() for moved in some]


def _all_explained(found: Iterable[Explained], left: Mapping[Kind, Difference]) -> bool:
    return any(len(one.kinds) == len(left) for one in found)


def _derived(
    tally: Tally,
    left: Mapping[Kind, Difference],
    suspects: list[Suspect],
    right: Sequence[Sample],
    broken: set[str],
) -> Iterator[Cause]:
    """Yield what the derivations blame, or one provision on which all of it hangs."""
    by_blame: dict[tuple[str, ...], list[Kind]] = {}
    for kind, one in left.items():
        by_blame.setdefault(derived(one), []).append(kind)
    if len(by_blame) > 1 or (by_blame and broken):
        provision = culprit(tally, left, suspects, right, broken)
        # What has one explanation needs another only if that is broken anyway.
        if provision is not None and (len(by_blame) > 1 or provision in broken):
            yield Cause(provisions=(provision,), kinds=tuple(left))
            return
    for provisions, kinds in by_blame.items():
        yield Cause(provisions=provisions, kinds=tuple(kinds))


def _kept(left: Mapping[Kind, Difference], suspects: Iterable[Suspect]) -> Cause | None:
    """Return what is blamed for stakes that won and were kept, where a provision speaks of them."""
    kinds = tuple(kind for kind, one in left.items() if _only_stake(one))
    provisions = tuple(dict.fromkeys(suspect.provision for suspect in suspects if suspect.keeps))
    return Cause(provisions=provisions, kinds=kinds) if kinds and provisions else None


def _only_stake(one: Difference) -> bool:
    """Return whether a bet won what it should, and its stake alone is not where it should be."""
    if one.bet is None or one.expected["result"] != _WIN:
        return False
    parts = ("result", "prize", "commission")
    return all(one.expected[part] == one.observed[part] for part in parts)


def _join_open(tally: Tally, by_blame: Mapping[tuple[str, ...], _Blamed]) -> None:
    """Add to each cause what looks open and follows from it as well."""
    opened = {
        kind: difference
        for kind, difference in tally.differences.items()
        if difference.open and not difference.lawless
    }
    for provisions, found in by_blame.items():
        results = {kind[:_RESULTS] for kind in found.kinds}
        named = {
            kind
            for kind, one in opened.items()
            if derived(one) == provisions
            or (kind[:_RESULTS] in results and {*provisions} <= {*one.provisions})
        }
        # A reading that is followed elsewhere too needs no other cause.
        elsewhere = {one.readings for kind, one in opened.items() if kind not in named}
        for kind, one in list(opened.items()):
            explained = any(_explains(game, tally.samples[kind]) for game in found.games)
            alone = kind in named and one.readings not in elsewhere
            if explained or (not found.games and alone):
                found.kinds.append(kind)
                del opened[kind]


def _explains(game: Any, samples: Iterable[Sample]) -> bool:
    try:
        return answers_so(game, samples)
    except UNRULY:
        return False


def _against_rulings(
    left: Mapping[Kind, Difference], points: Mapping[str, Sequence[str]]
) -> Iterator[Cause]:
    """Yield what is against a ruling: where a reading allows all that rests on the same."""
    alike: dict[tuple[str, ...], dict[Kind, Difference]] = {}
    for kind, one in left.items():
        alike.setdefault(derived(one), {})[kind] = one
    for some in alike.values():
        cause = _against(some, points)
        if cause is not None:
            yield cause


def _against(left: Mapping[Kind, Difference], points: Mapping[str, Sequence[str]]) -> Cause | None:
    """Return one reading that was not adopted and explains everything that is left, if any does."""
    every = [set(one.against) for one in left.values()]
    for point, reading in left[next(iter(left))].against if left else ():
        if all((point, reading) in some for some in every) and points.get(point):
            named = {name for one in left.values() for name in one.provisions}
            both = tuple(name for name in points[point] if name in named)
            return Cause(
                provisions=both or tuple(points[point]),
                kinds=tuple(left),
                told=(Misreading(words=f"{point}: {reading}", point=(point, reading)),),
            )
    return None
