"""An edition: the law files as they are, packed into one file that travels with evidence.

A packed edition is Zstandard over one line of canonical JSON for each file: its name and its text.
Its digest is over names and contents, not over how they are packed. Messages and help belong to
the program and not to the law, so they are not part of an edition.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
import zstandard

from selo import data_files
from selo.edition_completion import complete_edition
from selo.engine import ENGINE, FIRST_TOLD_BY_LAW
from selo.errors import SeloError, SpecError
from selo.evidence.canonical_json import encode_canonical
from selo.law import compute_spec_digest, load_law
from selo.storage import read_bounded, read_json, write_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from selo.law import Law

#: The file of a packed edition in the folder of a run and in a document.
EDITION_FILE: Final = "law.jsonl.zst"
#: The editions of all releases, by digest, in ``specs/``.
RELEASES_FILE: Final = "editions.json"
#: An edition as an authority signed it, and the signature, beside it.
SIGNED_EDITION_FILE: Final = "edition.json"
EDITION_SIGNATURE_FILE: Final = "edition.json.p7s"
_LEVEL: Final = 9
#: Bounds of what is unpacked, whatever a file claims; the law has a few megabytes in 400 files.
_MAX_PACKED_BYTES: Final = 16 << 20
_MAX_BYTES: Final = 64 << 20
_MAX_FILES: Final = 5_000
_NAME: Final = re.compile(
    r"specs/[a-z0-9-]{1,64}(/[a-z0-9-]{1,64}){1,2}\.yaml"
    r"|bilingual/[a-z-]{1,64}\.yaml|bilingual/sources/[A-Za-z0-9_-][A-Za-z0-9._-]{0,120}"
)
#: Folders and files beside the law that are not law.
_SCHEMA_FOLDER: Final = "schema"
_PROGRAM_FILES: Final = frozenset({"help.yaml", "changes.yaml"})
_FORMAT: Final = 1
#: What is raised by law files that cannot be used.
_UNREADABLE: Final = (
    SpecError, ValueError, LookupError, TypeError, AttributeError, RecursionError,
)  # fmt: skip
_READ_ONLY: Final = 0o400
_LOCKED_FOLDER: Final = 0o500
_OWN_FOLDER: Final = 0o700


class EditionBroken(SeloError):
    """A packed edition that cannot be read, or that is not what it is said to be."""

    code = "tampered"


class _PackedFile(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """A file as text, or as base64 if it is none: a page of a gazette may be anything."""

    name: str
    text: str | None = None
    base64: bytes | None = None

    @classmethod
    def of(cls, name: str, content: bytes) -> _PackedFile:
        """Return a packed file."""
        try:
            return cls(name=name, text=content.decode("utf-8"))
        except UnicodeDecodeError:
            return cls(name=name, base64=content)

    def content(self) -> bytes:
        """Return the content of the file."""
        return self.base64 or b"" if self.text is None else self.text.encode("utf-8")


#: The content of each file of an edition, by name.
EditionFiles = dict[str, bytes]


def read_edition_files(law: Law) -> EditionFiles:
    """Return the files from which `law` was read."""
    return _read_files(law.specs, law.bilingual)


def _read_files(specs: Path, bilingual: Path) -> EditionFiles:
    paths = {
        f"specs/{path.relative_to(specs).as_posix()}": path
        for path in specs.glob("*/**/*.yaml")
        if path.relative_to(specs).parts[0] != _SCHEMA_FOLDER
    }
    paths |= {
        f"bilingual/{path.name}": path
        for path in bilingual.glob("*.yaml")
        if path.name not in _PROGRAM_FILES
    }
    paths |= {
        f"bilingual/sources/{path.name}": path
        for path in bilingual.glob("sources/*")
        if path.is_file()
    }
    return {name: read_bounded(path) for name, path in sorted(paths.items())}


def digest_edition(files: Mapping[str, bytes]) -> str:
    """Return the SHA-256 over the names and contents of the files of an edition."""
    digest = hashlib.sha256()
    for name, content in sorted(files.items()):
        digest.update(f"{name}\0{hashlib.sha256(content).hexdigest()}\n".encode())
    return digest.hexdigest()


class Release(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A release whose edition is known."""

    selo: str
    engine: int


