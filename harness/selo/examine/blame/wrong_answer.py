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

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from selo.cases import AnswerPart
from selo.cases.oracle import blame_provisions
from selo.cases.oracle.told_settlement import told_parts
from selo.examine.tally import COMPARE, Difference, DifferenceShape, settlement_shape
from selo.rules.clauses import clause_models as c
from selo.rules.clauses.clause_models import WILDCARD

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from selo.cases import Case
    from selo.cases.oracle import Oracle
    from selo.examine.blame.hypotheses import Hypothesis
    from selo.examine.tally import DifferenceKind, Tally

#: The roles of a line of an order in a derivation, of hands and of tiles.
RANK_ROLES: Final = frozenset({"ranks", "rank", "alike"})
_RECONSTRUCTED: Final = "reconstructed"
_PRIZE: Final = AnswerPart.PRIZE
_COMMISSION: Final = AnswerPart.COMMISSION
_STAKE: Final = AnswerPart.STAKE
_RESULT: Final = "result"
_WIN: Final = "win"
_WINNING_ROLES: Final = frozenset({_WIN, _PRIZE.value})
#: Samples that are examined: of all kinds together, and of a kind if there are many kinds.
_MAX_SAMPLES: Final = 400
_LEAST_PER_KIND: Final = 3
_MOST_PER_KIND: Final = 16
#: Unexplained answers that join the samples at once.
_MAX_MORE: Final = 120


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
    #: The bets on which this one depends: it is placed beside them, or added to them.
    bases: frozenset[str] = frozenset()
    #: Those of them whose result is wrong in the same answer, if the own result is wrong too.
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


