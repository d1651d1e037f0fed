"""The terms of an examination: the request on the command line, matched with the vendor's offer."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from selo.cli.parser.shared_arguments import CERTIFICATE_DRAWS
from selo.cli.resolved_options import load_permissions
from selo.cli.resolved_options.vendor_options import choose_rulings, games_of
from selo.examine.coverage.plan_listing import with_certificate_draws
from selo.examine.findings.par_findings import check_sheets
from selo.examine.plan import terms_of
from selo.examine.run.seed_commitment import read_seal, require_fitting_seal
from selo.examine.vendor_description import check_declared_files, introduce_vendor
from selo.law import compute_spec_digest
from selo.law.status import macau_today
from selo.rules.odds import read_par_sheet
from selo.vendors.faults import AdapterFault, VendorBroken

if TYPE_CHECKING:
    import argparse

    from selo.examine.exchange import VendorEndpoint
    from selo.examine.plan import Terms
    from selo.examine.run.seed_commitment import Seal
    from selo.examine.vendor_description import Introduction
    from selo.gate.permission_scope import VerifiedPermission
    from selo.law import Law
    from selo.rules.odds.par_sheet import ParSheet
    from selo.vendors.session import Session
    from selo.verdict.rulings import Rulings


@dataclass(frozen=True, kw_only=True, slots=True)
class ExaminationRequest:
    """The request on the command line, as far as it needs no vendor."""

    games: list[str] | None
    permits: list[VerifiedPermission]
    adopted: Rulings
    seal: Seal | None
    #: What the vendor declares of the chances of its bets.
    par: list[ParSheet]


def read_request(arguments: argparse.Namespace, law: Law) -> ExaminationRequest:
    """Return the request; an impossible one is refused before the vendor is started."""
    permits = load_permissions(arguments, law)
    permitted = [ruling for held in permits for ruling in held.rulings()]
    adopted = choose_rulings(arguments, law, permitted)
    sheets = [read_par_sheet(Path(name)) for name in getattr(arguments, "par", None) or ()]
    # A sheet that names no known game or bet is refused before anything is asked.
    for _ in check_sheets(law, sheets, adopted.followed):
        pass
    return ExaminationRequest(
        games=games_of(arguments, law),
        permits=permits,
        adopted=adopted,
        par=sheets,
        seal=None if arguments.seal is None else read_seal(Path(arguments.seal)),
    )


def require_introduction(
    law: Law, request: ExaminationRequest, vendor: VendorEndpoint, session: Session
) -> Introduction:
    """Return the vendor's introduction; raise the first fault if it has any."""
    introduction = introduce_vendor(session, law, request.games)
    faults = [*introduction.faults, *_check_files(introduction.description, vendor)]
    if faults:
        raise VendorBroken(faults[0])
    return introduction


def agree_terms(
    arguments: argparse.Namespace, law: Law, request: ExaminationRequest, introduction: Introduction
) -> Terms:
    """Return the terms that follow from the request and from what the vendor offers."""
    seal = request.seal
    if seal is not None:
        require_fitting_seal(seal.sealed, introduction.description, compute_spec_digest(law))
    as_of = arguments.as_of or macau_today()
    for permission in request.permits:
        permission.require(
            {as_of, macau_today()}, introduction.description, introduction.scope.names()
        )
    terms = terms_of(
        law,
        introduction.scope,
        as_of=as_of.isoformat(),
        text_as_stored=arguments.text_as_stored,
        rulings=request.adopted.followed,
        budget=arguments.budget,
        seed=arguments.seed if seal is None else seal.sealed.number,
        provisions=arguments.provision or [],
        draws=0 if arguments.draws == CERTIFICATE_DRAWS else arguments.draws,
        rounds=arguments.rounds,
    )
    if arguments.draws == CERTIFICATE_DRAWS:
        return with_certificate_draws(law, terms, introduction.offers())
    return terms


def _check_files(description: Any, vendor: VendorEndpoint) -> list[AdapterFault]:
    return list(check_declared_files(description, vendor.folder)) if vendor.is_local else []
