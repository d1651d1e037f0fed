"""What was added to a document after a signature, told object by object.

pyHanko's own comparison walks the whole document for every later revision (many seconds for a
tagged one) and lets a changed title pass. Here an update may do only what Selo's own signing does:
fill one empty signature field, add to the validation data, and leave every other object alone. That
is less than the standard allows, and it costs only as much as the update is long.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any, Final

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
    from collections.abc import Iterable

    from pyhanko.pdf_utils.reader import HistoricalResolver, PdfFileReader

#: Entries of the trailer that describe the update itself, or the table that it is found by.
_OF_THE_UPDATE: Final = frozenset(
    {"/Size", "/Prev", "/Type", "/W", "/Index", "/Filter", "/DecodeParms", "/Length"}
)
_FILLED: Final = frozenset({"/V", "/AP"})
_DSS: Final = "/DSS"
_LISTS: Final = ("/Certs", "/CRLs", "/OCSPs")


class OnlySignatures(DiffPolicy):
    """Allows signatures, timestamps and validation data, and nothing else."""

    def apply(
        self,
        old: HistoricalResolver,
        new: HistoricalResolver,
        field_mdp_spec: Any = None,
        doc_mdp: Any = None,
    ) -> DiffResult:
        """Compare a revision with the one before it; pyHanko calls this."""
        del field_mdp_spec, doc_mdp  # nothing here depends on what a document permits
        return _Update(old, new).judged()

    def review_file(
        self,
        reader: PdfFileReader,
        base_revision: int | HistoricalResolver,
        field_mdp_spec: Any = None,
        doc_mdp: Any = None,
    ) -> DiffResult | SuspiciousModification:
        """Look at every revision after `base_revision`; pyHanko calls this."""
        del field_mdp_spec, doc_mdp
        base = base_revision if isinstance(base_revision, int) else base_revision.revision
        level, fields = ModificationLevel.NONE, set()
        for revision in range(base + 1, reader.total_revisions):
            old = reader.get_historical_resolver(revision - 1)
            try:
                result = self.apply(old, reader.get_historical_resolver(revision))
            except SuspiciousModification as found:
                return found
            level = max(level, result.modification_level)
            fields |= result.changed_form_fields
        return DiffResult(level, fields)


class _Update:
    """One revision and the one before it."""

    def __init__(self, old: HistoricalResolver, new: HistoricalResolver) -> None:
        self.old = old
        self.new = new
        self.level = ModificationLevel.LTA_UPDATES
        self.filled: list[str] = []

    def judged(self) -> DiffResult:
        if self.new.refs_freed_in_revision():
            raise SuspiciousModification("objects were deleted")
        self._trailer()
        catalog = self.old.root_ref
        form = _target(self.old.root, "/AcroForm")
        fields = set(_targets(self.old.root["/AcroForm"]["/Fields"]))
        kept = set(_reachable_lists(self.old.root))
        size = int(self.old.trailer_view["/Size"])
        for reference in self.new.explicit_refs_in_revision():
            if self.old.is_ref_unassignable(reference):
                # An object that nothing spoke of before: only what speaks of it now matters.
                if reference.idnum < size:
                    raise SuspiciousModification(f"object {reference.idnum} came to life")
            elif reference == catalog:
                self._catalog()
            elif reference == form:
                self._same_but(reference, {"/SigFlags"})
            elif reference in fields:
                self._field(reference)
            elif reference not in kept:
                raise SuspiciousModification(f"object {reference.idnum} was changed")
        self._only_added()
        if len(self.filled) != 1:
            raise SuspiciousModification(f"{len(self.filled)} signatures in one revision")
        return DiffResult(self.level, set(self.filled))

    def _trailer(self) -> None:
        old, new = self.old.trailer_view, self.new.trailer_view
        for key in (old.keys() | new.keys()) - _OF_THE_UPDATE - {"/ID"}:
            if _raw_value(old, key) != _raw_value(new, key):
                raise SuspiciousModification(f"the trailer has another {key}")
        if old["/ID"][0] != new["/ID"][0]:
            raise SuspiciousModification("another document")

    def _catalog(self) -> None:
        self._same_but(self.old.root_ref, {_DSS, "/Perms", "/Extensions", "/Version"})
        if "/Perms" in self.old.root and _raw_value(self.old.root, "/Perms") != _raw_value(
            self.new.root, "/Perms"
        ):
            raise SuspiciousModification("other permissions")

    def _field(self, reference: Reference) -> None:
        self._same_but(reference, _FILLED)
        before, after = self.old(reference), self.new(reference)
        if "/V" in before or after.get("/FT") != "/Sig" or "/V" not in after:
            raise SuspiciousModification(f"field {after.get('/T')} was changed")
        if after["/V"].get("/Type") != "/DocTimeStamp":
            self.level = ModificationLevel.FORM_FILLING
        elif "/AP" in after:
            raise SuspiciousModification("a timestamp that shows something")
        self.filled.append(str(after["/T"]))

    def _same_but(self, reference: Reference, allowed: Iterable[str]) -> None:
        old, new = self.old(reference), self.new(reference)
        if type(old) is not type(new) or not isinstance(old, DictionaryObject):
            raise SuspiciousModification(f"object {reference.idnum} became something else")
        for key in (old.keys() | new.keys()) - set(allowed):
            if _raw_value(old, key) != _raw_value(new, key):
                raise SuspiciousModification(f"object {reference.idnum} has another {key}")

    def _only_added(self) -> None:
        """Nothing that helps to check earlier signatures may go."""
        for key in _LISTS:
            if set(_validation_data(self.old.root, key)) - set(
                _validation_data(self.new.root, key)
            ):
                raise SuspiciousModification("validation data was taken away")


def _raw_value(holder: DictionaryObject, key: str) -> bytes | None:
    if key not in holder:
        return None
    written = io.BytesIO()
    holder.raw_get(key).write_to_stream(written, None)
    return written.getvalue()


def _target(holder: DictionaryObject, key: str) -> Reference | None:
    found = holder.raw_get(key)
    return found.reference if isinstance(found, IndirectObject) else None


def _targets(values: ArrayObject) -> list[Reference]:
    raw = (values.raw_get(index) for index in range(len(values)))
    return [value.reference for value in raw if isinstance(value, IndirectObject)]


def _validation_data(root: DictionaryObject, key: str) -> list[Reference]:
    """Return the pieces of validation data of one kind."""
    if _DSS not in root or key not in root[_DSS]:
        return []
    return _targets(root[_DSS][key])


def _reachable_lists(root: DictionaryObject) -> list[Reference]:
    """Return the objects that only list validation data; the data itself is never replaced."""
    if _DSS not in root:
        return []
    store = root[_DSS]
    found = [_target(root, _DSS), *(_target(store, key) for key in _LISTS if key in store)]
    return [one for one in found if one is not None]
