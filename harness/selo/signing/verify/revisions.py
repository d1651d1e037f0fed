"""Comparison of PDF revisions after a signature, object by object.

pyHanko's own comparison walks the whole document for every later revision (many seconds for a
tagged one) and accepts a changed title. Here an update may do only what Selo's own signing does:
fill one empty signature field and add validation data. That is stricter than the standard, and the
cost is proportional to the size of the update.
"""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any, Final

import pikepdf
from pyhanko.pdf_utils.generic import (
    ArrayObject,
    DictionaryObject,
    IndirectObject,
    Reference,
)
from pyhanko.sign.diff_analysis import (
    DiffPolicy,
    DiffResult,
    ModificationLevel,
    SuspiciousModification,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pyhanko.pdf_utils.reader import HistoricalResolver, PdfFileReader

#: Trailer entries that describe the update itself or its cross-reference table.
_UPDATE_KEYS: Final = frozenset(
    {"/Size", "/Prev", "/Type", "/W", "/Index", "/Filter", "/DecodeParms", "/Length"}
)
_SIGNED_FIELD_KEYS: Final = frozenset({"/V", "/AP"})
_DSS: Final = "/DSS"
#: Names of what a page can do by itself, and of what can be shown or not.
_ACTIVE_NAMES: Final = frozenset(
    {
        "/JS", "/JavaScript", "/AA", "/OpenAction", "/OCProperties", "/OC", "/XFA",
        "/NeedAppearances", "/Launch", "/SubmitForm", "/ImportData", "/ResetForm", "/Hide",
        "/GoToR", "/GoToE", "/Rendition", "/RichMedia", "/Movie", "/Sound",
    }
)  # fmt: skip
_ACTIVE: Final = re.compile(
    b"(?:" + b"|".join(re.escape(name.encode()) for name in sorted(_ACTIVE_NAMES)) + rb")\b"
)
_REFERENCE: Final = re.compile(rb"\b(\d+) \d+ R\b")
_VALIDATION_DATA_KEYS: Final = ("/Certs", "/CRLs", "/OCSPs")


class SignaturesOnlyPolicy(DiffPolicy):
    """Allows signatures, timestamps and validation data, and nothing else."""

    def apply(
        self,
        old: HistoricalResolver,
        new: HistoricalResolver,
        field_mdp_spec: Any = None,
        doc_mdp: Any = None,
    ) -> DiffResult:
        """Compare a revision with its predecessor; pyHanko calls this."""
        del field_mdp_spec, doc_mdp  # this policy does not depend on the document's permissions
        return _RevisionComparison(old, new).compare()

    def review_file(
        self,
        reader: PdfFileReader,
        base_revision: int | HistoricalResolver,
        field_mdp_spec: Any = None,
        doc_mdp: Any = None,
    ) -> DiffResult | SuspiciousModification:
        """Compare every revision after `base_revision`; pyHanko calls this."""
        del field_mdp_spec, doc_mdp
        base = base_revision if isinstance(base_revision, int) else base_revision.revision
        level, fields = ModificationLevel.NONE, set()
        for revision in range(base + 1, reader.total_revisions):
            old = reader.get_historical_resolver(revision - 1)
            try:
                result = self.apply(old, reader.get_historical_resolver(revision))
            except SuspiciousModification as modification:
                return modification
            level = max(level, result.modification_level)
            fields |= result.changed_form_fields
        return DiffResult(level, fields)


def has_signed_base(reader: PdfFileReader) -> bool:
    """Return whether the first signature changed nothing else of the document that it signs.

    A signature covers what its own revision changes, so no comparison of signed revisions shows it.
    """
    base, signed = (reader.get_historical_resolver(revision) for revision in (0, 1))
    try:
        SignaturesOnlyPolicy().apply(base, signed)
    except (SuspiciousModification, KeyError):
        return False
    return True


def refers_to_later_objects(document: bytes, reader: PdfFileReader) -> bool:
    """Return whether an object of a revision refers to one that only a later revision has.

    It shows nothing when it is signed, and whatever the later revision holds afterwards.
    """
    resolvers = [reader.get_historical_resolver(at) for at in range(reader.total_revisions)]
    sizes = [int(resolver.trailer_view["/Size"]) for resolver in resolvers]
    #: The revisions that hold an object, where it is not the first alone.
    written: dict[int, list[int]] = {}
    for at, resolver in enumerate(resolvers[1:], start=1):
        for reference in resolver.explicit_refs_in_revision():
            earlier = [0] if reference.idnum < sizes[0] else []
            written.setdefault(reference.idnum, earlier).append(at)
    for number, revisions in written.items():
        for at in revisions[:-1]:
            plain = resolvers[at](Reference(number, 0, reader))
            if any(one.idnum >= sizes[at] for one in _references_inside(plain)):
                return True
    with pikepdf.open(io.BytesIO(document)) as pdf:
        for one in pdf.objects:
            if not isinstance(one, pikepdf.Object):
                continue  # a number or a truth
            limit = sizes[written.get(one.objgen[0], [0])[-1]]
            held = one.stream_dict if isinstance(one, pikepdf.Stream) else one
            numbers = map(int, _REFERENCE.findall(held.unparse(resolved=True)))
            # A text may look like a reference.
            if any(number >= limit for number in numbers) and _reaches(held, limit):
                return True
    return False


def has_active_content(document: bytes) -> bool:
    """Return whether something in a document can change what it shows, or do anything.

    Selo makes nothing of the kind: programs, actions of their own accord, layers that can be
    switched, forms that are drawn anew, and streams that lie in other files.
    """
    with pikepdf.open(io.BytesIO(document)) as pdf:
        for one in pdf.objects:
            if not isinstance(one, pikepdf.Object):
                continue  # a number or a truth
            held = one.stream_dict if isinstance(one, pikepdf.Stream) else one
            # A text may look like a name.
            if _ACTIVE.search(held.unparse(resolved=True)) and _names_active(held):
                return True
            if isinstance(one, pikepdf.Stream) and "/F" in held:
                return True
    return False


def _names_active(value: Any, *, depth: int = 0) -> bool:
    """Return whether a name of active content stands in an object of pikepdf."""
    if isinstance(value, pikepdf.Name):
        return str(value) in _ACTIVE_NAMES
    if depth and isinstance(value, pikepdf.Object) and value.is_indirect:
        return False
    if isinstance(value, pikepdf.Dictionary):
        return any(
            name in _ACTIVE_NAMES or _names_active(inner, depth=depth + 1)
            for name, inner in value.items()
        )
    parts = value if isinstance(value, pikepdf.Array) else ()
    return any(_names_active(inner, depth=depth + 1) for inner in parts)


def _references_inside(value: Any) -> Iterator[Reference]:
    """Yield the references of an object of pyHanko, whatever holds them."""
    if isinstance(value, IndirectObject):
        yield value.reference
    elif isinstance(value, DictionaryObject):
        for key in value:
            yield from _references_inside(value.raw_get(key))
    elif isinstance(value, ArrayObject):
        for at in range(len(value)):
            yield from _references_inside(value.raw_get(at))


def _reaches(value: Any, limit: int, *, depth: int = 0) -> bool:
    """Return whether an object of pikepdf holds a reference to a number from a limit on."""
    if depth and value.is_indirect:
        return bool(value.objgen[0] >= limit)
    if isinstance(value, pikepdf.Dictionary):
        parts: Iterable[Any] = value.values()
    else:
        parts = value if isinstance(value, pikepdf.Array) else ()
    inner = (one for one in parts if isinstance(one, pikepdf.Object))
    return any(_reaches(one, limit, depth=depth + 1) for one in inner)


class _RevisionComparison:
    """Compares one revision with its predecessor."""

    def __init__(self, old: HistoricalResolver, new: HistoricalResolver) -> None:
        self.old = old
        self.new = new
        self.level = ModificationLevel.LTA_UPDATES
        self.filled: list[str] = []

    def compare(self) -> DiffResult:
        if self.new.refs_freed_in_revision():
            raise SuspiciousModification("objects were deleted")
        self._check_trailer()
        catalog = self.old.root_ref
        form = _reference_at(self.old.root, "/AcroForm")
        fields = set(_references_in(self.old.root["/AcroForm"]["/Fields"]))
        data_lists = set(_reachable_lists(self.old.root))
        size = int(self.old.trailer_view["/Size"])
        for reference in self.new.explicit_refs_in_revision():
            if self.old.is_ref_unassignable(reference):
                # A new object matters only through the objects that refer to it.
                if reference.idnum < size:
                    raise SuspiciousModification(f"object {reference.idnum} came to life")
            elif reference == catalog:
                self._check_catalog()
            elif reference == form:
                self._require_same_except(reference, {"/SigFlags"})
            elif reference in fields:
                self._check_field(reference)
            elif reference not in data_lists:
                raise SuspiciousModification(f"object {reference.idnum} was changed")
        self._require_validation_data_kept()
        if len(self.filled) != 1:
            raise SuspiciousModification(f"{len(self.filled)} signatures in one revision")
        return DiffResult(self.level, set(self.filled))

    def _check_trailer(self) -> None:
        old, new = self.old.trailer_view, self.new.trailer_view
        for key in (old.keys() | new.keys()) - _UPDATE_KEYS - {"/ID"}:
            if _raw_value(old, key) != _raw_value(new, key):
                raise SuspiciousModification(f"the trailer has another {key}")
        if old["/ID"][0] != new["/ID"][0]:
            raise SuspiciousModification("another document")

    def _check_catalog(self) -> None:
        self._require_same_except(self.old.root_ref, {_DSS, "/Perms", "/Extensions", "/Version"})
        if "/Perms" in self.old.root and _raw_value(self.old.root, "/Perms") != _raw_value(
            self.new.root, "/Perms"
        ):
            raise SuspiciousModification("other permissions")

    def _check_field(self, reference: Reference) -> None:
        self._require_same_except(reference, _SIGNED_FIELD_KEYS)
        before, after = self.old(reference), self.new(reference)
        if "/V" in before or after.get("/FT") != "/Sig" or "/V" not in after:
            raise SuspiciousModification(f"field {after.get('/T')} was changed")
        if after["/V"].get("/Type") != "/DocTimeStamp":
            self.level = ModificationLevel.FORM_FILLING
        elif "/AP" in after:
            raise SuspiciousModification("a timestamp that shows something")
        self.filled.append(str(after["/T"]))

    def _require_same_except(self, reference: Reference, allowed: Iterable[str]) -> None:
        old, new = self.old(reference), self.new(reference)
        if type(old) is not type(new) or not isinstance(old, DictionaryObject):
            raise SuspiciousModification(f"object {reference.idnum} became something else")
        for key in (old.keys() | new.keys()) - set(allowed):
            if _raw_value(old, key) != _raw_value(new, key):
                raise SuspiciousModification(f"object {reference.idnum} has another {key}")

    def _require_validation_data_kept(self) -> None:
        for key in _VALIDATION_DATA_KEYS:
            if set(_validation_data(self.old.root, key)) - set(
                _validation_data(self.new.root, key)
            ):
                raise SuspiciousModification("validation data was taken away")


def _raw_value(holder: DictionaryObject, key: str) -> bytes | None:
    if key not in holder:
        return None
    stream = io.BytesIO()
    holder.raw_get(key).write_to_stream(stream, None)
    return stream.getvalue()


def _reference_at(holder: DictionaryObject, key: str) -> Reference | None:
    value = holder.raw_get(key)
    return value.reference if isinstance(value, IndirectObject) else None


def _references_in(values: ArrayObject) -> list[Reference]:
    raw = (values.raw_get(index) for index in range(len(values)))
    return [value.reference for value in raw if isinstance(value, IndirectObject)]


def _validation_data(root: DictionaryObject, key: str) -> list[Reference]:
    """Return the objects listed under `key` of the document security store."""
    if _DSS not in root or key not in root[_DSS]:
        return []
    return _references_in(root[_DSS][key])


def _reachable_lists(root: DictionaryObject) -> list[Reference]:
    """Return the objects that list validation data; the data itself is never replaced."""
    if _DSS not in root:
        return []
    store = root[_DSS]
    references = [
        _reference_at(root, _DSS),
        *(_reference_at(store, key) for key in _VALIDATION_DATA_KEYS if key in store),
    ]
    return [reference for reference in references if reference is not None]
