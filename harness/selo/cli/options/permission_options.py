"""The permissions that an examination is given: judged, and kept beside the evidence."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from selo.gate import Trust
    from selo.gate.permission_scope import Held
    from selo.law.loader import Law

FOLDER: Final = "permissions"


def permits_of(arguments: argparse.Namespace, law: Law) -> list[Held]:
    """Return the permissions that were named, each with a good signature."""
    named = getattr(arguments, "permission", None) or []
    if not named:
        return []
    from selo.gate.permission_scope import held  # noqa: PLC0415 - only signatures need their libraries

    trust = trusted(arguments)
    return [held(Path(one), law, trust) for one in named]


def trusted(arguments: argparse.Namespace) -> Trust:
    """Return whose signature counts."""
    from selo.gate.permission_scope import trust_in  # noqa: PLC0415 - only signatures need their libraries

    roots = [Path(one) for one in arguments.trust or []]
    return trust_in(roots, [Path(one) for one in arguments.crl or []])


def keep_permits(folder: Path, permits: Sequence[Held]) -> None:
    """Keep the signed files with their signatures in the folder of a run."""
    for number, permit in enumerate(permits, start=1):
        (folder / FOLDER).mkdir(exist_ok=True)
        name = f"{number:02}-{permit.path.name}"
        (folder / FOLDER / name).write_bytes(permit.content)
        (folder / FOLDER / f"{name}.p7s").write_bytes(permit.signature)