def is_shipped_edition(edition: str) -> bool:
    """Return whether an edition is the one that ships with this program."""
    folders = data_files.shipped_folder("specs"), data_files.shipped_folder("bilingual")
    return edition == digest_edition(_read_files(*folders))


def find_release(edition: str) -> Release | None:
    """Return the release that shipped an edition, if there was one."""
    path = data_files.shipped_folder("specs") / RELEASES_FILE
    return read_json(path, dict[str, Release]).get(edition)


def pack_edition(files: Mapping[str, bytes]) -> bytes:
    """Return an edition as one file."""
    lines = (
        msgspec.json.encode(_PackedFile.of(name, content)) + b"\n"
        for name, content in sorted(files.items())
    )
    return zstandard.ZstdCompressor(level=_LEVEL).compress(b"".join(lines))


def unpack_edition(packed: bytes) -> EditionFiles:
    """Return the files of a packed edition; refuse strange names, sizes and repetitions."""
    if len(packed) > _MAX_PACKED_BYTES:
        raise EditionBroken(f"{EDITION_FILE}: too large")
    try:
        # What the frame claims of its size is not believed.
        with zstandard.ZstdDecompressor().stream_reader(packed) as stream:
            content = stream.read(_MAX_BYTES + 1)
        if len(content) > _MAX_BYTES:
            raise EditionBroken(f"{EDITION_FILE}: too large when unpacked")
        rows = [msgspec.json.decode(line, type=_PackedFile) for line in content.splitlines()]
    except (zstandard.ZstdError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise EditionBroken(f"{EDITION_FILE}: {error}") from error
    files = {row.name: row.content() for row in rows}
    strange = next((name for name in files if not _NAME.fullmatch(name)), None)
    if strange is not None or len(files) != len(rows) or len(files) > _MAX_FILES:
        raise EditionBroken(f"{EDITION_FILE}: {strange or 'a name stands twice'}")
    return files


@contextlib.contextmanager
def open_edition(files: Mapping[str, bytes], *, engine: int = ENGINE) -> Iterator[Law]:
    """Yield the law of an edition, loaded from a folder that nobody can write to.

    That of an older `engine` is completed with what its program knew itself.
    """
    if engine < FIRST_TOLD_BY_LAW:
        try:
            files = complete_edition(files)
        except _UNREADABLE as error:
            raise EditionBroken(f"{EDITION_FILE}: {error}") from error
    with tempfile.TemporaryDirectory(prefix="selo-law-") as name:
        root = Path(name)
        for file, content in files.items():
            path = root / file
            path.parent.mkdir(parents=True, exist_ok=True)
            write_file(path, content, mode=_READ_ONLY)
        (root / "specs").mkdir(exist_ok=True)
        _set_folder_modes(root, _LOCKED_FOLDER)
        try:
            yield _load(root)
        finally:
            _set_folder_modes(root, _OWN_FOLDER)


def _load(root: Path) -> Law:
    try:
        return load_law(specs=root / "specs", bilingual=root / "bilingual")
    except _UNREADABLE as error:
        raise EditionBroken(f"{EDITION_FILE}: {error}") from error


def _set_folder_modes(root: Path, mode: int) -> None:
    for folder, _, _ in os.walk(root):
        Path(folder).chmod(mode)


class SignedEdition(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an authority signs: the digest of an edition and of each of its files."""

    format: int
    edition: str
    spec_digest: str
    files: dict[str, str]


def describe_edition(law: Law) -> bytes:
    """Return the record of the edition of `law`, in its canonical form."""
    files = read_edition_files(law)
    record = SignedEdition(
        format=_FORMAT,
        edition=digest_edition(files),
        spec_digest=compute_spec_digest(law),
        files={name: hashlib.sha256(content).hexdigest() for name, content in files.items()},
    )
    return encode_canonical(msgspec.to_builtins(record)) + b"\n"
