"""What an examination is to be, agreed with the vendor before anything is asked: its terms."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from selo.cli.options.permission_options import permits_of
from selo.cli.options.vendor_options import games_of, rulings_adopted
from selo.examine.exchange.describe_check import files_differ, introduced
from selo.examine.plan import terms_of
from selo.examine.run.seed_commitment import fits, read
from selo.law import today
from selo.law.spec_digest import spec_digest
from selo.vendors.faults import Fault, VendorBroken

if TYPE_CHECKING:
    import argparse

    from selo.examine.exchange.describe_check import Introduced
    from selo.examine.exchange.workers import Reached
    from selo.examine.plan import Terms
    from selo.examine.run.seed_commitment import Seal
    from selo.gate.permission_scope import Held
    from selo.law.loader import Law
    from selo.vendors.session import Session
    from selo.verdict.rulings import Rulings


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """What was asked for, as far as it needs no vendor."""

    games: list[str] | None
    permits: list[Held]
    adopted: Rulings
    seal: Seal | None


def asked(arguments: argparse.Namespace, law: Law) -> Asked:
    """Return what was asked for; refuse what cannot be before a vendor is started."""
    permits = permits_of(arguments, law)
    permitted = [ruling for held in permits for ruling in held.rulings()]
    return Asked(
        games=games_of(arguments, law),
        permits=permits,
        adopted=rulings_adopted(arguments, law, permitted),
        seal=None if arguments.seal is None else read(Path(arguments.seal)),
    )


def met(law: Law, wanted: Asked, vendor: Reached, session: Session) -> Introduced:
    """Return the vendor as it introduces itself, if nothing is wrong with what it says."""
    known = introduced(session, law, wanted.games)
    faults = [*known.faults, *_files(known.description, vendor)]
    if faults:
        raise VendorBroken(faults[0])
    return known


def agreed(arguments: argparse.Namespace, law: Law, wanted: Asked, known: Introduced) -> Terms:
    """Return the terms that follow from what was asked for and from what the vendor offers."""
    seal = wanted.seal
    if seal is not None:
        fits(seal, known.description, spec_digest(law))
    as_of = arguments.as_of or today()
    for held in wanted.permits:
        held.require({as_of, today()}, known.description, known.scope.names())
    return terms_of(
        law,
        known.scope,
        as_of=as_of.isoformat(),
        rulings=wanted.adopted.followed,
        budget=arguments.budget,
        seed=arguments.seed if seal is None else seal.sealed.number,
        provisions=arguments.provision or [],
    )


def _files(description: Any, vendor: Reached) -> list[Fault]:
    return list(files_differ(description, vendor.folder)) if vendor.here else []
