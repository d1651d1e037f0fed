"""``selo permission``: what the authority permits, written, signed, and checked."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import TYPE_CHECKING, Any

from selo.cli.output import Exit
from selo.cli.output.tables import console, print_json
from selo.cli.parser import shared_arguments as shared
from selo.text import user_error
from selo.text.message_catalogue import say
from selo.text.sanitize import escape_unseen

if TYPE_CHECKING:
    import argparse

    from selo.gate.permission_scope import PermissionStatus, VerifiedPermission
    from selo.law.loader import Law
    from selo.protocol.messages import Description


def add_new_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo permission new``."""
    parser.add_argument("--out", required=True, metavar="FILE")
    shared.add_vendor(parser, needed=False)
    shared.add_language(parser)
    shared.add_json(parser)


def run_new(arguments: argparse.Namespace) -> int:
    """Write an unsigned permission to fill in."""
    from selo.cli.options.vendor_options import games_of
    from selo.gate import render_template
    from selo.law import macau_today
    from selo.law.loader import load_law

    law = load_law()
    games = games_of(arguments, law)
    description = None if arguments.vendor is None else _describe_vendor(arguments, law)
    path = Path(arguments.out)
    text = render_template(law, games, description, macau_today(), arguments.lang)
    try:
        with path.open("x", encoding="utf-8", newline="\n") as opened:
            opened.write(text)
    except OSError as error:
        raise user_error("permission-new", where=str(path), because=error.strerror) from error
    if arguments.json:
        print_json({"file": str(path)})
    else:
        console().print(say("permission.new", arguments.lang, path=path), soft_wrap=True)
    return Exit.CONFORMS


def _describe_vendor(arguments: argparse.Namespace, law: Law) -> Description:
    from selo.cli.options.vendor_options import open_session
    from selo.examine.description import introduce_vendor

    session = open_session(arguments)
    try:
        known = introduce_vendor(session, law)
        session.end()
    finally:
        session.kill()
    return known.description


def add_sign_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo permission sign``."""
    parser.add_argument("file", metavar="FILE")
    shared.add_signing_key(parser)
    shared.add_language(parser)
    shared.add_json(parser)


def run_sign(arguments: argparse.Namespace) -> int:
    """Sign a permission."""
    from selo.cli.options.signing_key import open_signing_key
    from selo.gate import read_permission, sign_permission, signature_path
    from selo.law import macau_today
    from selo.law.loader import load_law
    from selo.signing import read_whole as read_whole
    from selo.signing import write_whole
    from selo.signing.keys.certificates import name

    law = load_law()
    path = Path(arguments.file)
    content = read_whole(path)
    found = read_permission(content, path, law)
    if found.expires < macau_today():
        raise user_error("permission-over", where=str(path), expires=found.expires)
    where = signature_path(path)
    with open_signing_key(arguments) as key:
        signer = name(key.certificate)
        if found.issuer != signer:
            raise user_error(
                "permission-sign-issuer", where=str(path), issuer=found.issuer, signer=signer
            )
        write_whole(where, sign_permission(content, key, dt.datetime.now(dt.UTC)))
    if arguments.json:
        print_json({"file": str(path), "signature": str(where), "signer": signer})
    else:
        said = say("permission.signed", arguments.lang, path=where, signer=signer)
        console().print(said, soft_wrap=True)
    return Exit.CONFORMS


def add_check_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo permission check``."""
    parser.add_argument("file", metavar="FILE")
    shared.add_trust(parser)
    shared.add_vendor(parser, needed=False)
    parser.add_argument("--on", type=shared.parse_day, metavar="DATE")
    shared.add_language(parser)
    shared.add_json(parser)


def run_check(arguments: argparse.Namespace) -> int:
    """Check the signature of a permission and whether it applies."""
    from selo.cli.options import load_trust
    from selo.cli.options.vendor_options import games_of
    from selo.gate.permission_scope import PermissionStatus, verify_permission
    from selo.law import macau_today
    from selo.law.loader import load_law

    law = load_law()
    games = games_of(arguments, law)
    one = verify_permission(Path(arguments.file), law, load_trust(arguments))
    description = None if arguments.vendor is None else _describe_vendor(arguments, law)
    day = arguments.on or macau_today()
    standing = one.standing({day}, description, games)
    code = Exit.CONFORMS if standing is PermissionStatus.HOLDS else Exit.USAGE
    if arguments.json:
        print_json(_record(one, standing, day, code))
        return code
    _print(one, standing, arguments.lang)
    return code


def _record(
    one: VerifiedPermission, standing: PermissionStatus, day: dt.date, code: Exit
) -> dict[str, Any]:
    return {
        "file": str(one.path),
        "signer": one.signer.name,
        "standing": standing,
        "on": day,
        "permission": one.found,
        "permitted": one.permitted(),
        "exit": code,
    }


def _print(one: VerifiedPermission, standing: PermissionStatus, language: str) -> None:
    from selo.gate.permission_scope import PermissionStatus

    out, found = console(), one.found
    good = standing is PermissionStatus.HOLDS
    out.print(
        say(f"permission.{standing}", language, number=escape_unseen(found.permission)),
        style="bold green" if good else "bold red",
    )
    slots = {
        "signer": escape_unseen(one.signer.name),
        "issued": found.issued,
        "expires": found.expires,
        "vendor": escape_unseen(found.product.vendor),
        "product": escape_unseen(found.product.name),
        "versions": escape_unseen(", ".join(found.product.versions or ["*"])),
    }
    out.print(f"  {say('permission.by', language, **slots)}", soft_wrap=True)
    out.print(f"  {say('permission.for', language, **slots)}", soft_wrap=True)
    for game, grants in found.games.items():
        out.print(f"  {game}")
        for grant in grants:
            parts = [f"{grant.option}: {', '.join(grant.values)}"]
            parts += [f"{key} {value}" for key, value in grant.amounts.items()]
            parts += [] if grant.percentage is None else ["/".join(map(str, grant.percentage))]
            out.print(f"    {escape_unseen('; '.join(parts))}", soft_wrap=True)
    for point, reading in found.rulings.items():
        out.print(f"  {point}: {reading}", soft_wrap=True)
    if one.signer.demonstration:
        out.print(say("sign.demonstration", language), style="bold")
