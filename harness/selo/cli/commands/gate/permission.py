"""``selo permission``: writes, signs and checks a permission of the authority."""

from __future__ import annotations

import datetime as dt
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from selo.cli.output import Exit
from selo.cli.output.console import console, print_json
from selo.cli.parser import shared_arguments as shared
from selo.storage import read_bounded, write_file
from selo.text import say, user_error
from selo.text.sanitize import escape_unseen

if TYPE_CHECKING:
    import argparse

    from selo.gate.permission_scope import PermissionStatus, VerifiedPermission
    from selo.gate.permitted_law import PermittedLaw
    from selo.law import Law
    from selo.protocol.messages import Description


def add_new_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo permission new``."""
    parser.add_argument("--out", required=True, metavar="FILE")
    shared.add_vendor(parser, required=False)
    parser.add_argument("--law", metavar="DIR")
    shared.add_language(parser)
    shared.add_json(parser)


def run_new(arguments: argparse.Namespace) -> int:
    """Write an unsigned permission to fill in."""
    from selo.cli.resolved_options.vendor_options import games_of
    from selo.gate import render_permission_template
    from selo.gate.permitted_law import render_permitted_law
    from selo.law import load_law
    from selo.law.status import macau_today

    law = load_law()
    games = games_of(arguments, law)
    description = None if arguments.vendor is None else _describe_vendor(arguments, law)
    path = Path(arguments.out)
    text = render_permission_template(law, games, description, macau_today(), arguments.lang)
    if arguments.law is not None:
        text += render_permitted_law(_read_added_law(law, Path(arguments.law)))
    try:
        write_file(path, text.encode())
    except OSError as error:
        raise user_error("permission-new", where=str(path), because=error.strerror) from error
    if arguments.json:
        print_json({"file": str(path)})
    else:
        console().print(say("permission.new", arguments.lang, path=path), soft_wrap=True)
    return Exit.CONFORMS


def _read_added_law(law: Law, folder: Path) -> PermittedLaw:
    """Return what a folder of law has more than the law at hand; it must pass the check of law."""
    from selo.edition import read_edition_files
    from selo.gate.permitted_law import find_added_law
    from selo.law import load_law

    whole = load_law(specs=folder / "specs", bilingual=folder / "bilingual")
    return find_added_law(read_edition_files(law), read_edition_files(whole), folder)


def add_law_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo permission law``."""
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("--out", required=True, metavar="DIR")
    shared.add_trust(parser)
    shared.add_language(parser)
    shared.add_json(parser)


def run_law(arguments: argparse.Namespace) -> int:
    """Write the law at hand with the rules of new bets that a permission brings."""
    from selo.cli.resolved_options import load_trust
    from selo.edition import digest_edition, read_edition_files
    from selo.gate.permission_scope import verify_permission
    from selo.gate.permitted_law import SOURCES_LIST, add_permitted_law
    from selo.law import load_law

    law, path = load_law(), Path(arguments.file)
    permission = verify_permission(path, law, load_trust(arguments)).permission
    if permission.law is None:
        raise user_error("permission-law-none", where=str(path))
    files = add_permitted_law(read_edition_files(law), permission.law, path)
    folder = Path(arguments.out)
    if folder.exists():
        raise user_error("permission-law-there", where=str(folder))
    # Messages and help belong to no edition, but a folder of law has them.
    for place in (law.specs, law.bilingual):
        shutil.copytree(place, folder / place.name)
    for name in (*permission.law.files, SOURCES_LIST):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        write_file(folder / name, files[name], replace=True)
    edition = digest_edition(files)
    if arguments.json:
        print_json(
            {"folder": str(folder), "edition": edition, "added": sorted(permission.law.files)}
        )
    else:
        text = say("permission.law", arguments.lang, path=folder, edition=edition)
        console().print(text, soft_wrap=True)
    return Exit.CONFORMS


def _describe_vendor(arguments: argparse.Namespace, law: Law) -> Description:
    from selo.cli.resolved_options.vendor_options import open_session
    from selo.examine.vendor_description import introduce_vendor

    session = open_session(arguments)
    try:
        introduction = introduce_vendor(session, law)
        session.end()
    finally:
        session.kill()
    return introduction.description


