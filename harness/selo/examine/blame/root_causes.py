"""Root causes: groups differences, so that one wrong prize is one finding and not a thousand.

1. A cause is sought among the mutants of single provisions: a mutant that answers as the vendor
   did in every wrong sample, and leaves right what was right.
2. A mutant that explains only a part must be named in the derivations of that part. Where mutants
   of several provisions explain everything, those that would have spoiled a right answer of the
   plan are dropped (`refutation`); where several mutants of one provision explain the same, the one
   is meant that would have been seen as often as the fault was (`kill_frequency`).
3. A reading against a ruling is blamed for all that is wrong, or for all that rests on the same
   provisions, if it allows that and no right answer contradicts it (`reading_inference`).
4. Each difference that is left is blamed on the provision that did in its derivation what came out
   wrong. If these are several, one provision on which all of them depend, and few right answers do,
   is blamed instead (`common_cause`).
5. A difference that some reading allows is not open if one of these causes explains it as well.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from selo.examine.blame.common_cause import find_common_cause
from selo.examine.blame.hypotheses import (
    RANK_ROLES,
    blamed_provisions,
    find_explanations,
    reproduces,
)
from selo.examine.blame.refutation import drop_refuted
from selo.rules.mutants import ANSWER_ERRORS, Cause, cause_of_reading

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from selo.cases import Case
    from selo.examine.blame.hypotheses import Explanation, Hypothesis, Sample
    from selo.examine.blame.kill_frequency import KillFrequency
    from selo.examine.tally import Difference, DifferenceKind, Tally

    #: Generates all cases of a game, each with its place in the plan.
    Planned = Callable[[], Iterable[tuple[int, Case]]]
    Differences = Mapping[DifferenceKind, Difference]

_WIN: Final = "win"


@dataclass(frozen=True, kw_only=True)
class BlameContext:
    """What is known besides the wrong answers."""

    #: Some right answers.
    right: Sequence[Sample]
    #: Every case of the plan: the right answers among them refute a cause that explains too much.
    planned: Planned
    #: Ranks causes that explain the same.
    kill_frequency: KillFrequency | None = None


@dataclass(frozen=True, kw_only=True)
class Misreading:
    """A cause, with the mutant that answers so or the reading that allows it."""

    cause: Cause
    game: Any = field(default=None, compare=False, repr=False)
    point: tuple[str, str] | None = None


@dataclass(frozen=True, kw_only=True)
class RootCause:
    """What lies behind one or more kinds of differences."""

    provisions: tuple[str, ...]
    kinds: tuple[DifferenceKind, ...]
    #: Each misreading that explains some of the kinds; none where the cause is not known.
    misreadings: tuple[Misreading, ...] = ()

    @property
    def games(self) -> tuple[Any, ...]:
        """The mutants that answer so."""
        return tuple(
            misreading.game for misreading in self.misreadings if misreading.game is not None
        )


def find_root_causes(
    tally: Tally,
    hypotheses: Iterable[Hypothesis],
    context: BlameContext,
    points: Mapping[str, Sequence[str]],
) -> list[RootCause]:
    """Return the causes of all differences of one game that break the law under every reading.

    `points` holds the provisions of each open point; they are blamed for an answer that follows
    another reading of the point than the adopted one.
    """
    left = {
        kind: difference
        for kind, difference in tally.differences.items()
        if not difference.open and not difference.lawless
    }
    if not left:
        return []
    whole = _blame_reading(left, points)
    if whole is not None:
        return [whole]
    candidates = list(hypotheses)
    by_blame: dict[tuple[str, ...], _BlamedKinds] = {}
    kept = _blame_kept_stakes(left, candidates)
    if kept is not None:
        by_blame[kept.provisions] = _BlamedKinds(kinds=list(kept.kinds))
        left = {kind: left[kind] for kind in left if kind not in kept.kinds}
    for cause in _find_misreadings(tally, left, candidates, context):
        by_blame.setdefault(cause.provisions, _BlamedKinds()).add(cause)
        for kind in cause.kinds:
            del left[kind]
    broken = {name for provisions in by_blame for name in provisions}
    ruled = list(_blame_readings(left, points))
    against = {kind for cause in ruled for kind in cause.kinds}
    rest = {kind: left[kind] for kind in left if kind not in against}
    # The little that a reading explains may depend on the same provision as all the rest.
    much = sum(tally.times[kind] for kind in rest) > sum(tally.times[kind] for kind in against)
    shared = (
        find_common_cause(tally, left, candidates, context.right, broken)
        if against and rest and much
        else None
    )
    if shared is not None:
        ruled, rest = [RootCause(provisions=(shared,), kinds=tuple(left))], {}
    broken |= {name for cause in ruled for name in cause.provisions}
    for cause in (*ruled, *_blame_derivations(tally, rest, candidates, context.right, broken)):
        by_blame.setdefault(cause.provisions, _BlamedKinds()).add(cause)
    _join_open(tally, by_blame)
    return [
        RootCause(
            provisions=provisions,
            kinds=tuple(blamed.kinds),
            misreadings=tuple(blamed.misreadings),
        )
        for provisions, blamed in by_blame.items()
    ]


@dataclass(slots=True)
class _BlamedKinds:
    """The kinds of differences that are blamed on the same provisions."""

    kinds: list[DifferenceKind] = field(default_factory=list)
    misreadings: list[Misreading] = field(default_factory=list)

    def add(self, cause: RootCause) -> None:
        self.kinds += cause.kinds
        self.misreadings += cause.misreadings

    @property
    def games(self) -> list[Any]:
        return [misreading.game for misreading in self.misreadings if misreading.game is not None]


def _find_misreadings(
    tally: Tally,
    left: dict[DifferenceKind, Difference],
    candidates: list[Hypothesis],
    context: BlameContext,
) -> Iterator[RootCause]:
    """Yield the mutants that explain some kinds of differences exactly, best explanation first."""
    named = {name for difference in left.values() for name in difference.provisions}
    # Those that the derivations name are tried first: compiling all the others takes seconds.
    likely = [candidate for candidate in candidates if candidate.provision in named]
    explanations = find_explanations(tally, left, likely, context.right)
    shared = _shared_lines(tally, left, candidates)
    if not _explains_all(explanations, left):
        moved = _displaced_lines(shared, candidates)
        explanations += find_explanations(tally, left, moved, context.right)
    if not _explains_all(explanations, left):
        rest = [candidate for candidate in candidates if candidate.provision not in named]
        explanations += find_explanations(tally, left, rest, context.right)
    # Another line than the one of every wrong comparison may explain some, and is not the cause,
    # unless it explains them all: it may have taken hands from the line on which they belong.
    explanations = [
        explanation
        for explanation in explanations
        if not (
            shared
            and explanation.hypothesis.is_line
            and explanation.hypothesis.provision not in shared
        )
        or len(explanation.kinds) == len(left)
    ]
    explanations = _drop_refuted(tally, left, explanations, context.planned)
    # Rank by explained differences, then by explained open differences, then by how often the
    # derivations blame the provision. Where two provisions say the same, both explain it equally
    # well, and both are broken.
    opened = {
        id(explanation): _explained_open(tally, left, explanation) for explanation in explanations
    }

    def strength(explanation: Explanation) -> tuple[int, int, tuple[int, int]]:
        return explanation.weight, opened[id(explanation)], explanation.named

    explanations.sort(key=strength, reverse=True)
    taken: set[DifferenceKind] = set()
    if len(shared) == 1 and not _explains_all(explanations, left):
        # The line of all wrong comparisons says more than another line that explains some.
        taken = {kind for kind, difference in left.items() if difference.bet is None}
        yield RootCause(provisions=tuple(shared), kinds=tuple(taken))
    for best in explanations:
        fresh = tuple(kind for kind in best.kinds if kind not in taken)
        if fresh:
            equals = [
                other
                for other in explanations
                if (strength(other), other.kinds) == (strength(best), best.kinds)
            ]
            taken.update(fresh)
            yield RootCause(
                provisions=tuple(dict.fromkeys(other.hypothesis.provision for other in equals)),
                kinds=fresh,
                misreadings=_rank_equals(best, equals, context.kill_frequency),
            )


def _rank_equals(
    best: Explanation, equals: Sequence[Explanation], frequency: KillFrequency | None
) -> tuple[Misreading, ...]:
    """Return explanations of the same, first the one that is seen as often as the fault was."""
    own = [other for other in equals if other.hypothesis.provision == best.hypothesis.provision]
    nearest = frequency.nearest(own, best.weight) if frequency else best
    return tuple(
        Misreading(cause=explanation.hypothesis.cause, game=explanation.game)
        for explanation in sorted(equals, key=lambda explanation: explanation is not nearest)
    )


def _drop_refuted(
    tally: Tally, left: Differences, explanations: list[Explanation], planned: Planned
) -> list[Explanation]:
    """Drop the explanations of everything that a right answer of the plan refutes."""
    whole = [explanation for explanation in explanations if len(explanation.kinds) == len(left)]
    if len({explanation.hypothesis.provision for explanation in whole}) <= 1:
        return explanations
    upheld = {id(explanation) for explanation in drop_refuted(tally, whole, planned())}
    return [
        explanation
        for explanation in explanations
        if id(explanation) in upheld or len(explanation.kinds) < len(left)
    ]


def _explained_open(tally: Tally, left: Differences, explanation: Explanation) -> int:
    """Return how many open differences an explanation of everything explains as well."""
    if len(explanation.kinds) < len(left):
        return 0
    return sum(
        tally.times[kind]
        for kind in _open_differences(tally)
        if _explains(explanation.game, tally.samples[kind])
    )


def _open_differences(tally: Tally) -> dict[DifferenceKind, Difference]:
    return {
        kind: difference
        for kind, difference in tally.differences.items()
        if difference.open and not difference.lawless
    }


def _shared_lines(tally: Tally, left: Differences, candidates: Iterable[Hypothesis]) -> set[str]:
    """Return the lines of an order on which one hand of every wrong comparison stands.

    Comparisons that some reading allows count as well, as far as they concern the same lines.
    """
    lines = {candidate.provision for candidate in candidates if candidate.is_line}
    wrong = [_lines_of(difference) for difference in left.values() if difference.bet is None]
    if not wrong:
        return set()
    allowed = [
        _lines_of(difference)
        for difference in tally.differences.values()
        if difference.bet is None and difference.open
    ]
    shared = lines.intersection(*wrong)
    return shared.intersection(*allowed) or shared


def _lines_of(difference: Difference) -> set[str]:
    return {name for name, role in difference.reasons if role in RANK_ROLES}


def _displaced_lines(shared: set[str], candidates: list[Hypothesis]) -> list[Hypothesis]:
    """Return some lines of an order, each at every other place of the order."""
    displaced: dict[str, list[Hypothesis]] = {}
    for candidate in candidates:
        if candidate.provision in shared and not displaced.get(candidate.provision):
            displaced[candidate.provision] = list(candidate.displaced())
    return [moved for lines in displaced.values() for moved in lines]


def _explains_all(explanations: Iterable[Explanation], left: Differences) -> bool:
    return any(len(explanation.kinds) == len(left) for explanation in explanations)


def _blame_derivations(
    tally: Tally,
    left: Differences,
    candidates: list[Hypothesis],
    right: Sequence[Sample],
    broken: set[str],
) -> Iterator[RootCause]:
    """Yield what the derivations blame, or one provision on which all of it depends."""
    by_blame: dict[tuple[str, ...], list[DifferenceKind]] = {}
    for kind, difference in left.items():
        by_blame.setdefault(blamed_provisions(difference), []).append(kind)
    if len(by_blame) > 1 or (by_blame and broken):
        provision = find_common_cause(tally, left, candidates, right, broken)
        # A single explanation is replaced only by a provision that is broken anyway.
        if provision is not None and (len(by_blame) > 1 or provision in broken):
            yield RootCause(provisions=(provision,), kinds=tuple(left))
            return
    for provisions, kinds in by_blame.items():
        yield RootCause(provisions=provisions, kinds=tuple(kinds))


def _blame_kept_stakes(left: Differences, candidates: Iterable[Hypothesis]) -> RootCause | None:
    """Return the provisions on stakes that won, if such stakes were kept."""
    kinds = tuple(kind for kind, difference in left.items() if _differs_in_stake(difference))
    provisions = tuple(
        dict.fromkeys(candidate.provision for candidate in candidates if candidate.is_stake_rule)
    )
    return RootCause(provisions=provisions, kinds=kinds) if kinds and provisions else None


def _differs_in_stake(difference: Difference) -> bool:
    """Return whether a bet won what it should, and only its stake is not where it should be."""
    if difference.bet is None or difference.expected.get("result") != _WIN:
        return False
    if "stake" not in difference.observed:
        return False
    parts = ("result", "prize", "commission")
    return all(difference.expected[part] == difference.observed[part] for part in parts)


def _join_open(tally: Tally, by_blame: Mapping[tuple[str, ...], _BlamedKinds]) -> None:
    """Add to each cause the open differences that it explains as well."""
    opened = _open_differences(tally)
    for provisions, blamed in by_blame.items():
        results = {kind.shape.results for kind in blamed.kinds}
        named = {
            kind
            for kind, difference in opened.items()
            if blamed_provisions(difference) == provisions
            or (kind.shape.results in results and {*provisions} <= {*difference.provisions})
        }
        # A reading that is followed elsewhere too needs no other cause.
        elsewhere = {
            difference.readings for kind, difference in opened.items() if kind not in named
        }
        for kind, difference in list(opened.items()):
            explained = any(_explains(game, tally.samples[kind]) for game in blamed.games)
            alone = kind in named and difference.readings not in elsewhere
            if explained or (not blamed.games and alone):
                blamed.kinds.append(kind)
                del opened[kind]


def _explains(game: Any, samples: Iterable[Sample]) -> bool:
    try:
        return reproduces(game, samples)
    except ANSWER_ERRORS:
        return False


def _blame_readings(left: Differences, points: Mapping[str, Sequence[str]]) -> Iterator[RootCause]:
    """Yield the readings against a ruling that allow all that rests on the same provisions."""
    alike: dict[tuple[str, ...], dict[DifferenceKind, Difference]] = {}
    for kind, difference in left.items():
        alike.setdefault(blamed_provisions(difference), {})[kind] = difference
    for differences in alike.values():
        cause = _blame_reading(differences, points)
        if cause is not None:
            yield cause


def _blame_reading(left: Differences, points: Mapping[str, Sequence[str]]) -> RootCause | None:
    """Return one reading against a ruling that allows everything that is left, if there is one."""
    allowing = [set(difference.against) for difference in left.values()]
    for point, reading in left[next(iter(left))].against if left else ():
        if all((point, reading) in readings for readings in allowing) and points.get(point):
            named = {name for difference in left.values() for name in difference.provisions}
            both = tuple(name for name in points[point] if name in named)
            provisions = both or tuple(points[point])
            cause = cause_of_reading(provisions[0], point, reading)
            return RootCause(
                provisions=provisions,
                kinds=tuple(left),
                misreadings=(Misreading(cause=cause, point=(point, reading)),),
            )
    return None
