"""What a registry enters of a certificate: taken from the signed document, after verifying it."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from selo.law import load_law
from selo.registry import CertificateRegistry, read_registry_policy
from selo.registry.registry_events import RegisteredFile, RegisteredInstrument, RegisteredProduct
from selo.registry.status import open_source
from selo.report.model.dossier import DocumentKind
from selo.signing.signer_policy import read_policy
from selo.signing.verify import ValidationKnowledge
from selo.storage import read_bounded
from selo.text import user_error
from selo.verification import CheckState, VerificationRequest, exit_code_of, verify_document
from selo.verification.document_parts import open_document

if TYPE_CHECKING:
    import argparse

    from selo.report.model.report_model import Report


def asked_registry(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the registry that is asked about a document, and its policy."""
    policy = arguments.registry_policy
    return {
        "registry": open_source(Path(arguments.registry)) if arguments.registry else None,
        "registry_policy": read_registry_policy(Path(policy)) if policy else None,
    }


def registered_certificate(path: Path, signers: Path, folder: Path) -> dict[str, Any]:
    """Return the fields of the event that issues a document, or refuse the document.

    The registry in `folder` says whether the certificate that it carries over from still stands;
    of the document itself it knows nothing yet.
    """
    registry = CertificateRegistry.at(folder)
    document = read_bounded(path)
    policy = read_policy(signers)
    request = VerificationRequest(
        trust=policy.roots,
        known=ValidationKnowledge(revocations=policy.revocations),
        policy=policy,
        beside=path.parent,
        registry=registry,
        registry_policy=registry.first_policy(),
    )
    checks = [
        check
        for check in verify_document(document, load_law(), request)
        if (check.name, check.key) != ("registry", "registry.unknown")
    ]
    if exit_code_of(checks):
        bad = next(check for check in checks if check.state in {CheckState.FAILED, CheckState.OPEN})
        raise user_error("registry-document", where=str(path), problem=bad.message("en"))
    report = open_document(document).report
    if report.kind is not DocumentKind.CERTIFICATE:
        raise user_error("registry-kind", where=str(path))
    if any(file.size is None or file.sha1 is None for file in report.item.files):
        raise user_error("registry-files", where=str(path))
    return {
        "certificate": report.number,
        "document": hashlib.sha256(document).hexdigest(),
        "evidence_root": report.evidence.root,
        "product": RegisteredProduct(
            vendor=report.item.vendor, name=report.item.product, version=report.item.version
        ),
        "files": [
            RegisteredFile(
                path=file.path, size=file.size or 0, sha256=file.sha256, sha1=file.sha1 or ""
            )
            for file in report.item.files
        ],
        "instruments": [
            RegisteredInstrument(
                id=norm.instrument,
                status=norm.standing,
                articles=_articles(report, norm.instrument),
            )
            for norm in report.norms
        ],
        "readings": {one.divergence: one.reading for one in report.method.adopted},
        "valid_until": report.dates.valid_until,
    }


def _articles(report: Report, instrument: str) -> dict[str, list[str]]:
    """Return the results of the provisions of each article, each once."""
    articles: dict[str, set[str]] = {}
    for provision in report.provisions:
        if provision.instrument == instrument:
            articles.setdefault(provision.article, set()).add(provision.result)
    return {article: sorted(map(str, results)) for article, results in articles.items()}
