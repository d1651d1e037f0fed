"""Prints why a bet is settled as it is: facts, derivation with the law, other readings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from selo.law import cite
from selo.text import say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import Console

    from selo.law import Law
    from selo.rules.checks import AlternativeSettlement
    from selo.rules.settlement.settlement_models import BetSettlement, DerivationStep
    from selo.table_values import Bet


def print_facts(out: Console, facts: Mapping[str, Any], language: str) -> None:
    """Print what is known of the outcome."""
    out.print(say("explain.facts", language), style="bold")
    for name, value in facts.items():
        if not name.startswith("_"):
            out.print(f"  {name}: {_render_value(value)}")


def print_settlement(
    out: Console, law: Law, bet: Bet, settlement: BetSettlement, language: str
) -> None:
    """Print the derivation of a settlement, then its result."""
    out.print()
    out.print(say("explain.law", language), style="bold")
    for reason in settlement.reasons:
        held = law.provisions.get(reason.provision)
        out.print(f"  {reason.provision} — {_render_role(reason.role, language)}")
        if held is None:
            out.print(f"    {say('reconstructed.banner', language)}")
            continue
        citation = cite(law, held)
        out.print(f"    {citation.pt} · {citation.zh}", style="dim")
        for words in (held.provision.text.pt, held.provision.text.zh):
            if words is not None:
                out.print(f"    {words}")
        if reason.condition is not None:
            out.print(f"    [{reason.condition}]", style="dim")
    out.print()
    out.print(say("explain.conclusion", language), style="bold")
    plain = settlement.plain()
    sentence = say(
        f"explain.result.{settlement.result}",
        language,
        bet=_bet_name(law, bet, language),
        stake=bet["stake"],
        prize=_render_amount(plain["prize"]),
        commission=_render_amount(plain["commission"]),
    )
    out.print(f"  {sentence}")


def print_other_readings(
    out: Console, others: list[AlternativeSettlement], bets: list[Bet], language: str
) -> None:
    """Print the readings under which the result would differ."""
    out.print()
    out.print(say("explain.readings", language), style="bold")
    if not others:
        out.print(f"  {say('explain.readings.none', language)}")
    for other in others:
        results = "; ".join(
            f"{bet['bet']}: {say('explain.role.' + settlement['result'], language)}"
            + (f" ({_render_amount(settlement['prize'])})" if settlement["result"] == "win" else "")
            for bet, settlement in zip(bets, other.settlements, strict=True)
        )
        out.print(f"  {other.divergence}={other.reading} → {results}")


def _bet_name(law: Law, bet: Bet, language: str) -> str:
    """Return the name of a bet: the law's own term where the glossary has one."""
    name = _term(law, str(bet["bet"]), language)
    return name if "choice" not in bet else f"{name} ({_term(law, str(bet['choice']), language)})"


def _term(law: Law, name: str, language: str) -> str:
    term = next((term for term in law.glossary.terms if term.id == name), None)
    names = [] if term is None else {"pt": term.pt, "zh": term.zh}.get(language, [term.en])
    return names[0] if names else name


def _render_role(role: str, language: str) -> str:
    if role.startswith("not "):
        inner = say(f"explain.role.{role.removeprefix('not ')}", language)
        return say("explain.role.yields", language, role=inner)
    return say(f"explain.role.{role}", language)


def record_derivation_step(law: Law, reason: DerivationStep) -> dict[str, Any]:
    """Return a step of a derivation for JSON output."""
    held = law.provisions.get(reason.provision)
    citation = None if held is None else cite(law, held)
    return {
        "provision": reason.provision,
        "role": reason.role,
        "condition": reason.condition,
        "citation": None if citation is None else {"pt": citation.pt_full, "zh": citation.zh_full},
    }


def _render_amount(amount: int | list[int]) -> str:
    return str(amount) if isinstance(amount, int) else f"{amount[0]}/{amount[1]}"


def _render_value(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(_render_value(item) for item in value)
    if isinstance(value, dict):
        return "; ".join(f"{key}: {_render_value(item)}" for key, item in value.items())
    return str(value)
