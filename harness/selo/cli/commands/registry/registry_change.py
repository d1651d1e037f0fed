"""``selo registry``: what changes a registry, each change signed by whom the policy allows."""

from __future__ import annotations

import functools
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from selo.cli.output import Exit
from selo.cli.output.console import console, print_json
from selo.cli.parser import shared_arguments as shared
from selo.text import say

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from selo.registry.registry_events import LogLine
    from selo.registry.tree_heads import SignedHead
    from selo.signing.keys import SigningKey


def _add_change(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR")


def _add_keys(parser: argparse.ArgumentParser) -> None:
    shared.add_signing_key(parser)
    parser.add_argument("--head-p12", metavar="FILE")
    parser.add_argument("--tsa", metavar="URL")
    shared.add_language(parser)
    shared.add_json(parser)


def add_init_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo registry init``."""
    _add_change(parser)
    parser.add_argument("--policy", required=True, metavar="FILE")
    parser.add_argument("--storage", default="", metavar="ADDRESS")
    _add_keys(parser)


def run_init(arguments: argparse.Namespace) -> int:
    """Open a new registry."""
    from selo.registry import CertificateRegistry

    def open_registry(key: SigningKey, head_key: SigningKey) -> int:
        registry = CertificateRegistry.begin(
            Path(arguments.folder),
            Path(arguments.policy),
            key,
            head_key,
            arguments.storage,
            stamp=_stamp(arguments),
        )
        log = registry.check(signatures=False)
        if arguments.json:
            print_json({"folder": arguments.folder, "registry": log.registry, "root": log.root})
        else:
            text = say("registry.opened", arguments.lang, folder=arguments.folder, id=log.registry)
            console().print(text, soft_wrap=True)
        return Exit.CONFORMS

    return with_keys(arguments, open_registry)


def add_issue_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo registry issue``."""
    _add_change(parser)
    parser.add_argument("document", metavar="FILE")
    parser.add_argument("--signers", required=True, metavar="FILE")
    _add_keys(parser)


def run_issue(arguments: argparse.Namespace) -> int:
    """Verify a certificate, and enter it."""
    from selo.cli.resolved_options.registry_entry import registered_certificate
    from selo.registry.registry_events import EventKind

    fields = registered_certificate(
        Path(arguments.document), Path(arguments.signers), Path(arguments.folder)
    )
    return _change(arguments, EventKind.ISSUE, fields)


def add_commit_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo registry commit``."""
    _add_change(parser)
    parser.add_argument("commitment", metavar="HEX")
    _add_keys(parser)


def run_commit(arguments: argparse.Namespace) -> int:
    """Publish the commitment to a seed."""
    from selo.registry.registry_events import EventKind

    return _change(arguments, EventKind.COMMIT, {"commitment": arguments.commitment.lower()})


def _add_state_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of a command that changes the state of a certificate."""
    _add_change(parser)
    parser.add_argument("certificate", metavar="NUMBER")
    parser.add_argument("--reason-pt", required=True, metavar="TEXT")
    parser.add_argument("--reason-zh", required=True, metavar="TEXT")
    parser.add_argument("--proposal", metavar="FILE")
    _add_keys(parser)


def _change_state(arguments: argparse.Namespace, kind: str, **fields: Any) -> int:
    from selo.registry.registry_events import EventKind, EventReason

    reason = EventReason(pt=arguments.reason_pt, zh=arguments.reason_zh)
    fields |= {"certificate": arguments.certificate, "reason": reason}
    return _change(arguments, EventKind(kind), fields)


add_suspend_options = add_reinstate_options = _add_state_options
add_revoke_options = add_withdraw_options = _add_state_options
run_suspend = functools.partial(_change_state, kind="suspend")
run_reinstate = functools.partial(_change_state, kind="reinstate")
run_revoke = functools.partial(_change_state, kind="revoke")
run_withdraw = functools.partial(_change_state, kind="withdraw")


def add_supersede_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo registry supersede``."""
    _add_state_options(parser)
    parser.add_argument("--by", required=True, metavar="NUMBER")


def run_supersede(arguments: argparse.Namespace) -> int:
    """Put another certificate in the place of one."""
    return _change_state(arguments, "supersede", successor=arguments.by)


def add_confirm_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo registry confirm``."""
    _add_change(parser)
    parser.add_argument("proposal", metavar="FILE")
    _add_keys(parser)


def run_confirm(arguments: argparse.Namespace) -> int:
    """Sign what another person proposed, and enter it."""
    from selo.registry import CertificateRegistry
    from selo.registry.registry_events import MAX_LINE_BYTES, parse_line
    from selo.storage import read_bounded

    registry = CertificateRegistry.at(Path(arguments.folder))
    line = parse_line(read_bounded(Path(arguments.proposal), MAX_LINE_BYTES).rstrip(b"\n"))

    def confirm(key: SigningKey, head_key: SigningKey) -> int:
        both = registry.countersign(line, key)
        return _report(arguments, both, registry.append(both, head_key, _stamp(arguments)))

    return with_keys(arguments, confirm)


def add_amend_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo registry amend``."""
    _add_change(parser)
    parser.add_argument("policy", metavar="FILE")
    parser.add_argument("--proposal", metavar="FILE")
    _add_keys(parser)


def run_amend(arguments: argparse.Namespace) -> int:
    """Propose another policy, for example because a key expires."""
    from selo.registry import CertificateRegistry, read_registry_policy
    from selo.registry.registry_events import EventKind

    path = Path(arguments.policy)
    policy = read_registry_policy(path)
    CertificateRegistry.at(Path(arguments.folder)).keep_policy(path, policy)
    return _change(arguments, EventKind.POLICY, {"policy": policy.digest})


def add_head_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo registry head``."""
    _add_change(parser)
    _add_keys(parser)


def run_head(arguments: argparse.Namespace) -> int:
    """Sign a new head over the log as it is."""
    from selo.registry import CertificateRegistry

    registry = CertificateRegistry.at(Path(arguments.folder))

    def sign_head(_: SigningKey, head_key: SigningKey) -> int:
        return _report(arguments, None, registry.write_head(head_key, _stamp(arguments)))

    return with_keys(arguments, sign_head)


def _change(arguments: argparse.Namespace, kind: Any, fields: dict[str, Any]) -> int:
    """Sign an event and enter it; what takes two people becomes a proposal for the second."""
    from selo.registry import CertificateRegistry
    from selo.registry.certificate_states import TWO_PERSON_KINDS
    from selo.storage import write_file

    registry = CertificateRegistry.at(Path(arguments.folder))

    def change(key: SigningKey, head_key: SigningKey) -> int:
        line = registry.sign(registry.draft(kind, key, **fields), key)
        if kind not in TWO_PERSON_KINDS:
            return _report(arguments, line, registry.append(line, head_key, _stamp(arguments)))
        path = Path(arguments.proposal or f"{kind}-{line.event.number}.json")
        write_file(path, line.encode() + b"\n")
        if arguments.json:
            print_json({"proposal": str(path), "kind": kind, "line": line.event.number})
        else:
            text = say("registry.proposed", arguments.lang, path=path, folder=arguments.folder)
            console().print(text, soft_wrap=True)
        return Exit.OPEN

    return with_keys(arguments, change)


def _stamp(arguments: argparse.Namespace) -> Callable[[bytes], bytes] | None:
    """Return what stamps the signature of a head, if the command line names an authority."""
    if arguments.tsa is None:
        return None
    import base64
    import hashlib

    from selo.cli.resolved_options.signing_key import create_stamper
    from selo.signing.verify import stamp_digest

    stamper = create_stamper(arguments)
    return lambda signature: base64.b64decode(
        stamp_digest(hashlib.sha256(signature).hexdigest(), stamper)
    )


def with_keys(arguments: argparse.Namespace, work: Callable[[SigningKey, SigningKey], int]) -> int:
    """Open the key of the event and that of the head, which may be the same."""
    from selo.cli.resolved_options.signing_key import open_signing_key, read_passphrase
    from selo.signing import SigningRefused
    from selo.signing.keys import load_pkcs12

    try:
        with open_signing_key(arguments) as key:
            head_key = key
            if arguments.head_p12:
                head_key = load_pkcs12(Path(arguments.head_p12), read_passphrase(arguments), ())
            return work(key, head_key)
    except SigningRefused as error:
        print(error.in_language(arguments.lang), file=sys.stderr)
        return Exit.USAGE


def _report(arguments: argparse.Namespace, line: LogLine | None, signed: SignedHead) -> int:
    head = signed.head
    if arguments.json:
        event = None if line is None else line.event
        print_json({"event": event, "size": head.size, "root": head.root, "expires": head.expires})
        return Exit.CONFORMS
    out = console()
    if line is not None:
        kind = say(f"registry.kind.{line.event.kind}", arguments.lang)
        about = line.event.certificate or line.event.commitment or ""
        text = say(
            "registry.entered", arguments.lang, number=line.event.number, kind=kind, about=about
        )
        out.print(text, soft_wrap=True)
    until = head.expires.date()
    text = say("registry.head", arguments.lang, size=head.size, root=head.root, until=until)
    out.print(text, soft_wrap=True)
    return Exit.CONFORMS
