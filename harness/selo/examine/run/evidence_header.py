"""The header of evidence: everything that determines what is asked and expected."""

from __future__ import annotations

import hashlib
import importlib.metadata
import platform
import secrets
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

import selo
from selo import __version__
from selo.engine import can_judge
from selo.evidence import EvidenceReader
from selo.evidence.evidence_errors import AlterationSign, EvidenceTampered
from selo.evidence.merkle import HASH_BYTES
from selo.evidence.run_files import CASES_FILE
from selo.examine.behaviour import CanonicalAnswers, Predecessor
from selo.examine.plan import Terms
from selo.examine.run.granted_permissions import GrantedPermission
from selo.law import compute_spec_digest
from selo.protocol.messages import Description
from selo.rules.odds.par_sheet import ParSheet
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
_DEPENDENCIES: Final = ("msgspec", "numpy", "pyyaml", "scipy", "zstandard")


TOOL_FIELDS: Final = ("selo", TOOL_DIGEST, "python", *_DEPENDENCIES)
#: What earlier versions said besides: they checked conditions with Google's engine.
FORMER_TOOL_FIELDS: Final = ("cel-expr-python",)


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
    #: A timestamp token over the commitment (RFC 3161), as base64.
    commitment_token: str | None = None
    #: How the product was reached: ``process``, ``object`` (in our process) or ``server``.
    reached: str = ""
    #: The files that the command started, by their paths in the vendor's folder.
    started: list[str] = []
    #: The digest of the law files of the run, which lie beside the evidence.
    edition: str = ""
    #: What the vendor declares of the chances of its bets.
    par: list[ParSheet] = []
    #: The answers to the canonical set, which lie beside the evidence; of a sealed run alone.
    canonical: CanonicalAnswers | None = None
    #: The certificate from which provisions are carried over, which lies beside the evidence.
    predecessor: Predecessor | None = None

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
    commitment_token: str | None = None,
    reached: str = "",
    started: Sequence[str] = (),
    isolation: Mapping[str, bool] | None = None,
    permissions: Sequence[GrantedPermission] = (),
    not_offered: Sequence[str] = (),
    par: Sequence[ParSheet] = (),
    canonical: CanonicalAnswers | None = None,
    predecessor: Predecessor | None = None,
) -> Header:
    """Return the header of a new run."""
    return Header(
        terms=terms,
        plan=terms.digest,
        description=description,
        adopted=adopted,
        commitment=commitment,
        commitment_token=commitment_token,
        reached=reached,
        started=list(started),
        tool={
            "selo": __version__,
            TOOL_DIGEST: compute_tool_digest(),
            "python": platform.python_version(),
            **{name: importlib.metadata.version(name) for name in _DEPENDENCIES},
        },
        confinement={**dict.fromkeys(GUARANTEES, False), **(isolation or {})},
        permissions=list(permissions),
        not_offered=list(not_offered),
        par=list(par),
        canonical=canonical,
        predecessor=predecessor,
    )


def draw_salt_secret(header: Header) -> bytes | None:
    """Return a new secret for the salts of a run.

    Only what a sealed run leads to is published. Any other run has the same root each time.
    """
    return None if header.commitment is None else secrets.token_bytes(HASH_BYTES)


def header_of(folder: Path, fields: dict[str, Any]) -> Header:
    """Return the header of the evidence in `folder`; raise if it is not one, or not in its form."""
    path = folder / CASES_FILE.file
    try:
        header = msgspec.convert(fields, Header)
    except (msgspec.ValidationError, RecursionError) as error:
        raise EvidenceTampered(path=path, sign=AlterationSign.CLAIM, what=str(error)) from error
    # A field that is left out has its default, and is compared as such.
    invented = _find_invented(fields, msgspec.to_builtins(header))
    if invented is not None:
        what = f"the header has a field that nobody knows: {invented}"
        raise EvidenceTampered(path=path, sign=AlterationSign.CLAIM, what=what)
    return header


def _find_invented(given: Any, known: Any, where: str = "$") -> str | None:
    """Return the first field in `given` that was not read into `known`."""
    if isinstance(given, dict) and isinstance(known, dict):
        for name, value in given.items():
            if name not in known and value:
                return f"{where}.{name}"
            found = _find_invented(value, known.get(name), f"{where}.{name}")
            if found is not None:
                return found
    elif isinstance(given, list) and isinstance(known, list):
        for at, (value, read) in enumerate(zip(given, known, strict=False)):
            found = _find_invented(value, read, f"{where}[{at}]")
            if found is not None:
                return found
    return None


def parse_header(fields: dict[str, Any]) -> Header | None:
    """Return the header of an examination, or None if the fields are not those of one."""
    try:
        return msgspec.convert(fields, Header)
    except msgspec.ValidationError:
        return None


def is_same_program(header: Header) -> bool:
    """Return whether exactly this program made the evidence, by the digest of its modules."""
    return header.tool.get(TOOL_DIGEST) == compute_tool_digest()


def is_current(header: Header, law: Law) -> bool:
    """Return whether these law files, with this engine, judge the evidence of a header."""
    terms = header.terms
    return terms.spec_digest == compute_spec_digest(law) and can_judge(terms.engine_number)


def read_header(folder: Path) -> Header:
    """Return the header of the evidence in `folder`."""
    return header_of(folder, EvidenceReader(folder).read().header)


class FinishedRun(msgspec.Struct, frozen=True, kw_only=True):
    """The root, header and footer of a finished run."""

    root: str
    header: Header
    footer: dict[str, Any]
