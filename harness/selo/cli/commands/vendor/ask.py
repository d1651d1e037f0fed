"""``selo ask`` and ``selo record``: single messages, judged at once or kept for replay."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from selo.cli.output import Exit
from selo.cli.output.console import console, inline_json, print_json
from selo.cli.parser import shared_arguments as shared
from selo.text import say
from selo.text.sanitize import escape_unseen

if TYPE_CHECKING:
    import argparse

    from selo.examine.adapter_tools import JudgedAnswer
    from selo.law import Law

_MAX_LENGTH = 4000


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo ask``."""
    parser.add_argument("message", metavar="MESSAGE")
    shared.add_vendor(parser)
    shared.add_rulings(parser)
    shared.add_language(parser)
    shared.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Send one message to a vendor, and print the answer, the law's, and why."""
    from selo.cli.resolved_options.vendor_options import choose_rulings, open_session
    from selo.examine.adapter_tools import judge_message, parse_message
    from selo.law import load_law

    law, message = load_law(), parse_message(arguments.message)
    rulings = choose_rulings(arguments, law).followed
    session = open_session(arguments)
    try:
        judged = judge_message(law, session, message, rulings)
        session.end()
    finally:
        session.kill()
    if arguments.json:
        print_json(_record(law, judged))
    else:
        _print(law, judged, arguments.lang)
    if judged.faults or judged.exchange.error is not None:
        return Exit.VENDOR
    if judged.differs:
        return Exit.OPEN if judged.open else Exit.VIOLATES
    return Exit.OPEN if judged.is_silent else Exit.CONFORMS


def _record(law: Law, judged: JudgedAnswer) -> dict[str, Any]:
    from selo.cli.printers.settlement_explanation import record_derivation_step

    exchange = judged.exchange
    return {
        "method": exchange.method,
        "params": exchange.params,
        "answer": exchange.answer,
        "error": exchange.error,
        "expected": judged.expected,
        "differs": judged.differs,
        "open": judged.open,
        "faults": [fault.describe() for fault in judged.faults],
        "derivations": [
            [record_derivation_step(law, step) for step in steps] for steps in judged.derivations
        ],
    }


def _print(law: Law, judged: JudgedAnswer, language: str) -> None:
    from selo.cli.printers.settlement_explanation import print_steps

    out = console()
    exchange = judged.exchange
    answer = exchange.answer if exchange.error is None else exchange.error
    out.print(say("ask.answer", language, answer=_inline(answer)), soft_wrap=True)
    for fault in judged.faults:
        for line in fault.lines(language):
            out.print(f"  {line}", style="red")
    if judged.is_silent:
        out.print(say("ask.silent", language), style="yellow")
    if judged.expected is None:
        return
    out.print(say("ask.law", language, answer=_inline(judged.expected)), soft_wrap=True)
    if not judged.faults:
        state = "open" if judged.open else "differs" if judged.differs else "same"
        style = {"same": "bold green", "differs": "bold red", "open": "bold yellow"}[state]
        out.print(say(f"ask.{state}", language), style=style)
    steps = dict.fromkeys(step for steps in judged.derivations for step in steps)
    print_steps(out, law, list(steps), language)


def _inline(answer: Any) -> str:
    import msgspec

    return escape_unseen(inline_json(msgspec.to_builtins(answer)), _MAX_LENGTH)


def add_record_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo record``."""
    parser.add_argument("messages", metavar="MESSAGES")
    parser.add_argument("--out", required=True, metavar="FILE")
    shared.add_vendor(parser)
    shared.add_language(parser)
    shared.add_json(parser)


def run_record(arguments: argparse.Namespace) -> int:
    """Put a file of messages to a vendor, and keep what was said."""
    from selo.cli.resolved_options.vendor_options import open_session
    from selo.examine.adapter_tools import exchange_record
    from selo.law import load_law

    law = load_law()
    messages = exchange_record.read_messages(Path(arguments.messages))
    session = open_session(arguments)
    try:
        exchanges = exchange_record.record_exchanges(law, session, messages)
        session.end()
    finally:
        session.kill()
    exchange_record.write_exchanges(Path(arguments.out), exchanges)
    faults = sum(1 for exchange in exchanges if exchange.fault)
    if arguments.json:
        print_json({"file": arguments.out, "messages": len(exchanges), "faults": faults})
    else:
        line = say("record.kept", arguments.lang, count=len(exchanges), path=arguments.out)
        console().print(line, style="bold", soft_wrap=True)
    return Exit.VENDOR if faults else Exit.CONFORMS
