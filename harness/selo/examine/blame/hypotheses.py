"""Ways in which one provision may have been misread, and which of them explain what is wrong.

A suspect is a game in which just one provision is otherwise. It explains a kind of difference if
it answers as the vendor did in every sample of it, and is believed only if it leaves right what
was right.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

from selo.cases.oracle import blamed, lawful_under
from selo.rules.mutants import UNRULY

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from selo.cases import Case
    from selo.examine.tally import Difference, Tally

    Kind = tuple[Any, ...]
    #: A case, how it was answered, and which bet of it matters; nothing for all of it.
    Sample = tuple[Case, Any, int | None]

#: How a kind of difference is named that is no bet's.
COMPARE: Final = "compare"
#: The role of a line of an order in a derivation, of hands and of tiles.
RANKS: Final = frozenset({"ranks", "rank", "alike"})
_RECONSTRUCTED: Final = "reconstructed"
#: One right case in so many is kept, and so many of each group of cases.
_EVERY: Final = 29
_EACH: Final = 60


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

    @property
    def keeps(self) -> bool:
        """Whether it is about what becomes of a stake that won."""

    @property
    def line(self) -> bool:
        """Whether it is about a line of an order."""

    def displaced(self) -> Iterable[Suspect]:
        """Return the same line of an order at every other place of it; nothing if it is none."""


class Right:
    """Some right answers of every group of cases: a supposed cause must leave them right."""

    every: Final = _EVERY

    def __init__(self) -> None:
        self.samples: list[Sample] = []
        self._groups: dict[str, int] = {}

    def wants(self, group: str, place: int = 0) -> bool:
        """Return whether the case at this place of the plan is kept if it is right."""
        return place % _EVERY == 0 and self._groups.get(group, 0) < _EACH

    def keep(self, group: str, sample: Sample) -> None:
        """Keep a right answer."""
        self.count(group)
        self.samples.append(sample)

    def count(self, group: str) -> None:
        """Count a right answer that somebody else keeps."""
        self._groups[group] = self._groups.get(group, 0) + 1


@dataclass(frozen=True, kw_only=True, slots=True)
class Explained:
    """A suspect that explains whole kinds of differences."""

    suspect: Suspect
    game: Any
    kinds: tuple[Kind, ...]
    #: How many differences these are; how many kinds of them are blamed on it by their derivation,
    #: and how many name it there.
    weight: int
    named: tuple[int, int]


def explained(
    tally: Tally,
    left: Mapping[Kind, Difference],
    suspects: Iterable[Suspect],
    right: Sequence[Sample],
) -> list[Explained]:
    """Return what explains whole kinds of differences and leaves right what was right."""
    found = []
    bets = {kind[1] for kind in left}
    laid = [(sample, frozenset(bet["bet"] for bet in sample[0].bets)) for sample in right]
    for suspect in suspects:
        reached = suspect.bets()
        if COMPARE not in bets and not reached & bets:
            continue
        try:
            game = suspect.compile()
            kinds = tuple(kind for kind in left if answers_so(game, tally.samples[kind]))
            if len(kinds) < len(left):
                # What explains only a part must at least be named there: with several faults at
                # once, something or other explains nearly anything.
                kinds = tuple(kind for kind in kinds if suspect.provision in left[kind].provisions)
            # What is not reached by a change comes out of it as before.
            felt = [
                sample
                for sample, names in laid
                if sample[0].method == COMPARE or not reached.isdisjoint(names)
            ]
            good = bool(kinds) and answers_so(game, _alike(felt, kinds))
        except UNRULY:
            # Not every change of a rule makes a game, nor every such game an answer.
            continue
        if good:
            found.append(
                Explained(
                    suspect=suspect, game=game, kinds=kinds,
                    weight=sum(tally.times[kind] for kind in kinds),
                    named=(
                        sum(suspect.provision in derived(left[kind]) for kind in kinds),
                        sum(suspect.provision in left[kind].provisions for kind in kinds),
                    ),
                )
            )  # fmt: skip
    return found


def _alike(right: Sequence[Sample], kinds: Iterable[Kind]) -> list[Sample]:
    """Return the right answers that speak for what is wrong: of comparisons, where only they are.

    A vendor may compare hands in another place than where it settles.
    """
    only = only_compares(kinds)
    return [one for one in right if not only or (one[2] is None and one[0].method == COMPARE)]


def only_compares(kinds: Iterable[Kind]) -> bool:
    """Return whether nothing but comparisons is wrong."""
    return all(kind[1] == COMPARE for kind in kinds)


def answers_so(game: Any, samples: Iterable[Sample]) -> bool:
    """Return whether a game answers every sample as it was answered."""
    return all(lawful_under(game, case, answer, bet) for case, answer, bet in samples)


def derived(one: Difference) -> tuple[str, ...]:
    """Return the provisions that did in the derivation what came out wrong."""
    # What is reconstructed is no law, and nobody can break it.
    law = [(name, role) for name, role in one.reasons if role != _RECONSTRUCTED]
    if one.bet is None:
        # Which of two hands is asked about first makes no difference.
        return tuple(sorted({name for name, role in law if role in RANKS})) or one.provisions
    return blamed(law, one.expected, one.observed)
