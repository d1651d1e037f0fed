"""Case sheets of findings: what the law requires, what the vendor did, and what it costs."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Final

from selo.errors import UsageError
from selo.evidence.canonical_json import encode_canonical
from selo.examine.findings.declaration_findings import DESCRIBE
from selo.examine.findings.par_findings import PAR
from selo.examine.live_rounds import ROUND
from selo.law import cite
from selo.protocol.messages import DRAW
from selo.report.content.finding_cost import MILLION, FindingCosts
from selo.report.model.report_model import CaseSheet, GroundRecord, PieceRecord
from selo.report.phrases import FactDescriber, phrase_cause
from selo.report.phrases.composition import LANGUAGES, as_words, in_brackets, join_words, words
from selo.report.phrases.money_format import format_amount, format_rounded, is_amount, to_fraction
from selo.rounds.judge import Manner
from selo.rules.mutants import find_cause
from selo.rules.readings import Readings
from selo.rules.settlement import Game, compile_game
from selo.text import Text, Words
from selo.text.message_catalogue import has_message

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from selo.examine.findings import Finding
    from selo.law import Law
    from selo.report.content.finding_cost import FindingCost
    from selo.report.phrases import Labels
    from selo.report.phrases.money_format import Amount
    from selo.rules.mutants import Cause
    from selo.rules.odds import BetOdds
    from selo.table_values import Bet
    from selo.verdict.rulings import Ruling


#: Methods of the protocol whose wrong answers are explained by a misreading of the law.
_SETTLEMENT_METHODS: Final = frozenset({"settle", "compare"})
_POINTS: Final = "hand_points"
_AMOUNTS: Final = frozenset({"prize", "commission", "stake", "net"})
#: Fields of a bet that its name and its stake say already.
_TOLD_OF_BETS: Final = frozenset({"bet", "choice", "stake"})
#: Letters of case numbers and decimals of a house edge that are printed; the rest is attached.
_MAX_RANGES_LENGTH: Final = 60
_MAX_HIDDEN: Final = 8
_EDGE_DECIMALS: Final = 4


class FindingSheetWriter:
    """Writes case sheets in the money of one vendor."""

    def __init__(self, names: Labels, currency: str, decimals: int, law: Law) -> None:
        self.names, self._currency, self._decimals = names, currency, decimals
        self._law, self._costs = law, FindingCosts(law)
        self._facts = FactDescriber(law, names, self._format_amount)

    def write(
        self, finding: Finding, figures: Sequence[BetOdds] = (), drawn: Words | None = None
    ) -> CaseSheet:
        """Return the sheet of one finding.

        `figures` are the exact odds of its game, `drawn` names the test that draws failed.
        """
        bet = self._bet(finding)
        cost = self._costs.of(finding, figures)
        return CaseSheet(
            id=finding.id,
            verdict=finding.verdict,
            game=finding.game,
            provisions=finding.provisions,
            cause=finding.cause,
            misread=self._describe_cause(finding, drawn),
            title=self._title(finding, bet, drawn),
            times=finding.times,
            ways=finding.ways,
            first=finding.first,
            method=finding.method,
            params=finding.params,
            bet=finding.bet,
            required=self._describe_required(finding),
            seen=self._describe_observed(finding),
            difference=self._describe_difference(finding, bet),
            expected=finding.expected,
            observed=finding.observed,
            money=finding.money,
            stake=None if bet is None else bet["stake"],
            per_million=None if cost is None else format_rounded(cost.amount),
            per_million_is=None if cost is None else cost.basis,
            law=list(_ground_records(finding)),
            readings=finding.readings,
            replay=f"selo replay findings/{finding.id}.json --vendor …",
            fingerprint=fingerprint_of(finding),
            acts=[self._facts.act(finding.game, act) for act in finding.params.get("acts", [])],
            shown=finding.shown,
            pieces=self._describe_pieces(finding.game),
            cause_code=finding.cause_code,
            cause_parts=finding.cause_parts,
            against=finding.against,
            notes=list(self._reading_notes(finding)),
            bets=[self._describe_bet(finding, placed) for placed in finding.params.get("bets", [])],
            asked=list(self._facts.question(finding.game, finding.params)),
            parts=list(finding.parts),
            cases=finding.cases,
            where=self._describe_extent(finding),
            edge=None if cost is None else _describe_edge(cost),
        )

    def _describe_pieces(self, game: str) -> PieceRecord | None:
        """Return how the pieces of a game look, if the law files describe them."""
        file = next((f.equipment for f in self._law.folders if f.instrument.game == game), None)
        if file is None:
            return None
        compiled = compile_game(self._law, game, Readings(self._law))
        if not isinstance(compiled, Game):
            return None
        tables = compiled.tables
        return PieceRecord(
            shape=file.shape.value,
            words=file.words,
            colours={str(face): colour for face, (colour, _) in tables.faces.items() if colour},
            order=file.order,
            divisor=tables.divisor,
        )

    def _reading_notes(self, finding: Finding) -> Iterator[Words]:
        """Yield on which readings a finding rests, by whom, and when it would be lawful."""
        rulings = {ruling.divergence: ruling for ruling in finding.origin.adopted}
        for point, reading in finding.against:
            adopted = finding.origin.rulings.get(point, "")
            ruling = rulings.get(point)
            by = words("report.finding.adopted.unknown") if ruling is None else _name_source(ruling)
            yield self._reading_note("rests", point, adopted, by=by)
            yield self._reading_note("lawful-if", point, reading)
        for point, reading in finding.readings:
            yield self._reading_note("open-if", point, reading)

    def _describe_extent(self, finding: Finding) -> Words | None:
        """Return where a finding is seen, and which provisions it leaves in doubt."""
        told = [_describe_cases(finding)]
        if finding.hides:
            cited = [cite(self._law, self._law.find(name)) for name in finding.hides[:_MAX_HIDDEN]]
            names = [Words(pt=each.pt, zh=each.zh or each.pt, en=each.pt) for each in cited]
            more = [as_words("…")] if len(finding.hides) > _MAX_HIDDEN else []
            listed = join_words([*names, *more], "; ", "；")
            told.append(words("report.finding.hides", count=len(finding.hides), provisions=listed))
        parts = [part for part in told if part is not None]
        return join_words(parts, ".\n", "。\n") if parts else None

    def _reading_note(self, note: str, point: str, reading: str, **slots: Words) -> Words:
        """Return a note on a reading: what it is about and what it says, and how it is typed."""
        known = self.names.reading(point, reading) or (as_words(point), as_words(reading))
        title, says = known
        ruling = f"{point}={reading}"
        return words(f"report.finding.{note}", title=title, ruling=ruling, says=says, **slots)

    def _describe_bet(self, finding: Finding, bet: Bet) -> Words:
        """Return a bet as it was sent: its name, its stake, and where and to what it was placed."""
        game = finding.game
        parts = [self.names.bet(game, bet), self._facts.value(game, "stake", bet["stake"])]
        left: dict[str, Any] = {
            # Bets are numbered from one.
            name: value + 1 if name == "to" and isinstance(value, int) else value
            for name, value in bet.items()
            if name not in _TOLD_OF_BETS
        }
        parts += [self._facts.fact(game, name, value) for name, value in left.items()]
        return join_words(parts, ", ", "，")

    def _bet(self, finding: Finding) -> Bet | None:
        return None if finding.bet is None else finding.params["bets"][finding.bet]

    def _describe_cause(self, finding: Finding, drawn: Words | None) -> Words | None:
        """Return the apparent misreading of the law, or the test that draws failed."""
        if finding.method == DRAW:
            return drawn
        if not finding.cause or finding.method not in _SETTLEMENT_METHODS:
            return None
        cause = finding.cause_parts or self._former_cause(finding)
        return (
            as_words(finding.cause)
            if cause is None
            else phrase_cause(cause, finding.game, self.names)
        )

    def _former_cause(self, finding: Finding) -> Cause | None:
        """Return the cause of a finding of a former edition, which names it by a sentence only."""
        try:
            readings = Readings(self._law, finding.origin.rulings)
        except UsageError:
            # That edition had readings that this one does not have.
            return None
        return find_cause(self._law, finding.provisions, readings, finding.cause)

    def _title(self, finding: Finding, bet: Bet | None, drawn: Words | None) -> Words:
        if finding.method == DRAW:
            return words("report.finding.draws", test=drawn or as_words(finding.cause))
        if finding.method == PAR:
            return words("report.finding.par", what=self._describe_required(finding))
        by_manner = finding.method == ROUND and (
            finding.verdict != "protocol" or Manner(finding.cause).is_about_forcing
        )
        if finding.verdict == "protocol" or by_manner:
            key = f"report.manner.{finding.cause}" if by_manner else "report.finding.protocol"
            return words(key)
        if finding.method == DESCRIBE:
            key = "untold" if finding.cause else "declared"
            return words(f"report.finding.{key}", what=self._describe_required(finding))
        if bet is None:
            return words("report.finding.order")
        part = next(
            (name for name in finding.observed if finding.expected[name] != finding.observed[name]),
            "result",
        )
        return words(
            f"report.finding.{part}",
            bet=self.names.bet(finding.game, bet),
            expected=self.answer_part(finding.game, part, finding.expected[part]),
            observed=self.answer_part(finding.game, part, finding.observed[part]),
        )

    def answer_part(self, game: str, part: str, value: Any) -> Words:
        """Return one part of an answer: a result, an order of hands, an amount, or points."""
        if part in {"result", "order"}:
            return words(f"report.result.{value}")
        if part in _AMOUNTS and is_amount(value):
            return as_words(self._format_amount(value))
        return self._facts.value(game, part, value)

    def _format_amount(self, amount: Amount) -> str:
        return format_amount(amount, self._currency, self._decimals)

    def _describe_required(self, finding: Finding) -> Words:
        if finding.required is not None:
            return finding.required
        return self._facts_of(finding, finding.expected)

    def _describe_observed(self, finding: Finding) -> Words:
        observed = self._facts_of(finding, finding.observed)
        # Different answers to the same question are part of the observation.
        return (
            observed
            if finding.unlike is None
            else join_words([observed, finding.unlike], pt=". ", zh="。")
        )

    def _facts_of(self, finding: Finding, facts: Mapping[str, Any]) -> Words:
        acts = finding.params.get("acts", [])
        return self.describe_facts(finding.game, finding.method, facts, acts)

    def describe_facts(
        self, game: str, method: str, facts: Mapping[str, Any], acts: Sequence[Mapping[str, Any]]
    ) -> Words:
        """Return facts of a settlement, of an order of hands, or of a round, in words."""
        parts = []
        if "act" in facts and facts["act"] is not None:
            parts.append(words("report.fact.act", act=self._describe_act(game, facts["act"], acts)))
        for name, value in facts.items():
            if name == "act" or value is None:
                continue
            if name == "event":
                parts.append(words("report.fact.event", value=self.names.event(game, value)))
            elif name in {"result", "order"}:
                parts.append(words(f"report.fact.{name}", value=words(f"report.result.{value}")))
            elif name == "frequencies":
                parts.append(self._frequencies(game, value))
            elif name == _POINTS or (
                has_message(f"report.fact.{name}") and method in {DRAW, DESCRIBE, PAR}
            ):
                parts.append(words(f"report.fact.{name}", value=_format_value(value) or "–"))
            elif method == DESCRIBE:
                what = self.names.declared(game, name)
                parts.append(words("report.fact.declared", what=what, value=_format_value(value)))
            elif name in _AMOUNTS and is_amount(value) and "event" not in facts:
                parts.append(words(f"report.fact.{name}", value=self._format_amount(value)))
            else:
                parts.append(self._facts.fact(game, name, value))
        return join_words(parts) if parts else words("report.fact.nothing")

    def _frequencies(self, game: str, cells: Mapping[str, Any]) -> Words:
        parts = [self.names.term(game, name) for name in cells]
        counts = list(cells.values())
        return Words(
            **{
                language: ", ".join(
                    f"{part.get(language)} {count}"
                    for part, count in zip(parts, counts, strict=True)
                )
                or "–"
                for language in LANGUAGES
            }
        )

    def _describe_act(self, game: str, index: int, acts: Sequence[Mapping[str, Any]]) -> Words:
        if not 0 <= index < len(acts):
            return words("report.act.open" if index < 0 else "report.act.close")
        number = str(index + 1)
        return in_brackets(
            Words(pt=number, zh=number, en=number),
            self.names.event(game, str(acts[index].get("act", ""))),
        )

    def _describe_difference(self, finding: Finding, bet: Bet | None) -> Words:
        if finding.method == DRAW:
            return words("report.difference.draws")
        if finding.method in {DESCRIBE, PAR}:
            return words("report.difference.declared")
        if bet is None:
            return words("report.difference.conduct")
        paid = to_fraction(finding.money or 0)
        if not paid:
            return words("report.difference.none")
        key = "too-much" if paid > 0 else "too-little"
        size = abs(paid)
        return words(
            f"report.difference.{key}",
            money=self._format_amount([size.numerator, size.denominator]),
            stake=self._format_amount(bet["stake"]),
        )


def _name_source(ruling: Ruling) -> Words:
    """Return who adopted a reading, and where that comes from."""
    source = words(f"report.finding.adopted.{ruling.source}")
    day = "" if ruling.on is None else ruling.on.isoformat()
    named = ", ".join(filter(None, (ruling.by, day)))
    return in_brackets(source, as_words(named)) if named else source


def _describe_cases(finding: Finding) -> Words | None:
    """Return which parts of the answer differ, and the numbers of the cases in the plan."""
    if not finding.parts:
        return None
    parts = join_words([words(f"report.answer-part.{part}") for part in finding.parts], ", ", "、")
    if finding.cases is None or not finding.cases.count:
        return words("report.finding.differs", parts=parts)
    ranges = finding.cases.ranges
    if len(ranges) > _MAX_RANGES_LENGTH:
        ranges = ranges[:_MAX_RANGES_LENGTH].rpartition(",")[0] + ", …"
    return words("report.finding.where", parts=parts, count=finding.cases.count, ranges=ranges)


def _describe_edge(cost: FindingCost) -> Words | None:
    """Return the house edge by the law and as it is settled, as percentages."""
    if cost.lawful_edge is None:
        return None
    lawful, wrong = (
        f"{format_rounded(edge * 100, _EDGE_DECIMALS)}%"
        for edge in (cost.lawful_edge, cost.lawful_edge - cost.amount / MILLION)
    )
    return words(f"report.finding.edge.{cost.basis}", lawful=lawful, wrong=wrong)


def fingerprint_of(finding: Finding) -> str:
    """Return a digest that identifies a finding, whichever case shows it and however often."""
    bet = None if finding.bet is None else finding.params["bets"][finding.bet].get("bet")
    both = sorted({*finding.expected, *finding.observed} - {"act", "required"})
    differing = [name for name in both if finding.expected.get(name) != finding.observed.get(name)]
    required = None if finding.required is None else finding.required.en
    results = [
        finding.expected.get("result"),
        finding.observed.get("result"),
        finding.observed.get("event"),
    ]
    kind = [
        finding.game,
        finding.verdict,
        finding.method,
        sorted(finding.provisions),
        finding.cause,
    ]
    return hashlib.sha256(encode_canonical([*kind, bet, differing, required, results])).hexdigest()


def _ground_records(finding: Finding) -> Iterator[GroundRecord]:
    for ground in finding.law:
        cited = ground.citation
        yield GroundRecord(
            provision=ground.provision,
            roles=ground.roles,
            citation=Text(pt=cited["pt"], zh=cited["zh"]),
            full_citation=Text(pt=cited["pt_full"], zh=cited["zh_full"]),
            text=Text(**ground.text),
        )


def _format_value(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_format_value(item)}" for name, item in value.items())
    if isinstance(value, list):
        return ", ".join(map(_format_value, value))
    return str(value)
