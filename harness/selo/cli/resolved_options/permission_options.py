"""Permissions and editions that the authority signed: verified, and kept beside the evidence."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from selo.edition import (
    EDITION_SIGNATURE_FILE,
    SIGNED_EDITION_FILE,
    describe_edition,
    digest_edition,
    read_edition_files,
)
from selo.examine.run.granted_permissions import PERMISSIONS_FOLDER
from selo.storage import write_file
from selo.text import user_error

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from selo.gate.permission_scope import VerifiedPermission
    from selo.gate.permission_signature import Trust
    from selo.law import Law


def load_permissions(arguments: argparse.Namespace, law: Law) -> list[VerifiedPermission]:
    """Return the permissions that the command line names; each signature is verified."""
    paths = getattr(arguments, "permission", None) or []
    if not paths:
        return []
    from selo.gate.permission_scope import verify_permission  # noqa: PLC0415 - only signatures need their libraries

    trust = load_trust(arguments)
    permits = [verify_permission(Path(path), law, trust) for path in paths]
    for permit in permits:
        if permit.permission.law is not None and not permit.edition:
            raise user_error("permission-law-apart", where=str(permit.path))
    return permits


def load_trust(arguments: argparse.Namespace) -> Trust:
    """Return the trusted certificates and revocation lists."""
    from selo.gate.permission_scope import read_trust  # noqa: PLC0415 - only signatures need their libraries

    roots = [Path(path) for path in arguments.trust or []]
    return read_trust(roots, [Path(path) for path in arguments.crl or []])


def read_signed_edition(arguments: argparse.Namespace, law: Law) -> SignedEditionFiles | None:
    """Return the signed edition that the command line names; it must be that of `law`."""
    if getattr(arguments, "edition", None) is None:
        return None
    from selo.gate.permission_signature import name_signer  # noqa: PLC0415 - only signatures need their libraries
    from selo.storage import read_bounded  # noqa: PLC0415 - the same

    path = Path(arguments.edition)
    content = read_bounded(path)
    signature = read_bounded(path.with_name(f"{path.name}.p7s"))
    if content != describe_edition(law):
        edition = digest_edition(read_edition_files(law))
        raise user_error("edition-other", path=path, edition=edition)
    return SignedEditionFiles(content, signature, name_signer(signature, path))


class SignedEditionFiles(NamedTuple):
    """An edition as it was signed, its signature, and who the certificate says has signed."""

    content: bytes
    signature: bytes
    signer: str

    def keep(self, folder: Path) -> None:
        """Keep both files in the folder of a run."""
        write_file(folder / SIGNED_EDITION_FILE, self.content)
        write_file(folder / EDITION_SIGNATURE_FILE, self.signature)


def keep_permissions(folder: Path, permits: Sequence[VerifiedPermission]) -> None:
    """Keep the signed files with their signatures in the folder of a run."""
    for number, permit in enumerate(permits, start=1):
        (folder / PERMISSIONS_FOLDER).mkdir(exist_ok=True)
        name = f"{number:02}-{permit.path.name}"
        write_file(folder / PERMISSIONS_FOLDER / name, permit.content)
        write_file(folder / PERMISSIONS_FOLDER / f"{name}.p7s", permit.signature)