def add_sign_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo permission sign``."""
    parser.add_argument("file", metavar="FILE")
    shared.add_signing_key(parser)
    shared.add_language(parser)
    shared.add_json(parser)


def run_sign(arguments: argparse.Namespace) -> int:
    """Sign a permission."""
    from selo.cli.resolved_options.signing_key import open_signing_key
    from selo.gate import read_permission
    from selo.gate.permission_signature import sign_permission, signature_path
    from selo.gate.permitted_law import open_permitted_law
    from selo.law import load_law
    from selo.law.lint import find_lint_problems
    from selo.law.status import macau_today
    from selo.rules.checks import check_games
    from selo.signing.keys.certificates import certificate_name

    law = load_law()
    path = Path(arguments.file)
    content = read_bounded(path)
    permission = read_permission(content, path, law)
    if permission.law is not None:
        with open_permitted_law(permission.law, permission.games, law, path) as whole:
            problems = [*find_lint_problems(whole), *check_games(whole)]
        if problems:
            raise user_error("law-not-signed", count=len(problems), problem=problems[0])
    if permission.expires < macau_today():
        raise user_error("permission-over", where=str(path), expires=permission.expires)
    where = signature_path(path)
    with open_signing_key(arguments) as key:
        signer = certificate_name(key.certificate)
        if permission.issuer != signer:
            raise user_error(
                "permission-sign-issuer", where=str(path), issuer=permission.issuer, signer=signer
            )
        write_file(where, sign_permission(content, key, dt.datetime.now(dt.UTC)))
    if arguments.json:
        print_json({"file": str(path), "signature": str(where), "signer": signer})
    else:
        text = say("permission.signed", arguments.lang, path=where, signer=signer)
        console().print(text, soft_wrap=True)
    return Exit.CONFORMS


def add_check_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo permission check``."""
    parser.add_argument("file", metavar="FILE")
    shared.add_trust(parser)
    shared.add_vendor(parser, required=False)
    parser.add_argument("--on", type=shared.parse_day, metavar="DATE")
    shared.add_language(parser)
    shared.add_json(parser)


def run_check(arguments: argparse.Namespace) -> int:
    """Check the signature of a permission and whether it applies."""
    from selo.cli.resolved_options import load_trust
    from selo.cli.resolved_options.vendor_options import games_of
    from selo.gate.permission_scope import PermissionStatus, verify_permission
    from selo.law import load_law
    from selo.law.status import macau_today

    law = load_law()
    games = games_of(arguments, law)
    verified = verify_permission(Path(arguments.file), law, load_trust(arguments))
    description = None if arguments.vendor is None else _describe_vendor(arguments, law)
    day = arguments.on or macau_today()
    standing = verified.status({day}, description, games)
    code = Exit.CONFORMS if standing is PermissionStatus.HOLDS else Exit.USAGE
    if arguments.json:
        print_json(_record(verified, standing, day, code))
        return code
    _print(verified, standing, arguments.lang)
    return code


def _record(
    verified: VerifiedPermission, standing: PermissionStatus, day: dt.date, code: Exit
) -> dict[str, Any]:
    return {
        "file": str(verified.path),
        "signer": verified.signer.name,
        "standing": standing,
        "on": day,
        "permission": verified.permission,
        "permitted": verified.permitted(),
        "exit": code,
    }


def _print(verified: VerifiedPermission, standing: PermissionStatus, language: str) -> None:
    from selo.gate.permission_scope import PermissionStatus

    out, permission = console(), verified.permission
    good = standing is PermissionStatus.HOLDS
    out.print(
        say(f"permission.{standing}", language, number=escape_unseen(permission.permission)),
        style="bold green" if good else "bold red",
    )
    slots = {
        "signer": escape_unseen(verified.signer.name),
        "issued": permission.issued,
        "expires": permission.expires,
        "vendor": escape_unseen(permission.product.vendor),
        "product": escape_unseen(permission.product.name),
        "versions": escape_unseen(", ".join(permission.product.versions or ["*"])),
    }
    out.print(f"  {say('permission.by', language, **slots)}", soft_wrap=True)
    out.print(f"  {say('permission.for', language, **slots)}", soft_wrap=True)
    for game, grants in permission.games.items():
        out.print(f"  {game}")
        for grant in grants:
            parts = [f"{grant.option}: {', '.join(grant.values)}"]
            parts += [f"{key} {value}" for key, value in grant.amounts.items()]
            parts += [] if grant.percentage is None else ["/".join(map(str, grant.percentage))]
            out.print(f"    {escape_unseen('; '.join(parts))}", soft_wrap=True)
    for point, reading in permission.rulings.items():
        out.print(f"  {point}: {reading}", soft_wrap=True)
    if verified.signer.demonstration:
        out.print(say("sign.demonstration", language), style="bold")
