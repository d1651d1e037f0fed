"""A log of very many events, written past the program because signing each by pyHanko is slow."""

import datetime as dt
import hashlib

from tests.registry.conftest import WHY, issued

from selo.evidence.merkle import Frontier, leaf_hash
from selo.registry.registry_events import (
    EventKind,
    RegisteredFile,
    RegistryEvent,
    line_hash,
    make_line,
    parse_line,
)
from selo.registry.tree_heads import TreeHead, make_signed_head
from selo.signing.keys.certificates import certificate_name

#: A year of work: certificates are issued every day, and every tenth is suspended.
DAYS = 365


def content_of(number):
    """Return the one file of the product with a number."""
    return f"prize = {number}".encode()


def write_long_log(registry, office, events, *, heads=True):
    """Bring a new registry to so many events, with a head over each."""
    first = parse_line(next(registry.storage.lines()))
    previous = line_hash(first.encode())
    frontier = Frontier()
    frontier.add([leaf_hash(first.encode())])
    begin = dt.datetime.now(dt.UTC).replace(microsecond=0) - dt.timedelta(minutes=1)
    lines, signed_heads = [], []
    for number in range(1, events):
        # All of the log lies between its opening and now.
        at = max(first.event.at, begin)
        kind = EventKind.SUSPEND if number % 10 == 0 else EventKind.ISSUE
        if kind is EventKind.SUSPEND:
            fields = {"certificate": f"SELO-{number - 1:06}", "reason": WHY}
        else:
            content = content_of(number)
            sha1 = hashlib.sha1(content, usedforsecurity=False).hexdigest()
            sha256 = hashlib.sha256(content).hexdigest()
            file = RegisteredFile(path="game.py", size=len(content), sha256=sha256, sha1=sha1)
            fields = issued(f"SELO-{number:06}", files=[file], document=sha256)
        role = "bureau" if kind is EventKind.SUSPEND else "laboratory"
        event = RegistryEvent(
            registry=first.event.registry, number=number, previous=previous, kind=kind, at=at,
            by=certificate_name(getattr(office, role).certificate), **fields,
        )  # fmt: skip
        raw = make_line(event, [office.signers[role].sign(event.encode(), at)]).encode()
        previous = line_hash(raw)
        frontier.add([leaf_hash(raw)])
        lines.append(raw)
        if heads or number == events - 1:
            head = TreeHead(
                registry=first.event.registry, size=number + 1, root=frontier.root(), at=at,
                expires=at + dt.timedelta(days=30),
            )  # fmt: skip
            signature = office.signers["bureau"].sign(head.encode(), at)
            signed_heads.append(make_signed_head(head, signature).encode())
    with registry.storage.exclusive():
        registry.storage.extend(1, lines)
        registry.storage.extend_heads(signed_heads)
