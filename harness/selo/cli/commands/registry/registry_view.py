"""``selo registry``: what a registry holds, and whether its log is whole."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import TYPE_CHECKING, Any

from selo.cli.output import Exit
from selo.cli.output.console import console, print_json
from selo.cli.parser import shared_arguments as shared
from selo.text import say, user_error
from selo.text.sanitize import escape_unseen

if TYPE_CHECKING:
    import argparse

    from rich.console import Console

    from selo.registry import CertificateRegistry
    from selo.registry.certificate_lookup import ListFreshness
    from selo.registry.certificate_states import CertificateRecord
    from selo.registry.registry_check import CheckedLog
    from selo.registry.registry_events import RegistryEvent
    from selo.registry.tree_heads import TreeHead

_STYLES = {"valid": "green", "suspended": "yellow", "expired": "yellow"}


def _add_registry(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR")


def _add_view(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--on", type=shared.parse_day, metavar="DATE")
    shared.add_language(parser)
    shared.add_json(parser)


def add_list_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo registry list``."""
    _add_registry(parser)
    _add_view(parser)


def run_list(arguments: argparse.Namespace) -> int:
    """List the certificates and their states on a day."""
    from selo.law.status import macau_today

    day = arguments.on or macau_today()
    log = _read(arguments)
    records = [_record(record, day) for record in log.book.certificates.values()]
    if arguments.json:
        print_json({"on": day, "certificates": records})
        return Exit.CONFORMS
    out = console()
    for record in records:
        state, product = record["state"], record["product"]
        parts = [record["certificate"], say(f"registry.state.{state}", arguments.lang)]
        parts += [product.name, product.version]
        style = _STYLES.get(state, "red")
        out.print("  ".join(map(escape_unseen, parts)), style=style, soft_wrap=True)
    out.print(say("registry.count", arguments.lang, count=len(records), day=day), style="dim")
    return Exit.CONFORMS


def add_show_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo registry show``."""
    _add_registry(parser)
    parser.add_argument("certificate", metavar="NUMBER")
    _add_view(parser)


def run_show(arguments: argparse.Namespace) -> int:
    """Show one certificate with its history."""
    from selo.law.status import macau_today

    day = arguments.on or macau_today()
    record = _read(arguments).book.certificates.get(arguments.certificate)
    if record is None:
        raise user_error("registry-unknown", certificate=arguments.certificate)
    told = {**_record(record, day), "events": list(record.events)}
    if arguments.json:
        print_json(told)
        return Exit.CONFORMS
    out = console()
    state = say(f"registry.state.{told['state']}", arguments.lang)
    out.print(f"{escape_unseen(record.number)}: {state}", style="bold")
    for event in record.events:
        out.print(_event_line(event, arguments.lang), soft_wrap=True)
    for file in record.issued.files:
        out.print(f"  {file.sha256}  {escape_unseen(file.path)}", soft_wrap=True)
    return Exit.CONFORMS


def add_log_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo registry log``."""
    _add_registry(parser)
    shared.add_language(parser)
    shared.add_json(parser)


def run_log(arguments: argparse.Namespace) -> int:
    """Print every event."""
    log = _read(arguments)
    if arguments.json:
        print_json({"registry": log.registry, "events": log.events})
        return Exit.CONFORMS
    out = console()
    for event in log.events:
        out.print(_event_line(event, arguments.lang), soft_wrap=True)
    return Exit.CONFORMS


