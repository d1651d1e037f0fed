"""The files attached to an untrusted PDF, unpacked under limits of memory and time."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Final

import pikepdf

from selo.storage import run_limited

if TYPE_CHECKING:
    from collections.abc import Iterator

#: More than this is not unpacked, whatever the file says of its size.
MAX_ATTACHED_BYTES: Final = 128 << 20
MAX_ATTACHED_FILES: Final = 20_000
#: What pikepdf raises for a file that is damaged or not a PDF.
_PDF_READ_ERRORS: Final = (
    pikepdf.PdfError,
    ValueError,
    KeyError,
    TypeError,
    AttributeError,
    RuntimeError,
)
#: pikepdf names a stream by its address in memory, which is of no use to anybody.
_STREAM_ADDRESS: Final = re.compile(r"^stream <[^>]*>:? *")
#: How the C++ library reports that there is no memory left.
_NO_MEMORY: Final = "bad_alloc"


class UnreadablePdf(ValueError):
    """A file that is not a PDF, is damaged, or has attachments that nobody can rely on."""


class EncryptedPdf(UnreadablePdf):
    """A PDF that needs a password."""


def read_attached_files(document: bytes) -> dict[str, bytes]:
    """Return the files attached to `document` by name; raise `UnreadablePdf` or `LimitExceeded`."""
    return run_limited(lambda: _unpack(document))


def _unpack(document: bytes) -> dict[str, bytes]:
    try:
        with pikepdf.open(io.BytesIO(document)) as pdf:
            return _collect(_attachments(pdf))
    except pikepdf.PasswordError as error:
        raise EncryptedPdf(str(error)) from None
    except UnreadablePdf:
        raise
    except _PDF_READ_ERRORS as error:
        if _NO_MEMORY in str(error):
            raise MemoryError from error
        # Errors of pikepdf cannot all be pickled.
        raise UnreadablePdf(_STREAM_ADDRESS.sub("", str(error))) from None


def _collect(attachments: Iterator[tuple[str, bytes]]) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    size = 0
    for name, content in attachments:
        size += len(content)
        if name in files:
            raise UnreadablePdf(f"{name!r} is attached twice")
        if size > MAX_ATTACHED_BYTES or len(files) >= MAX_ATTACHED_FILES:
            raise UnreadablePdf(f"more than {MAX_ATTACHED_BYTES >> 20} MiB are attached")
        files[name] = content
    return files


def _attachments(pdf: pikepdf.Pdf) -> Iterator[tuple[str, bytes]]:
    """Yield every attached file; refuse one that readers could show in more than one way."""
    if "/Names" not in pdf.Root or "/EmbeddedFiles" not in pdf.Root.Names:
        return
    for name, spec in _tree_entries(pdf.Root.Names.EmbeddedFiles):
        told = {str(spec[field]) for field in ("/F", "/UF") if field in spec}
        streams = {spec.EF[field].objgen for field in spec.EF.keys()}  # noqa: SIM118 - not a mapping
        if told != {name} or len(streams) != 1:
            raise UnreadablePdf(f"{name!r} is attached under several names or contents")
        yield name, next(iter(spec.EF.values())).read_bytes()


def _tree_entries(root: pikepdf.Object) -> Iterator[tuple[str, pikepdf.Object]]:
    """Yield every entry of a name tree; pikepdf's own reader leaves out names that come twice."""
    nodes, seen = [root], {root.objgen}
    while nodes:
        node = nodes.pop()
        names = list(node.get("/Names", []))
        if len(names) % 2:
            raise UnreadablePdf("a name is attached to nothing")
        yield from zip(map(str, names[::2]), names[1::2], strict=True)
        for kid in node.get("/Kids", []):
            if not kid.is_indirect or kid.objgen in seen:
                raise UnreadablePdf("the names of its attachments form no tree")
            seen.add(kid.objgen)
            nodes.append(kid)
