"""Prints why a bet is settled as it is: facts, derivation with the law, other readings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from selo.law import cite
from selo.rules.language import condition_in_words
from selo.text import say
from selo.text.message_catalogue import has_message, label_value

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.console import Console

    from selo.law import Law
    from selo.report.phrases import Labels
    from selo.rules.checks import AlternativeSettlement
    from selo.rules.settlement.settlement_models import BetSettlement, DerivationStep
    from selo.table_values import Bet

_ENGLISH: Final = "en"
_COMMA: Final = {"pt": ", ", "zh": "、", "en": ", "}


def print_facts(
    out: Console, facts: Mapping[str, Any], labels: Labels, game: str, language: str
) -> None:
    """Print what is known of the outcome, as far as there are words for it."""
    out.print(say("explain.facts", language), style="bold")
    for name, value in facts.items():
        key = next(
            (key for key in (f"explain.fact.{name}", f"report.field.{name}") if has_message(key)),
            None,
        )
        if key is not None and value not in ("", [], {}):
            shown = _render_value(value, labels, game, language)
            out.print(f"  {label_value(say(key, language), shown, language)}")


def print_derivation(out: Console, law: Law, settlement: BetSettlement, language: str) -> None:
    """Print the derivation of a settlement, and apart from the law what is reconstructed."""
    out.print()
    print_steps(out, law, settlement.reasons, language)
    _print_reconstructed(out, law, settlement, language)


def print_steps(out: Console, law: Law, steps: Sequence[DerivationStep], language: str) -> None:
    """Print the provisions of a derivation, with their words."""
    out.print(say("explain.law", language), style="bold")
    for reason in steps:
        held = law.provisions.get(reason.provision)
        if held is None:
            continue
        out.print(f"  {reason.provision} — {_render_role(reason.role, language)}")
        citation = cite(law, held)
        out.print(f"    {citation.pt} · {citation.zh}", style="dim")
        for words in (held.provision.text.pt, held.provision.text.zh):
            if words is not None:
                out.print(f"    {words}")
        condition = _render_condition(reason.condition, language)
        if condition is not None:
            out.print(f"    [{condition}]", style="dim")


def print_conclusion(
    out: Console, bet: Bet, name: str, settlement: BetSettlement, language: str
) -> None:
    """Print the result of a settlement of the bet called `name`."""
    out.print()
    out.print(say("explain.conclusion", language), style="bold")
    plain = settlement.plain()
    sentence = say(
        f"explain.result.{settlement.result}",
        language,
        bet=name,
        stake=bet["stake"],
        prize=_render_amount(plain["prize"]),
        commission=_render_amount(plain["commission"]),
    )
    out.print(f"  {sentence}")


def _print_reconstructed(out: Console, law: Law, settlement: BetSettlement, language: str) -> None:
    """Print the statements of ours that a settlement rests on, apart from the law."""
    steps = [reason for reason in settlement.reasons if reason.provision not in law.provisions]
    if not steps:
        return
    out.print()
    out.print(say("reconstructed.banner", language), style="bold")
    for step in steps:
        out.print(f"  {step.provision}/{step.condition}")
        for _, reconstruction in law.reconstructions:
            for statement in reconstruction.statements:
                if (reconstruction.reconstructed, statement.id) == (step.provision, step.condition):
                    out.print(f"    {statement.says.get(language)}")


def print_other_readings(
    out: Console, others: list[AlternativeSettlement], names: list[str], language: str
) -> None:
    """Print the readings under which the result would differ."""
    out.print()
    out.print(say("explain.readings", language), style="bold")
    if not others:
        out.print(f"  {say('explain.readings.none', language)}")
    for other in others:
        results = "; ".join(
            label_value(name, say(f"explain.role.{settlement['result']}", language), language)
            + (f" ({_render_amount(settlement['prize'])})" if settlement["result"] == "win" else "")
            for name, settlement in zip(names, other.settlements, strict=True)
        )
        out.print(f"  {other.divergence}={other.reading} → {results}")


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


def _render_condition(condition: str | None, language: str) -> str | None:
    """Return a condition in words; as the rule writes it in English alone, where it has none."""
    if condition is None:
        return None
    told = condition_in_words(condition)
    if told is not None:
        return told.get(language)
    return condition if language == _ENGLISH else None


def _render_value(value: object, labels: Labels, game: str, language: str) -> str:
    if isinstance(value, list):
        items = [_render_value(item, labels, game, language) for item in value]
        return _COMMA[language].join(items)
    if isinstance(value, dict):
        return "; ".join(
            f"{key}: {_render_value(item, labels, game, language)}" for key, item in value.items()
        )
    return labels.value_in(game, value, language)