def add_check_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo registry check``."""
    _add_registry(parser)
    parser.add_argument("--policy", metavar="FILE")
    parser.add_argument("--head", action="append", default=[], metavar="FILE")
    shared.add_language(parser)
    shared.add_json(parser)


def run_check(arguments: argparse.Namespace) -> int:
    """Check the whole log: every line, signature, state and head."""
    from selo.registry import CertificateRegistry, read_registry_policy
    from selo.registry.certificate_lookup import ListFreshness, head_freshness
    from selo.registry.status import SignedStatusList, read_kept_heads
    from selo.registry.status.status_list import compare_with_log

    registry = CertificateRegistry.at(Path(arguments.folder))
    policy = read_registry_policy(Path(arguments.policy)) if arguments.policy else None
    kept = [one for name in arguments.head for one in read_kept_heads(Path(name))]
    lists = [one for one in kept if isinstance(one, SignedStatusList)]
    heads = [one.list.head if isinstance(one, SignedStatusList) else one for one in kept]
    log = registry.check(policy, kept_heads=heads)
    _require_lines(log, registry)
    for one in lists:
        log.problems += compare_with_log(one, log)
    freshness = head_freshness(log.head, dt.datetime.now(dt.UTC))
    sure = policy is not None and freshness is ListFreshness.CURRENT
    code = Exit.TAMPERED if log.problems else Exit.CONFORMS if sure else Exit.OPEN
    if arguments.json:
        print_json(_check_record(log, freshness=freshness, trusted=policy is not None, code=code))
        return code
    out = console()
    for problem in log.problems:
        place = "–" if problem.number is None else problem.number
        text = say(f"registry.problem.{problem.key}", arguments.lang, **problem.slots)
        out.print(f"✗ {place}: {escape_unseen(text)}", style="red", soft_wrap=True)
    if policy is None:
        out.print(say("registry.untrusted", arguments.lang), style="yellow", soft_wrap=True)
    if log.head is not None:
        print_freshness(out, log.head, freshness, arguments.lang)
    key = "registry.bad" if log.problems else "registry.good"
    text = say(key, arguments.lang, count=len(log.problems) or log.size, root=log.root)
    out.print(text, style="bold red" if log.problems else "bold green", soft_wrap=True)
    return code


def print_freshness(out: Console, head: TreeHead, freshness: ListFreshness, language: str) -> None:
    """Say that a head may not be relied on today, if it may not."""
    if freshness != "current":
        text = say(f"registry.freshness.{freshness}", language, day=head.expires.date())
        out.print(text, style="bold red", soft_wrap=True)


def _check_record(
    log: CheckedLog, *, freshness: ListFreshness, trusted: bool, code: int
) -> dict[str, Any]:
    return {
        "registry": log.registry,
        "size": log.size,
        "root": log.root,
        "head": log.head,
        "freshness": freshness,
        "trusted": trusted,
        "problems": [
            {"line": problem.number, "key": problem.key, "slots": problem.slots}
            for problem in log.problems
        ],
        "exit": code,
    }


def _read(arguments: argparse.Namespace) -> CheckedLog:
    """Return the log, or refuse one that is not whole."""
    from selo.registry import CertificateRegistry
    from selo.registry.registry_events import RegistryTampered

    registry = CertificateRegistry.at(Path(arguments.folder))
    log = registry.check(signatures=False)
    _require_lines(log, registry)
    if log.problems:
        problem = log.problems[0]
        raise user_error(
            "registry-not-whole", where=arguments.folder, kind=RegistryTampered,
            problem=say(f"registry.problem.{problem.key}", "en", **problem.slots),
        )  # fmt: skip
    return log


def _require_lines(log: CheckedLog, registry: CertificateRegistry) -> None:
    """Refuse a log without any line: what opened it is gone."""
    if not log.size:
        raise user_error("no-registry", where=str(registry.folder))


def _record(record: CertificateRecord, day: dt.date) -> dict[str, Any]:
    return {
        "certificate": record.number,
        "state": str(record.state_on(day)),
        "successor": record.successor,
        "valid_until": record.issued.valid_until,
        "product": record.issued.product,
        "document": record.issued.document,
    }


def _event_line(event: RegistryEvent, language: str) -> str:
    parts = [
        str(event.number),
        event.at.isoformat(),
        say(f"registry.kind.{event.kind}", language),
        escape_unseen(event.certificate or event.commitment or ""),
        escape_unseen(event.by),
    ]
    if event.reason is not None:
        parts.append(escape_unseen(event.reason.zh if language == "zh" else event.reason.pt))
    return "  ".join(part for part in parts if part)
