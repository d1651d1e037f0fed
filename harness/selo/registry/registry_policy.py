"""Who may cause which event of a registry, and how long its heads are good for.

The policy is a small file; its digest stands in the event that opens the registry, so nobody can
exchange it unnoticed. Whoever relies on a registry gives the policy that they trust.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Annotated, Final

import msgspec
from msgspec import Meta

from selo.registry.registry_events import EventKind
from selo.signing.keys.certificates import load_certificates, load_revocations
from selo.signing.signer_policy import AllowedSigner
from selo.storage import read_bounded
from selo.text import user_error
from selo.yaml_file import read_yaml

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from asn1crypto import crl, x509

    from selo.signing import SignerIdentity

#: The name under which a policy lists who may sign heads and lists.
HEAD: Final = "head"


class RegistryPolicyFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The file of a policy; certificates stand beside it."""

    roots: list[str]
    revocations: list[str] = []
    #: Certificates that a signature may leave out; they are trusted no more for standing here.
    certificates: list[str] = []
    #: For how many days a head, or a list made from it, may be relied on.
    days: Annotated[int, Meta(ge=1, le=3660)]
    #: Who may cause each kind of event; ``head`` is who may sign heads and lists.
    signers: dict[str, list[AllowedSigner]]
    #: Whether every head must have a time stamp (RFC 3161) of an authority under the roots.
    stamps: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class RegistryPolicy:
    """A policy that was read, with its certificates."""

    digest: str
    days: int
    roots: tuple[x509.Certificate, ...]
    revocations: tuple[crl.CertificateList, ...]
    signers: Mapping[str, tuple[AllowedSigner, ...]]
    certificates: tuple[x509.Certificate, ...] = ()
    #: The names of the files beside it.
    beside: tuple[str, ...] = ()
    stamps: bool = False

    def allows(self, identity: SignerIdentity, kind: str) -> bool:
        """Return whether somebody may cause events of a kind, or sign heads."""
        return any(signer.is_met_by(identity) for signer in self.signers.get(kind, ()))

    def allows_span(self, at: dt.datetime, expires: dt.datetime) -> bool:
        """Return whether a head of a time may be relied on until another."""
        return at < expires <= at + dt.timedelta(days=self.days)

    def files_beside(self, folder: Path) -> list[tuple[str, Path]]:
        """Return the names of the files beside the policy, and where they are in its folder."""
        return [(name, folder / name) for name in self.beside]


def read_registry_policy(path: Path) -> RegistryPolicy:
    """Return the policy in `path`."""
    document = read_yaml(path)
    file = document.convert(RegistryPolicyFile)
    known = {HEAD, *EventKind}
    for name, signers in file.signers.items():
        if name not in known or not all(signer.is_clear for signer in signers):
            line = document.line("signers", name)
            kinds = ", ".join(sorted(known))
            raise user_error("registry-policy", where=f"{path}:{line}", name=name, known=kinds)
    if not file.roots:
        raise user_error("registry-roots", where=f"{path}:{document.line('roots')}")
    folder = path.parent
    beside = (*file.roots, *file.revocations, *file.certificates)
    for name in beside:
        if PurePosixPath(name).is_absolute() or ".." in PurePosixPath(name).parts:
            raise user_error("registry-beside", where=str(path), name=name)
    return RegistryPolicy(
        digest=hashlib.sha256(read_bounded(path)).hexdigest(),
        days=file.days,
        roots=tuple(one for name in file.roots for one in load_certificates(folder / name)),
        revocations=tuple(load_revocations(folder / name) for name in file.revocations),
        signers={name: tuple(signers) for name, signers in file.signers.items()},
        certificates=tuple(
            one for name in file.certificates for one in load_certificates(folder / name)
        ),
        beside=beside,
        stamps=file.stamps,
    )
