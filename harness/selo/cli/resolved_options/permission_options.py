"""Permissions of the authority: verified, and kept beside the evidence."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from selo.examine.run.granted_permissions import PERMISSIONS_FOLDER

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
    return [verify_permission(Path(path), law, trust) for path in paths]


def load_trust(arguments: argparse.Namespace) -> Trust:
    """Return the trusted certificates and revocation lists."""
    from selo.gate.permission_scope import read_trust  # noqa: PLC0415 - only signatures need their libraries

    roots = [Path(path) for path in arguments.trust or []]
    return read_trust(roots, [Path(path) for path in arguments.crl or []])


def keep_permissions(folder: Path, permits: Sequence[VerifiedPermission]) -> None:
    """Keep the signed files with their signatures in the folder of a run."""
    for number, permit in enumerate(permits, start=1):
        (folder / PERMISSIONS_FOLDER).mkdir(exist_ok=True)
        name = f"{number:02}-{permit.path.name}"
        (folder / PERMISSIONS_FOLDER / name).write_bytes(permit.content)
        (folder / PERMISSIONS_FOLDER / f"{name}.p7s").write_bytes(permit.signature)
