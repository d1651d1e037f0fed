"""Whether a certificate leads to a root that somebody trusts."""

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

#: Every certificate on the way must be shown not to be revoked.
REQUIRED: Final = "require"
#: What is known of revocation counts; what is not known does not.
IF_KNOWN: Final = "soft-fail"
#: How a chain fails; the two families of errors have no parent in common.
BROKEN: Final = (PathError, ValidationError)


def validation_context(
    roots: Sequence[x509.Certificate],
    *,
    others: Sequence[x509.Certificate] = (),
    revocations: Sequence[crl.CertificateList] = (),
    mode: str = IF_KNOWN,
    at: dt.datetime | None = None,
) -> ValidationContext:
    """Return in what light chains are looked at: these roots, at that time, nothing fetched."""
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
    light: ValidationContext,
    *,
    usage: Collection[str] = (),
    others: Sequence[x509.Certificate] = (),
) -> str | None:
    """Return why `certificate` leads to no trusted root, if it does not."""
    validator = CertificateValidator(certificate, others, validation_context=light)
    try:
        path = asyncio.run(validator.async_validate_usage(set(usage)))
    except BROKEN as error:
        return str(error)
    gone = first_revoked(path, light.crls, light.moment)
    return None if gone is None else f"{gone.subject.human_friendly} was revoked"


def first_revoked(
    path: ValidationPath, lists: Iterable[crl.CertificateList], moment: dt.datetime
) -> x509.Certificate | None:
    """Return the first certificate on `path` that was revoked before `moment`.

    pyHanko asks a list only if the certificate says where to get one, or if all of them are there.
    """
    for certificate, own in _with_lists(path, lists):
        for one in own:
            entry = one.get_revoked_certificate_by_serial_number(certificate.serial_number)
            if entry is not None and entry.revocation_date_utc <= moment:
                return certificate
    return None


def is_revocation_known(
    path: ValidationPath, lists: Iterable[crl.CertificateList], moment: dt.datetime
) -> bool:
    """Return whether for each certificate on `path` a list of its issuer held at `moment`.

    pyHanko wants a way to a root for each list anew, which a trusted authority below a root has
    not.
    """
    return all(
        any(_is_list_valid(one, moment) for one in own) for _, own in _with_lists(path, lists)
    )


def _with_lists(
    path: ValidationPath, lists: Iterable[crl.CertificateList]
) -> Iterator[tuple[x509.Certificate, list[CertificateRevocationList]]]:
    """Yield each certificate below the root with the lists that its own issuer signed."""
    for above, certificate in itertools.pairwise(path.iter_certs(include_root=True)):
        public: Any = serialization.load_der_public_key(above.public_key.dump())
        own = [load_der_x509_crl(one.dump()) for one in lists if one.issuer == above.subject]
        yield certificate, [one for one in own if one.is_signature_valid(public)]


def _is_list_valid(one: CertificateRevocationList, moment: dt.datetime) -> bool:
    """Return whether a list speaks of all certificates of its issuer, and of that moment."""
    until = one.next_update_utc
    whole = not any(extension.critical for extension in one.extensions)
    return whole and until is not None and one.last_update_utc <= moment <= until
