"""``selo registry``: what leaves a registry: copies, status lists, codes and published pages."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import TYPE_CHECKING

from selo.cli.commands.registry.registry_change import with_keys
from selo.cli.output import Exit
from selo.cli.output.console import console, print_json
from selo.cli.parser import shared_arguments as shared
from selo.text import say, user_error

if TYPE_CHECKING:
    import argparse

    from selo.signing.keys import SigningKey

_PICTURES = {".svg": "svg", ".png": "png"}


def add_import_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo registry import``."""
    parser.add_argument("source", metavar="SOURCE")
    parser.add_argument("folder", metavar="DIR")
    parser.add_argument("--storage", default="", metavar="ADDRESS")
    parser.add_argument("--policy", metavar="FILE")
    shared.add_language(parser)
    shared.add_json(parser)


def run_import(arguments: argparse.Namespace) -> int:
    """Copy a registry, or what a copy of it lacks, into another storage."""
    from selo.registry import CertificateRegistry, read_registry_policy
    from selo.registry.registry_copy import copy_registry, stored_address

    source = CertificateRegistry.at(Path(arguments.source))
    folder = Path(arguments.folder)
    policy = read_registry_policy(Path(arguments.policy)) if arguments.policy else None
    if folder.exists() and any(folder.iterdir()):
        if arguments.storage and arguments.storage != stored_address(folder):
            raise user_error("registry-elsewhere", where=str(folder))
        target = CertificateRegistry.at(folder)
    else:
        target = CertificateRegistry.prepare(folder, arguments.storage)
    count = copy_registry(source, target, policy)
    root = target.check(policy, signatures=False).root
    if arguments.json:
        print_json({"folder": arguments.folder, "lines": count, "root": root})
    else:
        text = say("registry.imported", arguments.lang, count=count, folder=folder, root=root)
        console().print(text, soft_wrap=True)
    return Exit.CONFORMS if policy else Exit.OPEN


def add_status_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo registry status``."""
    parser.add_argument("folder", metavar="DIR")
    parser.add_argument("--out", required=True, metavar="FILE")
    parser.add_argument("--of", metavar="NUMBER")
    parser.add_argument("--files", action="store_true")
    shared.add_signing_key(parser)
    parser.add_argument("--head-p12", metavar="FILE")
    shared.add_language(parser)
    shared.add_json(parser)


def run_status(arguments: argparse.Namespace) -> int:
    """Sign the states of all certificates, or of one as a code."""
    work = _write_list if arguments.of is None else _write_code
    return with_keys(arguments, lambda _, head_key: work(arguments, head_key))


def _write_list(arguments: argparse.Namespace, key: SigningKey) -> int:
    from selo.registry import CertificateRegistry
    from selo.registry.status.status_list import make_status_list
    from selo.storage import write_file

    registry = CertificateRegistry.at(Path(arguments.folder))
    signed = make_status_list(registry, key, files=arguments.files, at=_now())
    content = signed.encode()
    write_file(Path(arguments.out), content)
    head, count = signed.list.head.head, len(signed.list.certificates)
    if arguments.json:
        print_json(
            {"path": arguments.out, "certificates": count, "bytes": len(content), "head": head}
        )
    else:
        text = say(
            "registry.listed", arguments.lang, count=count, path=arguments.out,
            bytes=len(content), until=head.expires.date(),
        )  # fmt: skip
        console().print(text, soft_wrap=True)
    return Exit.CONFORMS


def _write_code(arguments: argparse.Namespace, key: SigningKey) -> int:
    """Write a code as text, or as a picture if the name of the file ends like one."""
    from selo.registry import CertificateRegistry
    from selo.registry.status.status_code import draw_status_code, make_status_code
    from selo.storage import write_file

    registry = CertificateRegistry.at(Path(arguments.folder))
    code = make_status_code(registry, arguments.of, key, at=_now())
    path = Path(arguments.out)
    picture = _PICTURES.get(path.suffix.lower())
    text = code.text
    write_file(path, draw_status_code(code, picture) if picture else text.encode() + b"\n")
    if arguments.json:
        head = code.status().head
        print_json({"path": arguments.out, "certificates": 1, "bytes": len(text), "head": head})
    else:
        said = say(
            "registry.coded", arguments.lang, path=path, certificate=arguments.of,
            letters=len(text), until=code.status().head.expires.date(),
        )  # fmt: skip
        console().print(said, soft_wrap=True)
    return Exit.CONFORMS


def add_publish_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo registry publish``."""
    parser.add_argument("folder", metavar="DIR")
    parser.add_argument("out", metavar="OUT")
    parser.add_argument("--policy", metavar="FILE")
    shared.add_language(parser)
    shared.add_json(parser)


def run_publish(arguments: argparse.Namespace) -> int:
    """Write pages, tables and a feed of a registry, and a copy of its log."""
    from selo.law import load_law
    from selo.registry import CertificateRegistry, read_registry_policy
    from selo.registry.publication import publish_registry

    registry = CertificateRegistry.at(Path(arguments.folder))
    policy = read_registry_policy(Path(arguments.policy)) if arguments.policy else None
    done = publish_registry(registry, Path(arguments.out), load_law(), policy)
    if arguments.json:
        print_json(
            {
                "folder": arguments.out,
                "certificates": done.certificates,
                "rendered": done.rendered,
                "written": done.written,
                "head": done.head,
            }
        )
    else:
        text = say(
            "registry.published", arguments.lang, count=done.certificates, folder=arguments.out,
            written=len(done.written),
        )  # fmt: skip
        console().print(text, soft_wrap=True)
    return Exit.CONFORMS if policy else Exit.OPEN


def _now() -> dt.datetime:
    return dt.datetime.now(dt.UTC).replace(microsecond=0)
