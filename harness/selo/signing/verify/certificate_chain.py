"""Validation of certificate chains up to a trusted root, with revocation lists."""

from __future__ import annotations

import asyncio
import itertools
from typing import TYPE_CHECKING, Any, Final

from cryptography.hazmat.primitives import serialization
from cryptography.x509 import load_der_x509_crl
from pyhanko_certvalidator import CertificateValidator, ValidationContext
from pyhanko_certvalidator.errors import PathError, ValidationError

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from asn1crypto import crl, x509
    from cryptography.x509 import CertificateRevocationList
    from pyhanko_certvalidator.path import ValidationPath

#: Every certificate of the chain needs proof that it is not revoked.
REVOCATION_REQUIRED: Final = "require"
#: Available revocation lists are applied; missing ones are ignored.
REVOCATION_IF_KNOWN: Final = "soft-fail"
#: What chain validation raises; the two families have no common base class.
CHAIN_ERRORS: Final = (PathError, ValidationError)


def validation_context(
    roots: Sequence[x509.Certificate],
    *,
    others: Sequence[x509.Certificate] = (),
    revocations: Sequence[crl.CertificateList] = (),
    mode: str = REVOCATION_IF_KNOWN,
    at: dt.datetime | None = None,
) -> ValidationContext:
    """Return the context for validating chains to `roots` at time `at`, without network access."""
    return ValidationContext(
        trust_roots=list(roots),
        other_certs=list(others),
        crls=list(revocations),
        allow_fetching=False,
        revocation_mode=mode,
        moment=at,
    )


def chain_problem(
    certificate: x509.Certificate,
    context: ValidationContext,
    *,
    usage: Collection[str] = (),
    others: Sequence[x509.Certificate] = (),
) -> str | None:
    """Return why `certificate` does not chain to a trusted root, or nothing if it does."""
    validator = CertificateValidator(certificate, others, validation_context=context)
    try:
        path = asyncio.run(validator.async_validate_usage(set(usage)))
    except CHAIN_ERRORS as error:
        return str(error)
    revoked = first_revoked(path, context.crls, context.moment)
    return None if revoked is None else f"{revoked.subject.human_friendly} was revoked"


def first_revoked(
    path: ValidationPath, lists: Iterable[crl.CertificateList], moment: dt.datetime
) -> x509.Certificate | None:
    """Return the first certificate on `path` that was revoked before `moment`.

    pyHanko consults a list only if the certificate names a distribution point or all lists exist.
    """
    for certificate, issuer_lists in _with_revocation_lists(path, lists):
        for revocation_list in issuer_lists:
            entry = revocation_list.get_revoked_certificate_by_serial_number(
                certificate.serial_number
            )
            if entry is not None and entry.revocation_date_utc <= moment:
                return certificate
    return None


def is_revocation_known(
    path: ValidationPath, lists: Iterable[crl.CertificateList], moment: dt.datetime
) -> bool:
    """Return whether each certificate on `path` has a list of its issuer valid at `moment`.

    pyHanko validates a path to a root for each list, which fails for a trust anchor that is not a
    root.
    """
    return all(
        any(_is_complete_at(revocation_list, moment) for revocation_list in issuer_lists)
        for _, issuer_lists in _with_revocation_lists(path, lists)
    )


def _with_revocation_lists(
    path: ValidationPath, lists: Iterable[crl.CertificateList]
) -> Iterator[tuple[x509.Certificate, list[CertificateRevocationList]]]:
    """Yield each certificate below the root with the lists that its issuer signed."""
    for issuer, certificate in itertools.pairwise(path.iter_certs(include_root=True)):
        public_key: Any = serialization.load_der_public_key(issuer.public_key.dump())
        issuer_lists = [
            load_der_x509_crl(revocation_list.dump())
            for revocation_list in lists
            if revocation_list.issuer == issuer.subject
        ]
        yield (
            certificate,
            [
                revocation_list
                for revocation_list in issuer_lists
                if revocation_list.is_signature_valid(public_key)
            ],
        )


def _is_complete_at(revocation_list: CertificateRevocationList, moment: dt.datetime) -> bool:
    """Return whether a list covers all certificates of its issuer and is valid at `moment`."""
    until = revocation_list.next_update_utc
    unrestricted = not any(extension.critical for extension in revocation_list.extensions)
    return unrestricted and until is not None and revocation_list.last_update_utc <= moment <= until
