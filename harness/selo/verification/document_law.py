"""The law by which a document is judged again: the edition inside of it, proven and named.

1. The law files inside must have the digest that the evidence names.
2. If they are the files at hand, those are used; others are loaded from a locked folder.
3. They must have the content by which the plan is known.
4. Whoever relies on the document must know whose edition it is: that of this program, a released
   one, one that an authority signed, or one of the first two with the law of a permission that an
   authority signed. Of any other nothing is said to hold; if nobody trusted has
   signed the document either, such law is not even loaded.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import msgspec

from selo.edition import (
    EDITION_FILE,
    EditionBroken,
    digest_edition,
    find_release,
    is_shipped_edition,
    open_edition,
    read_edition_files,
    unpack_edition,
)
from selo.engine import ENGINE
from selo.errors import SeloError
from selo.examine.run.evidence_header import is_same_program
from selo.law import compute_spec_digest, load_law
from selo.law.lint import find_lint_problems
from selo.report.content.attachments import (
    PERMISSION_PREFIX,
    SPECS_FILE,
    find_numbered_files,
)
from selo.report.model.dossier import DocumentKind
from selo.storage import read_bounded, read_json
from selo.storage.bounded_read import digest_file
from selo.verification.edition_signature import find_edition_signer, find_permitted_base
from selo.verification.verification_report import (
    CheckState,
    DocumentCheck,
    failed_check,
    open_check,
    passed_check,
)

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator
    from pathlib import Path

    from selo.edition import EditionFiles
    from selo.examine.run.evidence_header import Header
    from selo.law import Law
    from selo.report.model.report_model import Report
    from selo.signing.signer_policy import SignerPolicy

_DIGITS_SHOWN: Final = 16


@dataclass(frozen=True, kw_only=True, slots=True)
class LawSources:
    """What a verifier has at hand to prove law and seed of a document, and whom they trust."""

    at_hand: Law
    #: A folder with ``specs`` and ``bilingual`` of the edition of a document without law inside.
    given: Path | None
    policy: SignerPolicy | None
    #: Whether the signatures of the document hold, so that somebody trusted answers for its law.
    is_signed: bool
    #: When the document was signed, as a trusted timestamp proves; none if nothing proves it.
    signed_at: dt.datetime | None = None
    #: The commitment to the seed as it was published.
    commitment: str | None = None
    #: When a trusted registry entered the commitment; none if it did not.
    registered_at: dt.datetime | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class DocumentLaw:
    """The law of a document, if it can be used, and what was found on the way."""

    law: Law | None
    checks: tuple[DocumentCheck, ...]


@contextlib.contextmanager
def open_document_law(
    report: Report, header: Header, folder: Path, sources: LawSources
) -> Iterator[DocumentLaw]:
    """Yield the law of the document whose files lie in `folder`."""
    engine = header.terms.engine_number
    if engine > ENGINE:
        check = open_check("edition", "law.newer-engine", engine=engine, ours=ENGINE)
        yield DocumentLaw(law=None, checks=(check,))
        return
    if not header.edition:
        with _find_edition_outside(header, folder, sources) as found:
            yield found
        return
    try:
        files = unpack_edition(read_bounded(folder / EDITION_FILE))
    except (OSError, EditionBroken) as error:
        yield DocumentLaw(law=None, checks=(failed_check("edition", "law.differs", problem=error),))
        return
    digest = digest_edition(files)
    if not digest == header.edition == report.method.edition:
        yield DocumentLaw(
            law=None, checks=(failed_check("edition", "law.differs", problem=digest),)
        )
        return
    origin = _name_origin(digest, folder, sources)
    if origin.state is CheckState.OPEN:
        origin = _name_permitted_origin(header, files, folder, sources) or origin
    if origin.state is CheckState.FAILED or not (
        origin.state is CheckState.HOLDS or sources.is_signed
    ):
        yield DocumentLaw(law=None, checks=(origin,))
        return
    with contextlib.ExitStack() as stack:
        is_at_hand = digest == digest_edition(read_edition_files(sources.at_hand))
        try:
            law = (
                sources.at_hand
                if is_at_hand
                else stack.enter_context(open_edition(files, engine=engine))
            )
        except SeloError as error:
            check = failed_check("edition", "law.unreadable", problem=error)
            yield DocumentLaw(law=None, checks=(origin, check))
            return
        yield _prove_content(report, header, law, origin)


def _prove_content(report: Report, header: Header, law: Law, origin: DocumentCheck) -> DocumentLaw:
    """Return the law if it has the content that the plan names; of a certificate, check it too."""
    if compute_spec_digest(law) != header.terms.spec_digest:
        if is_same_program(header):
            check = failed_check("edition", "law.differs", problem=header.terms.spec_digest)
            return DocumentLaw(law=None, checks=(origin, check))
        # The files themselves are proven; models of another program gave another digest of them.
        law = dataclasses.replace(law, known_as=header.terms.spec_digest)
    is_known = origin.state is CheckState.HOLDS
    problems = (
        [] if is_known or report.kind is not DocumentKind.CERTIFICATE else find_lint_problems(law)
    )
    if problems:
        check = failed_check(
            "edition check", "law.unsound", count=len(problems), problem=problems[0]
        )
        return DocumentLaw(law=law, checks=(origin, check))
    return DocumentLaw(law=law, checks=(origin,))


def _name_origin(edition: str, folder: Path, sources: LawSources) -> DocumentCheck:
    """Return whose edition the law is, as a check that is open if nobody answers for it."""
    short = edition[:_DIGITS_SHOWN]
    signed = find_edition_signer(folder, edition, sources.policy, sources.signed_at)
    if signed.problem is not None:
        return failed_check("edition", "law.signature-refused", problem=signed.problem)
    if signed.signer is not None:
        return passed_check("edition", "law.signed", edition=short, signer=signed.signer)
    if is_shipped_edition(edition):
        return passed_check("edition", "law.ours", edition=short)
    release = find_release(edition)
    if release is not None:
        return passed_check("edition", "law.released", edition=short, selo=release.selo)
    return open_check("edition", "law.nobody", edition=edition, unchecked=signed.claimed or "–")


def _name_permitted_origin(
    header: Header, files: EditionFiles, folder: Path, sources: LawSources
) -> DocumentCheck | None:
    """Return whose permission added to a known edition what makes it the document's, if it did.

    That it holds for this product on this day is checked with the other permissions.
    """
    edition = digest_edition(files)
    wanted = {permit.sha256 for permit in header.permissions if permit.edition == edition}
    for path in find_numbered_files(folder, PERMISSION_PREFIX):
        if digest_file(path) in wanted:
            found = find_permitted_base(path, files, sources.policy, sources.signed_at)
            if found is not None and (is_shipped_edition(found.base) or find_release(found.base)):
                return passed_check(
                    "edition", "law.permitted", edition=edition[:_DIGITS_SHOWN],
                    base=found.base[:_DIGITS_SHOWN], number=found.number, signer=found.signer,
                )  # fmt: skip
    return None


@contextlib.contextmanager
def _find_edition_outside(
    header: Header, folder: Path, sources: LawSources
) -> Iterator[DocumentLaw]:
    """Yield the law of a document from before law travelled inside, if it is at hand."""
    law, terms = sources.at_hand, header.terms
    if sources.given is not None:
        law = load_law(specs=sources.given / "specs", bilingual=sources.given / "bilingual")
        if _is_locked(law, folder, terms.spec_digest):
            law = dataclasses.replace(law, known_as=terms.spec_digest)
    if compute_spec_digest(law) == terms.spec_digest:
        check = passed_check("edition", "law.outside", digest=terms.spec_digest)
        yield DocumentLaw(law=law, checks=(check,))
        return
    version = header.tool.get("selo", "–")
    check = open_check("edition", "law.absent", selo=version, digest=terms.spec_digest)
    yield DocumentLaw(law=None, checks=(check,))


class _Lock(msgspec.Struct, frozen=True):
    """The list of law files that documents carried before the files themselves travelled."""

    spec_digest: str
    files: dict[str, str]


def _is_locked(law: Law, folder: Path, spec_digest: str) -> bool:
    """Return whether the files of a law are those that the lock of a document lists."""
    try:
        lock = read_json(folder / SPECS_FILE, _Lock)
    except (OSError, msgspec.MsgspecError):
        return False
    files = read_edition_files(law)
    return (
        bool(lock.files)
        and lock.spec_digest == spec_digest
        and all(
            name in files and hashlib.sha256(files[name]).hexdigest() == digest
            for name, digest in lock.files.items()
        )
    )
