"""``--since``: what a run carries over from an earlier certificate, decided before its plan."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from selo.cli.resolved_options.registry_entry import asked_registry
from selo.delta import CarryDecision, EarlierCertificate, read_change_policy
from selo.examine.behaviour import CanonicalAnswers, Predecessor
from selo.examine.behaviour.canonical_set import PREDECESSOR_FILE
from selo.law.status import macau_today
from selo.signing.signer_policy import SignerPolicy, read_policy
from selo.signing.verify import ValidationKnowledge
from selo.storage import read_bounded, write_file
from selo.text import user_error
from selo.verification import CheckState, VerificationRequest, verify_document
from selo.verification.document_side import open_document_side, sources_at_hand

#: The checks that say whether a certificate stands today.
_OF_TODAY: Final = ("registry", "validity")

if TYPE_CHECKING:
    import argparse

    from selo.examine.run.evidence_header import Header
    from selo.law import Law


def require_since_allowed(arguments: argparse.Namespace, law: Law) -> None:
    """Refuse ``--since`` where nothing can be carried over, before the vendor is asked anything."""
    if arguments.seal is None:
        raise user_error("since-unsealed")
    if arguments.provision:
        raise user_error("since-partial")
    path, policy = Path(arguments.since), _policy_of(arguments)
    request = VerificationRequest(
        trust=policy.roots,
        known=ValidationKnowledge(revocations=policy.revocations),
        policy=policy,
        beside=path.parent,
        **asked_registry(arguments),
    )
    for check in verify_document(read_bounded(path), law, request):
        # A certificate that does not stand today is genuine, and nothing is carried over from it.
        stands = check.name not in _OF_TODAY or check.state is CheckState.HOLDS
        if check.state is CheckState.FAILED or not stands:
            problem = check.message(arguments.lang)
            raise user_error("since-refused", path=path, problem=problem)


def _policy_of(arguments: argparse.Namespace) -> SignerPolicy:
    return SignerPolicy() if arguments.signers is None else read_policy(Path(arguments.signers))


def carry_over(
    arguments: argparse.Namespace, law: Law, header: Header, canonical: CanonicalAnswers
) -> Header:
    """Return the header of a run that examines only what it must, by its canonical answers."""
    path = Path(arguments.since)
    document = read_bounded(path)
    policy = _policy_of(arguments)
    sources = sources_at_hand(law, policy, is_signed=bool(policy.roots))
    with open_document_side(document, sources, path.parent, prove=False) as side:
        carried = CarryDecision(
            earlier=EarlierCertificate(
                report=side.report, header=side.header, law=side.law, canonical=side.canonical
            ),
            law=law,
            terms=header.terms,
            description=header.description,
            canonical=canonical,
            first_day=macau_today(),
            policy=read_change_policy(),
        ).carried()
        if not carried or side.report is None:
            return header
        predecessor = Predecessor(
            certificate=side.report.number,
            sha256=hashlib.sha256(document).hexdigest(),
            evidence_root=side.report.evidence.root,
            carried=carried,
        )
    terms = msgspec.structs.replace(header.terms, carried=sorted(carried))
    write_file(Path(arguments.out) / PREDECESSOR_FILE, document)
    return msgspec.structs.replace(header, terms=terms, plan=terms.digest, predecessor=predecessor)
