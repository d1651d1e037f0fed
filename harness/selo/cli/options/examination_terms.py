"""What an examination is to be, agreed with the vendor before anything is asked: its terms."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from selo.cli.options.permission_options import load_permissions
from selo.cli.options.vendor_options import choose_rulings, games_of
from selo.examine.description import check_declared_files, introduce_vendor
from selo.examine.plan import terms_of
from selo.examine.run.seed_commitment import check_seal, read_seal
from selo.law import macau_today
from selo.law.spec_digest import compute_spec_digest
from selo.vendors.faults import AdapterFault, VendorBroken

if TYPE_CHECKING:
    import argparse

    from selo.examine.description import Introduction
    from selo.examine.exchange import VendorEndpoint
    from selo.examine.plan import Terms
    from selo.examine.run.seed_commitment import Seal
    from selo.gate.permission_scope import VerifiedPermission
    from selo.law.loader import Law
    from selo.vendors.session import Session
    from selo.verdict.rulings import Rulings


@dataclass(frozen=True, kw_only=True, slots=True)
class ExaminationRequest:
    """What was asked for, as far as it needs no vendor."""

    games: list[str] | None
    permits: list[VerifiedPermission]
    adopted: Rulings
    seal: Seal | None


def read_request(arguments: argparse.Namespace, law: Law) -> ExaminationRequest:
    """Return what was asked for; refuse what cannot be before a vendor is started."""
    permits = load_permissions(arguments, law)
    permitted = [ruling for held in permits for ruling in held.rulings()]
    return ExaminationRequest(
        games=games_of(arguments, law),
        permits=permits,
        adopted=choose_rulings(arguments, law, permitted),
        seal=None if arguments.seal is None else read_seal(Path(arguments.seal)),
    )


def require_introduction(
    law: Law, wanted: ExaminationRequest, vendor: VendorEndpoint, session: Session
) -> Introduction:
    """Return the vendor as it introduces itself, if nothing is wrong with what it says."""
    known = introduce_vendor(session, law, wanted.games)
    faults = [*known.faults, *_files(known.description, vendor)]
    if faults:
        raise VendorBroken(faults[0])
    return known


def agree_terms(
    arguments: argparse.Namespace, law: Law, wanted: ExaminationRequest, known: Introduction
) -> Terms:
    """Return the terms that follow from what was asked for and from what the vendor offers."""
    seal = wanted.seal
    if seal is not None:
        check_seal(seal, known.description, compute_spec_digest(law))
    as_of = arguments.as_of or macau_today()
    for held in wanted.permits:
        held.require({as_of, macau_today()}, known.description, known.scope.names())
    return terms_of(
        law,
        known.scope,
        as_of=as_of.isoformat(),
        rulings=wanted.adopted.followed,
        budget=arguments.budget,
        seed=arguments.seed if seal is None else seal.sealed.number,
        provisions=arguments.provision or [],
    )


def _files(description: Any, vendor: VendorEndpoint) -> list[AdapterFault]:
    return list(check_declared_files(description, vendor.folder)) if vendor.is_local else []
