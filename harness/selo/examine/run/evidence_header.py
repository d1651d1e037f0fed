"""The header of evidence: everything that determines what is asked and expected."""

from __future__ import annotations

import hashlib
import importlib.metadata
import platform
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

import selo
from selo import __version__
from selo.evidence import EvidenceReader
from selo.examine.plan import Terms
from selo.examine.run.granted_permissions import GrantedPermission
from selo.law import compute_spec_digest
from selo.protocol.messages import Description
from selo.vendors.sandbox import GUARANTEES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from selo.law import Law


#: The name of the digest among the versions of the tools that a run was made with.
TOOL_DIGEST: Final = "selo-sha256"


@cache
def compute_tool_digest() -> str:
    """Return the SHA-256 over every module of Selo: its path in the package, and its bytes."""
    folder = Path(selo.__file__).parent
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.py"), key=lambda file: file.relative_to(folder).as_posix()):
        name = path.relative_to(folder).as_posix()
        digest.update(f"{name}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()


#: The packages that decide how answers are read and judged, besides Selo itself.
_DEPENDENCIES: Final = ("cel-expr-python", "msgspec", "numpy", "pyyaml", "scipy", "zstandard")


class Header(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """The first line of evidence: everything that determines what is asked and expected."""

    terms: Terms
    plan: str
    description: Description
    #: Who adopted which reading, and from where.
    adopted: list[dict[str, Any]]
    #: What an inspector made public before the run.
    commitment: str | None
    tool: dict[str, str]
    #: Each guarantee of the vendor's room, and whether a probe in it found that it holds.
    confinement: dict[str, bool]
    #: What the authority has signed for this product.
    permissions: list[GrantedPermission] = []
    #: Games that were asked for and that the vendor does not offer.
    not_offered: list[str] = []

    @property
    def games(self) -> list[str]:
        """Every game in scope, those that are not offered last."""
        return [*self.terms.game_names, *self.not_offered]


def build_header(  # noqa: PLR0913 - everything that determines a run
    terms: Terms,
    description: Description,
    *,
    adopted: list[dict[str, Any]],
    commitment: str | None,
    isolation: Mapping[str, bool] | None = None,
    permissions: Sequence[GrantedPermission] = (),
    not_offered: Sequence[str] = (),
) -> Header:
    """Return the header of a new run."""
    return Header(
        terms=terms,
        plan=terms.digest,
        description=description,
        adopted=adopted,
        commitment=commitment,
        tool={
            "selo": __version__,
            TOOL_DIGEST: compute_tool_digest(),
            "python": platform.python_version(),
            **{name: importlib.metadata.version(name) for name in _DEPENDENCIES},
        },
        confinement={**dict.fromkeys(GUARANTEES, False), **(isolation or {})},
        permissions=list(permissions),
        not_offered=list(not_offered),
    )


def parse_header(fields: dict[str, Any]) -> Header | None:
    """Return the header of an examination, or None if the fields are not those of one."""
    try:
        return msgspec.convert(fields, Header)
    except msgspec.ValidationError:
        return None


def is_current(header: Header, law: Law) -> bool:
    """Return whether this version and these law files make the plan of a header again."""
    terms = header.terms
    return terms.spec_digest == compute_spec_digest(law) and terms.selo == __version__


def read_header(folder: Path) -> Header:
    """Return the header of the evidence in `folder`."""
    return msgspec.convert(EvidenceReader(folder).read().header, Header)


class FinishedRun(msgspec.Struct, frozen=True, kw_only=True):
    """The root, header and footer of a finished run."""

    root: str
    header: Header
    footer: dict[str, Any]