class ComparedAnswer(NamedTuple):
    """A wrong answer of the plan, and whether it is explained."""

    place: int
    case: Case
    #: Which bet of the case; of a comparison, the first.
    bet: int
    #: What was answered; nothing if that was not kept.
    observed: Mapping[str, Any] | None
    is_explained: bool
    #: All wrong answers to the case.
    answers: Sequence[tuple[int, Mapping[str, Any] | None]] = ()


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
    most = max(1, min(_MOST_PER_KIND, _MAX_SAMPLES // max(1, len(kinds))))
    return [
        build_wrong_answer(tally.oracle, kind, sample)
        for kind in kinds
        for sample in _spread(tally.samples[kind], most)
    ]


def _spread(samples: Sequence[Any], most: int) -> Sequence[Any]:
    """Return at most `most` samples: half of them the first, the others from all the rest."""
    if len(samples) <= most:
        return samples
    later = most // 2
    first, rest = samples[: most - later], samples[most - later :]
    step = -(-len(rest) // later) if later else 1
    return [*first, *rest[step - 1 :: step][:later]]


def sample_unexplained(
    tally: Tally,
    answers: Iterable[ComparedAnswer],
    kinds: Mapping[DifferenceKind, Difference],
    known: Iterable[WrongAnswer],
) -> list[WrongAnswer]:
    """Return some unexplained answers of every description, none of which is known."""
    seen = {(msgspec.json.encode(answer.case.params()), answer.bet) for answer in known}
    times: Counter[Any] = Counter()
    samples: list[WrongAnswer] = []
    for answer in answers:
        if answer.is_explained or answer.observed is None:
            continue
        case, bet = answer.case, None if answer.case.method == "compare" else answer.bet
        shape, description = _describe(tally.oracle, case, bet, answer.observed)
        if times[shape, description] >= _LEAST_PER_KIND or len(samples) >= _MAX_MORE:
            continue
        times[shape, description] += 1
        if (msgspec.json.encode(case.params()), bet) in seen:
            continue
        kind = _find_kind(tally.oracle, shape, case, answer.bet, kinds)
        if kind is not None:
            given = _restore_answer(tally, case, answer)
            samples.append(build_wrong_answer(tally.oracle, kind, (case, given, bet)))
    return samples


def _describe(
    oracle: Oracle, case: Case, bet: int | None, observed: Mapping[str, Any]
) -> tuple[DifferenceShape, str]:
    if bet is None:
        order = str(oracle.compare(case))
        shape = DifferenceShape(case.game, COMPARE, order, observed["order"])
        return shape, ""
    lawful = oracle.expected_parts(case, bet, observed)
    placed = case.bets[bet]
    shape = settlement_shape(case.game, placed["bet"], lawful, observed)
    return shape, Difference.describe_settlement(placed, lawful, observed)


def _find_kind(
    oracle: Oracle,
    shape: DifferenceShape,
    case: Case,
    bet: int,
    kinds: Iterable[DifferenceKind],
) -> DifferenceKind | None:
    """Return the kind of an answer: of the same shape and, if there is one, the same grounds."""
    alike = [kind for kind in kinds if kind.shape == shape]
    reasons = {reason.provision for reason in oracle.derivation_of(case, bet)} if alike else set()
    return next((kind for kind in alike if kind.grounds.provisions == reasons), None) or next(
        iter(alike), None
    )


def _restore_answer(tally: Tally, case: Case, answer: ComparedAnswer) -> Any:
    """Return the whole answer to a case: what was wrong as it was kept, the rest lawful."""
    lawful = tally.oracle.answer(case)
    if answer.observed is None or isinstance(lawful, str) or lawful is None:
        return None if answer.observed is None else answer.observed["order"]
    for bet, observed in answer.answers:
        if observed is not None:
            lawful[bet] = type(lawful[bet])(**observed)
    return lawful


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
    bases: frozenset[str] = frozenset()
    leans_on = bases
    if bet is not None:
        bases = _bases_of(oracle, case, bet)
        if bases and _differs_in_result(lawful, observed):
            leans_on = bases & frozenset(
                case.bets[at]["bet"]
                for at in oracle.wrong_bets(case, answer)
                if at != bet and _has_wrong_result(oracle, case, at, told_parts(answer[at]))
            )
    return WrongAnswer(
        kind=kind, case=case, answer=answer, bet=bet, lawful=lawful, observed=observed,
        reasons=reasons, bases=bases, leans_on=leans_on,
    )  # fmt: skip


def _has_wrong_result(oracle: Oracle, case: Case, bet: int, told: Mapping[str, Any]) -> bool:
    return _differs_in_result(oracle.expected_parts(case, bet, told), told)


def _differs_in_result(lawful: Mapping[str, Any], observed: Mapping[str, Any]) -> bool:
    """Return whether the result is another; where none is told, whatever differs may show it."""
    parts = [_RESULT] if _RESULT in lawful else [*lawful]
    return any(lawful[part] != observed[part] for part in parts)


def _bases_of(oracle: Oracle, case: Case, bet: int) -> frozenset[str]:
    """Return the bets beside which a bet is placed, or to which it is added."""
    rules = oracle.game(case.game).bets.get(case.bets[bet]["bet"])
    if rules is None:
        return frozenset()
    added = frozenset() if rules.added_to is None else frozenset({rules.added_to})
    return added | {name for need in rules.needs for name in need.beside}


def prescribing_provisions(wrong: WrongAnswer, rules: PartRules) -> frozenset[str]:
    """Return the provisions that prescribe the part of an answer that is wrong."""
    # Reconstructed statements are not law, and nobody can break them.
    law = [(name, role) for name, role in wrong.reasons if role != _RECONSTRUCTED]
    if wrong.bet is None:
        ranks = frozenset(name for name, role in law if role in RANK_ROLES)
        return ranks or frozenset(name for name, _ in law)
    return _prescribe_settlement(law, str(wrong.name), (wrong.lawful, wrong.observed), rules)


def _prescribe_settlement(
    law: Sequence[tuple[str, str]],
    bet: str,
    parts: tuple[Mapping[str, Any], Mapping[str, Any]],
    rules: PartRules,
) -> frozenset[str]:
    """Return the same of a bet, from the lawful and the observed parts."""
    lawful, observed = parts
    differing = {part for part, value in lawful.items() if observed[part] != value}
    if differing == {_STAKE} and lawful.get(_RESULT) == _WIN and rules.stakes:
        return frozenset(rules.stakes)
    if differing == {_COMMISSION} and not any(role == _COMMISSION for _, role in law):
        charging = frozenset(_charging(rules, bet))
        if charging:
            return charging
    return frozenset(blame_provisions(law, lawful, observed))


def list_prescribers(oracle: Oracle, answer: ComparedAnswer, rules: PartRules) -> Iterator[str]:
    """Yield the provisions that prescribe any part of an answer that is wrong.

    Amounts beside a right result are looked at one by one. To a prize of a bet that did not win the
    whole derivation contributes: a vendor that pays it may hold that the bet won. To the stake of a
    winner, whoever has it win and whoever gives its prize contribute. Of an answer that was not
    kept, every part may be wrong.
    """
    case, bet, observed = answer.case, answer.bet, answer.observed
    reasons = [(reason.provision, reason.role) for reason in oracle.derivation_of(case, bet)]
    law = [(name, role) for name, role in reasons if role != _RECONSTRUCTED]
    if observed is None:
        yield from (name for name, _ in law)
    elif case.method == "compare":
        ranks = [name for name, role in law if role in RANK_ROLES]
        yield from ranks or (name for name, _ in law)
    else:
        name = str(case.bets[bet]["bet"])
        lawful = oracle.expected_parts(case, bet, observed)
        differing = [part for part, value in lawful.items() if observed[part] != value]
        if _RESULT in differing or _RESULT not in lawful:
            yield from _prescribe_settlement(law, name, (lawful, observed), rules)
            return
        for part in differing:
            given = {**lawful, part: observed[part]}
            yield from _prescribe_settlement(law, name, (lawful, given), rules)
            if part == _PRIZE and not any(role == _PRIZE for _, role in law):
                yield from (provision for provision, _ in law)
            if part == _STAKE and lawful[_RESULT] == _WIN:
                # No text says in so many words that a stake goes back to its winner.
                yield from (provision for provision, role in law if role in _WINNING_ROLES)


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


def find_part_rules(hypotheses: Iterable[Hypothesis]) -> PartRules:
    """Return the provisions on stakes and commissions, from the clauses that mutants change."""
    stakes: dict[str, None] = {}
    commissions: dict[str, frozenset[str]] = {}
    for hypothesis in hypotheses:
        if isinstance(hypothesis.was, c.MannerClause) and hypothesis.was.counts_odds:
            stakes[hypothesis.provision] = None
        if isinstance(hypothesis.was, c.Commission):
            names = frozenset(c.list_names(hypothesis.was.commission)) - {WILDCARD}
            commissions[hypothesis.provision] = names | commissions.get(
                hypothesis.provision, frozenset()
            )
    return PartRules(stakes=tuple(stakes), commissions=commissions)
