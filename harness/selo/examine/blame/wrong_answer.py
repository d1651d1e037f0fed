"""Wrong answers: samples of every kind of difference, and the provisions that prescribe the part.

Which provision says otherwise than what was done follows from the derivation of the lawful answer
and from the part that differs:

1. A prize: the provision that gives the prize; a commission: the one that charges it, or, where
   none is due, those that say for which bets one is.
2. A stake that is kept or returned, all else being right: for a bet that won, the provision on how
   odds are counted; for any other, the provision that gives the result.
3. A result: the provision that gives the result, or the cause of a refusal.
4. An order of two hands: the lines on which they stand.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from selo.cases import AnswerPart
from selo.cases.oracle import blame_provisions
from selo.cases.oracle.told_settlement import told_parts

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from selo.cases import Case
    from selo.cases.oracle import Oracle
    from selo.examine.tally import Difference, DifferenceKind, Tally

#: The roles of a line of an order in a derivation, of hands and of tiles.
RANK_ROLES: Final = frozenset({"ranks", "rank", "alike"})
_RECONSTRUCTED: Final = "reconstructed"
_COMMISSION: Final = AnswerPart.COMMISSION
_STAKE: Final = AnswerPart.STAKE
_WIN: Final = "win"
#: Samples that are examined: of all kinds together, and of a kind if there are many kinds.
_MAX_SAMPLES: Final = 400
_LEAST_PER_KIND: Final = 3
_MOST_PER_KIND: Final = 16


@dataclass(frozen=True, kw_only=True, slots=True)
class WrongAnswer:
    """One sample of a kind of difference."""

    kind: DifferenceKind
    case: Case
    answer: Any
    #: Which bet of the case; nothing for a comparison.
    bet: int | None
    lawful: Mapping[str, Any]
    observed: Mapping[str, Any]
    #: The provisions from which the lawful answer follows, each with what it does there.
    reasons: tuple[tuple[str, str], ...]
    #: The bets on which this one depends and that were settled wrongly in the same answer.
    leans_on: frozenset[str] = frozenset()

    @property
    def name(self) -> str | None:
        """The bet by its name; nothing for a comparison."""
        return None if self.bet is None else self.case.bets[self.bet]["bet"]

    @property
    def differing(self) -> frozenset[str]:
        """The parts that are wrong."""
        return frozenset(
            part for part, value in self.lawful.items() if self.observed[part] != value
        )

    @property
    def provisions(self) -> frozenset[str]:
        """The provisions from which the lawful answer follows."""
        return frozenset(provision for provision, _ in self.reasons)

    def ranks(self, lines: Collection[str]) -> frozenset[str]:
        """Return those of `lines` on which a hand of the case stands."""
        return frozenset(
            provision
            for provision, role in self.reasons
            if role in RANK_ROLES and provision in lines
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class PartRules:
    """The provisions on parts of settlements that no derivation names."""

    #: How odds are counted, and so what becomes of the stake of a winning bet.
    stakes: tuple[str, ...] = ()
    #: The provisions that charge a commission, with the bets that they charge.
    commissions: Mapping[str, frozenset[str]] = field(default_factory=dict)


def sample_wrong_answers(
    tally: Tally, kinds: Mapping[DifferenceKind, Difference]
) -> list[WrongAnswer]:
    """Return samples of every kind, spread over all that are kept."""
    most = max(_LEAST_PER_KIND, min(_MOST_PER_KIND, _MAX_SAMPLES // max(1, len(kinds))))
    return [
        build_wrong_answer(tally.oracle, kind, sample)
        for kind in kinds
        for sample in _spread(tally.samples[kind], most)
    ]


def _spread(samples: Sequence[Any], most: int) -> Sequence[Any]:
    """Return at most `most` samples: half of them the first, the others from all the rest."""
    if len(samples) <= most:
        return samples
    first, rest = most - most // 2, samples[most - most // 2 :]
    step = -(-len(rest) // (most // 2))
    return [*samples[:first], *rest[step - 1 :: step]]


def build_wrong_answer(
    oracle: Oracle, kind: DifferenceKind, sample: tuple[Case, Any, int | None]
) -> WrongAnswer:
    """Return a sample with its lawful answer and derivation."""
    case, answer, bet = sample
    reasons = tuple(
        (reason.provision, reason.role) for reason in oracle.derivation_of(case, bet or 0)
    )
    lawful: Mapping[str, Any]
    if bet is None:
        lawful, observed = {"order": oracle.compare(case)}, {"order": answer}
    else:
        observed = told_parts(answer[bet])
        lawful = oracle.expected_parts(case, bet, observed)
    return WrongAnswer(
        kind=kind, case=case, answer=answer, bet=bet, lawful=lawful, observed=observed,
        reasons=reasons,
        leans_on=frozenset() if bet is None else _spoilt_bases(oracle, case, answer, bet),
    )  # fmt: skip


def _spoilt_bases(oracle: Oracle, case: Case, answer: Any, bet: int) -> frozenset[str]:
    """Return the bets beside which a bet is placed, or to which it is added, that are wrong too."""
    rules = oracle.game(case.game).bets.get(case.bets[bet]["bet"])
    if rules is None:
        return frozenset()
    bases = {name for need in rules.needs for name in need.beside} | {rules.added_to}
    wrong = (case.bets[at]["bet"] for at in oracle.wrong_bets(case, answer) if at != bet)
    return frozenset(name for name in wrong if name in bases)


def prescribing_provisions(wrong: WrongAnswer, rules: PartRules) -> frozenset[str]:
    """Return the provisions that prescribe the part of an answer that is wrong."""
    # Reconstructed statements are not law, and nobody can break them.
    law = [(name, role) for name, role in wrong.reasons if role != _RECONSTRUCTED]
    if wrong.bet is None:
        ranks = frozenset(name for name, role in law if role in RANK_ROLES)
        return ranks or frozenset(name for name, _ in law)
    if wrong.differing == {_STAKE} and wrong.lawful.get("result") == _WIN and rules.stakes:
        return frozenset(rules.stakes)
    if wrong.differing == {_COMMISSION} and not any(role == _COMMISSION for _, role in law):
        charging = frozenset(_charging(rules, wrong.name))
        if charging:
            return charging
    return frozenset(blame_provisions(law, wrong.lawful, wrong.observed))


def blamed_provisions(difference: Difference) -> tuple[str, ...]:
    """Return the provisions that did in the derivation of a difference what came out wrong."""
    law = [(name, role) for name, role in difference.reasons if role != _RECONSTRUCTED]
    if difference.bet is None:
        # The order of the two hands makes no difference.
        ranks = {name for name, role in law if role in RANK_ROLES}
        return tuple(sorted(ranks)) or difference.provisions
    return blame_provisions(law, difference.expected, difference.observed)


def _charging(rules: PartRules, bet: str | None) -> Iterator[str]:
    """Yield the provisions that charge commission: on a bet, or, if none does, on any."""
    own = [name for name, bets in rules.commissions.items() if bet in bets]
    yield from own or rules.commissions
