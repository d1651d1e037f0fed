"""``selo explain``: what becomes of a bet, and from which words of the law that follows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from selo.cli.options import bets_of, object_of, outcome_of
from selo.cli.options.vendor_options import rulings_adopted
from selo.cli.output import Exit
from selo.cli.output.tables import console, print_json
from selo.errors import UsageError
from selo.law import cite
from selo.law.loader import load
from selo.rules import compile_game
from selo.rules.checks import OtherReadings
from selo.rules.checks.game_check import games
from selo.rules.equipment.kits import BadOutcome
from selo.rules.readings import Readings
from selo.rules.settlement.game import Game
from selo.text import wrong
from selo.text.error_translation import in_words
from selo.text.message_catalogue import say

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from rich.console import Console

    from selo.law.loader import Law
    from selo.rules.checks import Other
    from selo.rules.settlement.bet_rules import Reason
    from selo.rules.settlement.game import Settlement


def run(arguments: argparse.Namespace) -> int:
    """Settle one case and tell why."""
    law = load()
    if arguments.game not in games(law):
        raise wrong("game", name=arguments.game, known=", ".join(games(law)))
    readings = Readings(law, rulings_adopted(arguments, law).followed)
    game = compile_game(law, arguments.game, readings)
    outcome, bets = outcome_of(arguments), bets_of(arguments)
    options = object_of(arguments.options, "options")
    known = (game if isinstance(game, Game) else game.game).bets
    for bet in bets:
        if bet["bet"] not in known:
            raise wrong("bet-unknown", name=bet["bet"], known=", ".join(known))
    try:
        settlements = game.settle(options, outcome, bets)
    except BadOutcome as error:
        raise _impossible(str(error)) from error
    others = list(OtherReadings(law, arguments.game, readings).that_matter(options, outcome, bets))
    if arguments.json:
        print_json(
            {
                "game": arguments.game,
                "outcome": outcome,
                "bets": [
                    {
                        **bet,
                        **settlement.plain(),
                        "derivation": [_record(law, reason) for reason in settlement.reasons],
                    }
                    for bet, settlement in zip(bets, settlements, strict=True)
                ],
                "other_readings": others,
            }
        )
        return Exit.CONFORMS
    out = console()
    shown = game.facts(outcome) if isinstance(game, Game) else {}
    _facts(out, {**outcome, **shown}, arguments.lang)
    for bet, settlement in zip(bets, settlements, strict=True):
        _tell(out, law, bet, settlement, arguments.lang)
    _others(out, others, bets, arguments.lang)
    return Exit.CONFORMS


def _impossible(why: str) -> UsageError:
    """Return that an outcome cannot be, in each language."""
    hint = "See docs/games.md."
    others = {
        one: f"{in_words(why, one)}\n  {say('fault.hint', one, hint=in_words(hint, one))}"
        for one in ("pt", "zh")
    }
    return UsageError(problem=why, hint=hint, others=others)


def _facts(out: Console, outcome: Mapping[str, Any], language: str) -> None:
    out.print(say("explain.facts", language), style="bold")
    for name, value in outcome.items():
        if not name.startswith("_"):
            out.print(f"  {name}: {_plain(value)}")


def _tell(
    out: Console, law: Law, bet: Mapping[str, Any], settlement: Settlement, language: str
) -> None:
    out.print()
    out.print(say("explain.law", language), style="bold")
    for reason in settlement.reasons:
        held = law.provisions.get(reason.provision)
        out.print(f"  {reason.provision} — {_role(reason.role, language)}")
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
        bet=named(law, bet, language),
        stake=bet["stake"],
        prize=_amount(plain["prize"]),
        commission=_amount(plain["commission"]),
    )
    out.print(f"  {sentence}")


def _others(out: Console, others: list[Other], bets: list[dict[str, Any]], language: str) -> None:
    out.print()
    out.print(say("explain.readings", language), style="bold")
    if not others:
        out.print(f"  {say('explain.readings.none', language)}")
    for other in others:
        results = "; ".join(
            f"{bet['bet']}: {say('explain.role.' + one['result'], language)}"
            + (f" ({_amount(one['prize'])})" if one["result"] == "win" else "")
            for bet, one in zip(bets, other.settlements, strict=True)
        )
        out.print(f"  {other.divergence}={other.reading} → {results}")


def named(law: Law, bet: Mapping[str, Any], language: str) -> str:
    """Return a bet as people call it: the law's own word where the glossary has one."""
    name = _term(law, str(bet["bet"]), language)
    return name if "choice" not in bet else f"{name} ({_term(law, str(bet['choice']), language)})"


def _term(law: Law, name: str, language: str) -> str:
    term = next((term for term in law.glossary.terms if term.id == name), None)
    names = [] if term is None else {"pt": term.pt, "zh": term.zh}.get(language, [term.en])
    return names[0] if names else name


def _role(role: str, language: str) -> str:
    if role.startswith("not "):
        inner = say(f"explain.role.{role.removeprefix('not ')}", language)
        return say("explain.role.yields", language, role=inner)
    return say(f"explain.role.{role}", language)


def _record(law: Law, reason: Reason) -> dict[str, Any]:
    held = law.provisions.get(reason.provision)
    citation = None if held is None else cite(law, held)
    return {
        "provision": reason.provision,
        "role": reason.role,
        "condition": reason.condition,
        "citation": None if citation is None else {"pt": citation.pt_full, "zh": citation.zh_full},
    }


def _amount(amount: int | list[int]) -> str:
    return str(amount) if isinstance(amount, int) else f"{amount[0]}/{amount[1]}"


def _plain(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(_plain(one) for one in value)
    if isinstance(value, dict):
        return "; ".join(f"{key}: {_plain(below)}" for key, below in value.items())
    return str(value)
