"""``selo permission``: what the authority permits, written, signed, and checked."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import TYPE_CHECKING, Any

from selo.cli.options import trusted
from selo.cli.options.signing_key import key_of
from selo.cli.options.vendor_options import games_of, session_of
from selo.cli.output import Exit
from selo.cli.output.tables import console, print_json
from selo.examine.exchange.describe_check import introduced
from selo.gate import blank, read, sign, signature_of
from selo.gate.permission_scope import Held, Standing, held
from selo.law import today
from selo.law.loader import load
from selo.signing import read as read_whole
from selo.signing import write
from selo.signing.keys.certificates import name
from selo.text import wrong
from selo.text.message_catalogue import say
from selo.text.sanitize import visible

if TYPE_CHECKING:
    import argparse

    from selo.law.loader import Law
    from selo.protocol.messages import Description


def run(arguments: argparse.Namespace) -> int:
    """Write, sign or check a permission."""
    return {"new": _new, "sign": _sign, "check": _check}[arguments.action](arguments)


def _new(arguments: argparse.Namespace) -> int:
    law = load()
    games = games_of(arguments, law)
    description = None if arguments.vendor is None else _description(arguments, law)
    path = Path(arguments.out)
    text = blank(law, games, description, today(), arguments.lang)
    try:
        with path.open("x", encoding="utf-8", newline="\n") as opened:
            opened.write(text)
    except OSError as error:
        raise wrong("permission-new", where=str(path), because=error.strerror) from error
    if arguments.json:
        print_json({"file": str(path)})
    else:
        console().print(say("permission.new", arguments.lang, path=path), soft_wrap=True)
    return Exit.CONFORMS


def _description(arguments: argparse.Namespace, law: Law) -> Description:
    session = session_of(arguments)
    try:
        known = introduced(session, law)
        session.end()
    finally:
        session.kill()
    return known.description


def _sign(arguments: argparse.Namespace) -> int:
    law = load()
    path = Path(arguments.file)
    content = read_whole(path)
    found = read(content, path, law)
    if found.expires < today():
        raise wrong("permission-over", where=str(path), expires=found.expires)
    where = signature_of(path)
    with key_of(arguments) as key:
        signer = name(key.certificate)
        if found.issuer != signer:
            raise wrong(
                "permission-sign-issuer", where=str(path), issuer=found.issuer, signer=signer
            )
        write(where, sign(content, key, dt.datetime.now(dt.UTC)))
    if arguments.json:
        print_json({"file": str(path), "signature": str(where), "signer": signer})
    else:
        said = say("permission.signed", arguments.lang, path=where, signer=signer)
        console().print(said, soft_wrap=True)
    return Exit.CONFORMS


def _check(arguments: argparse.Namespace) -> int:
    law = load()
    games = games_of(arguments, law)
    one = held(Path(arguments.file), law, trusted(arguments))
    description = None if arguments.vendor is None else _description(arguments, law)
    day = arguments.on or today()
    standing = one.standing({day}, description, games)
    code = Exit.CONFORMS if standing is Standing.HOLDS else Exit.USAGE
    if arguments.json:
        print_json(_record(one, standing, day, code))
        return code
    _print(one, standing, arguments.lang)
    return code


def _record(one: Held, standing: Standing, day: dt.date, code: Exit) -> dict[str, Any]:
    return {
        "file": str(one.path),
        "signer": one.signer.name,
        "standing": standing,
        "on": day,
        "permission": one.found,
        "permitted": one.permitted(),
        "exit": code,
    }


def _print(one: Held, standing: Standing, language: str) -> None:
    out, found = console(), one.found
    good = standing is Standing.HOLDS
    out.print(
        say(f"permission.{standing}", language, number=visible(found.permission)),
        style="bold green" if good else "bold red",
    )
    slots = {
        "signer": visible(one.signer.name),
        "issued": found.issued,
        "expires": found.expires,
        "vendor": visible(found.product.vendor),
        "product": visible(found.product.name),
        "versions": visible(", ".join(found.product.versions or ["*"])),
    }
    out.print(f"  {say('permission.by', language, **slots)}", soft_wrap=True)
    out.print(f"  {say('permission.for', language, **slots)}", soft_wrap=True)
    for game, grants in found.games.items():
        out.print(f"  {game}")
        for grant in grants:
            parts = [f"{grant.option}: {', '.join(grant.values)}"]
            parts += [f"{key} {value}" for key, value in grant.amounts.items()]
            parts += [] if grant.percentage is None else ["/".join(map(str, grant.percentage))]
            out.print(f"    {visible('; '.join(parts))}", soft_wrap=True)
    for point, reading in found.rulings.items():
        out.print(f"  {point}: {reading}", soft_wrap=True)
    if one.signer.demonstration:
        out.print(say("sign.demonstration", language), style="bold")
