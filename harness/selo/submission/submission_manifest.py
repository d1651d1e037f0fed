"""What a vendor submits: the form that it fills in, and the manifest of files that it signs.

A submission is a folder:

=====================  =========================================================================
``submission.yaml``    the form: product, games, adapter, dossier, PAR sheets, declaration
``product/``           the product as it is delivered, with its adapter
``dossier.yaml``       what only the vendor knows of the product
``submission.json``    the form again, and every file with its digests, as canonical JSON
``submission.json.p7s``  the vendor's signature over it, a detached CMS
=====================  =========================================================================
"""

from __future__ import annotations

import datetime as dt
import enum
from typing import TYPE_CHECKING, Annotated, Final

import msgspec
from msgspec import Meta

from selo.evidence.canonical_json import NotCanonical, decode_canonical, encode_canonical
from selo.evidence.run_files import SUBMISSION_FILE, SUBMISSION_SIGNATURE_FILE
from selo.gate.permission_signature import sign_permission
from selo.registry.file_identification import hash_files
from selo.storage import read_bounded
from selo.yaml_file import read_yaml

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from selo.signing.keys import SigningKey

FORM_FILE: Final = "submission.yaml"
_FORMAT: Final = 1

_NonEmpty = Annotated[str, Meta(min_length=1, max_length=1000)]
_Sha256 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
_Sha1 = Annotated[str, Meta(pattern="^[0-9a-f]{40}$")]


class _SubmissionModel(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class DeclaredStatement(enum.StrEnum):
    """What a vendor declares of its submission."""

    #: The submitted build is the one that is delivered.
    EQUALS_DELIVERY = "equals-delivery"
    #: Every file that the product runs is among those submitted.
    FILES_COMPLETE = "files-complete"
    #: The adapter asks the product and settles nothing itself.
    ADAPTER_ONLY_ASKS = "adapter-only-asks"
    #: Nothing in the product behaves otherwise when it is examined.
    NOTHING_HIDDEN = "nothing-hidden"


class VendorDeclaration(_SubmissionModel, frozen=True):
    """Who declares what, and when."""

    by: _NonEmpty
    capacity: _NonEmpty
    on: dt.date
    statements: list[DeclaredStatement] = []


class SubmissionForm(_SubmissionModel, frozen=True):
    """What a vendor fills in; paths are those in the folder of the submission."""

    vendor: _NonEmpty
    product: _NonEmpty
    version: _NonEmpty
    games: Annotated[list[_NonEmpty], Meta(min_length=1)]
    #: How the adapter is started, in the folder of the product.
    command: _NonEmpty
    declaration: VendorDeclaration
    folder: _NonEmpty = "product"
    dossier: _NonEmpty = "dossier.yaml"
    #: The PAR sheet of each game.
    par: dict[str, _NonEmpty] = {}


class SubmittedFile(_SubmissionModel, frozen=True):
    """A file of a submission."""

    path: _NonEmpty
    size: Annotated[int, Meta(ge=0)]
    sha256: _Sha256
    sha1: _Sha1


class SubmissionManifest(_SubmissionModel, frozen=True):
    """What the vendor signs."""

    format: Annotated[int, Meta(ge=_FORMAT, le=_FORMAT)]
    form: SubmissionForm
    files: Annotated[list[SubmittedFile], Meta(min_length=1)]

    def product_files(self) -> dict[str, SubmittedFile]:
        """Return the files of the product, by their path in its folder."""
        inside = f"{self.form.folder.rstrip('/')}/"
        return {
            file.path.removeprefix(inside): file
            for file in self.files
            if file.path.startswith(inside)
        }


def read_form(folder: Path) -> SubmissionForm:
    """Return the form of a submission, or raise with the line of the error."""
    return read_yaml(folder / FORM_FILE).convert(SubmissionForm)


def list_files(folder: Path) -> Iterator[tuple[str, SubmittedFile | None]]:
    """Yield every file of a submission but its signature; nothing for a link or a device."""
    for file in hash_files([folder]):
        if file.path in {SUBMISSION_FILE, SUBMISSION_SIGNATURE_FILE}:
            continue
        yield (
            file.path,
            SubmittedFile(path=file.path, size=file.size, sha256=file.sha256, sha1=file.sha1)
            if file.sha256
            else None,
        )


def pack_submission(folder: Path, key: SigningKey, at: dt.datetime) -> tuple[bytes, bytes]:
    """Return the manifest of a folder without problems, and the vendor's signature over it."""
    files = [file for _, file in list_files(folder) if file is not None]
    manifest = SubmissionManifest(format=_FORMAT, form=read_form(folder), files=files)
    content = encode_canonical(msgspec.to_builtins(manifest))
    return content, sign_permission(content, key, at)


def parse_manifest(content: bytes) -> SubmissionManifest:
    """Return the manifest in `content`; only its one canonical form is accepted."""
    try:
        return msgspec.convert(decode_canonical(content), SubmissionManifest, strict=False)
    except (NotCanonical, msgspec.ValidationError) as error:
        raise ValueError(str(error)) from error


def read_manifest(folder: Path) -> tuple[bytes, bytes | None]:
    """Return the bytes of the manifest in a folder and of its signature, if there is one."""
    content = read_bounded(folder / SUBMISSION_FILE)
    try:
        return content, read_bounded(folder / SUBMISSION_SIGNATURE_FILE)
    except OSError:
        return content, None
