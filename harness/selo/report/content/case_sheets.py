"""Findings as case sheets: what the law requires, what the vendor did, and what it costs."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Final

from selo.evidence.canonical_json import encode
from selo.report.content.finding_cost import Costs
from selo.report.model.report_model import GroundRecord, Sheet
from selo.report.phrases import Facts, misread, money_format
from selo.report.phrases.compose import LANGUAGES, joined, same, words
from selo.text.message_catalogue import knows
from selo.text.multilingual import Text, Words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from selo.examine.findings import Finding
    from selo.examine.findings import Ground as Found
    from selo.law.loader import Law
    from selo.report.phrases import Names
    from selo.rules.odds import Figure

ROUND: Final = "round"
DRAW: Final = "draw"
DECLARED: Final = "describe"
#: The ways of asking whose wrong answers are held against misreadings of the law.
_SETTLED: Final = frozenset({"settle", "compare"})
_PARTS: Final = ("result", "prize", "commission", "stake")


class Sheets:
    """Writes case sheets in the money of one vendor."""

    def __init__(self, names: Names, currency: str, decimals: int, law: Law) -> None:
        self._names, self._currency, self._decimals = names, currency, decimals
        self._costs = Costs(law)
        self._facts = Facts(law, names, lambda one: money_format.told(one, currency, decimals))

    def sheet(
        self, one: Finding, figures: Sequence[Figure] = (), drawn: Words | None = None
    ) -> Sheet:
        """Return the sheet of one finding.

        `figures` are the odds of its game, `drawn` says which test a finding of draws rests on.
        """
        bet = self._bet(one)
        cost = self._costs.of(one, figures)
        return Sheet(
            id=one.id,
            verdict=one.verdict,
            game=one.game,
            provisions=one.provisions,
            cause=one.cause,
            misread=self._misread(one, drawn),
            title=self._title(one, bet, drawn),
            times=one.times,
            ways=one.ways,
            first=one.first,
            method=one.method,
            params=one.params,
            bet=one.bet,
            required=self._required(one),
            seen=self._seen(one),
            difference=self._difference(one, bet),
            expected=one.expected,
            observed=one.observed,
            money=one.money,
            stake=None if bet is None else bet["stake"],
            per_million=None if cost is None else money_format.rounded(cost.amount),
            per_million_is=None if cost is None else cost.basis,
            law=[_ground(ground) for ground in one.law],
            readings=one.readings,
            replay=f"selo replay findings/{one.id}.json --vendor …",
            fingerprint=fingerprint(one),
            acts=[self._facts.act(one.game, act) for act in one.params.get("acts", [])],
            shown=one.shown,
        )

    def _bet(self, one: Finding) -> Mapping[str, Any] | None:
        return None if one.bet is None else one.params["bets"][one.bet]

    def _misread(self, one: Finding, drawn: Words | None) -> Words | None:
        """Return how the law seems to have been misread, or the test that draws failed."""
        if one.method == DRAW:
            return drawn
        asked = one.cause and one.method in _SETTLED
        return misread(one.cause, one.game, self._names) if asked else None

    def _title(self, one: Finding, bet: Mapping[str, Any] | None, drawn: Words | None) -> Words:
        if one.method == DRAW:
            return words("report.finding.draws", test=drawn or same(one.cause))
        if one.verdict == "protocol":
            return words("report.finding.protocol")
        if one.method == ROUND:
            return words(f"report.manner.{one.cause}")
        if one.method == DECLARED:
            key = "untold" if one.cause else "declared"
            return words(f"report.finding.{key}", what=self._required(one))
        if bet is None:
            return words("report.finding.order")
        part = next((name for name in _PARTS if one.expected[name] != one.observed[name]), "result")
        return words(
            f"report.finding.{part}",
            bet=self._names.bet(one.game, bet),
            expected=self._value(part, one.expected[part]),
            observed=self._value(part, one.observed[part]),
        )

    def _value(self, part: str, value: Any) -> Words:
        if part == "result":
            return words(f"report.result.{value}")
        return same(money_format.told(value, self._currency, self._decimals))

    def _required(self, one: Finding) -> Words:
        if one.required is not None:
            return one.required
        return self._told(one, one.expected)

    def _seen(self, one: Finding) -> Words:
        told = self._told(one, one.observed)
        # That the same question was not answered alike belongs to what was seen.
        return told if one.unlike is None else joined([told, one.unlike], pt=". ", zh="。")

    def _told(self, one: Finding, facts: Mapping[str, Any]) -> Words:
        """Return facts of a settlement, of an order of hands, or of a round, in words."""
        said = []
        if "act" in facts and facts["act"] is not None:
            said.append(words("report.fact.act", act=self._act(one, facts["act"])))
        for name, value in facts.items():
            if name == "act" or value is None:
                continue
            if name == "event":
                said.append(words("report.fact.event", value=self._names.event(one.game, value)))
            elif name in {"result", "order"}:
                said.append(words(f"report.fact.{name}", value=words(f"report.result.{value}")))
            elif name == "frequencies":
                said.append(self._frequencies(one, value))
            elif knows(f"report.fact.{name}") and one.method in {DRAW, DECLARED}:
                said.append(words(f"report.fact.{name}", value=_plain(value) or "–"))
            elif one.method == DECLARED:
                what = self._names.declared(one.game, name)
                said.append(words("report.fact.declared", what=what, value=_plain(value)))
            elif name in {"prize", "commission", "stake"} and _is_amount(value):
                value = money_format.told(value, self._currency, self._decimals)  # noqa: PLW2901
                said.append(words(f"report.fact.{name}", value=value))
            else:
                said.append(self._facts.fact(one.game, name, value))
        return joined(said) if said else words("report.fact.nothing")

    def _frequencies(self, one: Finding, cells: Mapping[str, Any]) -> Words:
        parts = [self._names.term(one.game, name) for name in cells]
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

    def _act(self, one: Finding, at: int) -> Words:
        acts = one.params.get("acts", [])
        if not 0 <= at < len(acts):
            return words("report.act.open" if at < 0 else "report.act.close")
        name = self._names.event(one.game, str(acts[at].get("act", "")))
        return Words(
            pt=f"{at + 1} ({name.pt})", zh=f"{at + 1}（{name.zh}）", en=f"{at + 1} ({name.en})"
        )

    def _difference(self, one: Finding, bet: Mapping[str, Any] | None) -> Words:
        if one.method == DRAW:
            return words("report.difference.draws")
        if one.method == DECLARED:
            return words("report.difference.declared")
        if bet is None:
            return words("report.difference.conduct")
        paid = money_format.exact(one.money or 0)
        if not paid:
            return words("report.difference.none")
        key = "too-much" if paid > 0 else "too-little"
        size = abs(paid)
        amount = [size.numerator, size.denominator]
        return words(
            f"report.difference.{key}",
            money=money_format.told(amount, self._currency, self._decimals),
            stake=money_format.told(bet["stake"], self._currency, self._decimals),
        )


def fingerprint(one: Finding) -> str:
    """Return a digest of what makes this finding itself, whichever case shows it, however often."""
    bet = None if one.bet is None else one.params["bets"][one.bet].get("bet")
    both = sorted({*one.expected, *one.observed} - {"act", "required"})
    differing = [name for name in both if one.expected.get(name) != one.observed.get(name)]
    required = None if one.required is None else one.required.en
    results = [one.expected.get("result"), one.observed.get("result"), one.observed.get("event")]
    kind = [one.game, one.verdict, one.method, sorted(one.provisions), one.cause]
    return hashlib.sha256(encode([*kind, bet, differing, required, results])).hexdigest()


def _ground(one: Found) -> GroundRecord:
    cited = one.citation
    return GroundRecord(
        provision=one.provision,
        roles=one.roles,
        citation=Text(pt=cited["pt"], zh=cited["zh"]),
        full_citation=Text(pt=cited["pt_full"], zh=cited["zh_full"]),
        text=Text(**one.text),
    )


def _is_amount(value: Any) -> bool:
    return isinstance(value, int) or (
        isinstance(value, list) and len(value) == 2 and all(isinstance(one, int) for one in value)  # noqa: PLR2004 - a numerator and a denominator
    )


def _plain(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_plain(one)}" for name, one in value.items())
    if isinstance(value, list):
        return ", ".join(map(_plain, value))
    return str(value)
