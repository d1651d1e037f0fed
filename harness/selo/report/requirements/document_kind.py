"""Which document a result allows; ``docs/documents.md`` holds the same rules.

A pre-check is a vendor's own run and stays one. A test report tells any result. A certificate is
given only when nothing stands in its way, and what stands in its way is told as a whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from selo.errors import SeloError
from selo.report.model.dossier import DocumentKind
from selo.report.model.report_model import Missing
from selo.report.phrases.compose import words
from selo.report.requirements.required_fields import absent, absent_in
from selo.verdict import Result
from selo.verdict.overall import Overall

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from selo.report.model.dossier import Dossier
    from selo.report.model.report_model import Report

#: How a provision must end for a certificate.
_GOOD: Final = frozenset({Result.CONFORMS, Result.WITNESSED})

#: To which column of the table each thing belongs that can stand in the way.
_COLUMNS: Final = {
    "own-run": "run",
    "provision": "provisions",
    "overall": "provisions",
    "file": "provisions",
    "scope": "scope",
    "field": "fields",
    "edge": "fields",
    "seed": "seed",
    "law": "law",
    "rulings": "rulings",
}


class NotPossible(SeloError):
    """A document that this result does not allow."""

    code = "unfinished"

    def __init__(self, *, kind: DocumentKind, missing: list[Missing], language: str) -> None:
        lines = [words(f"report.refused.{kind}", count=len(missing)).get(language)]
        lines += [f"  - {one.says.get(language)}" for one in missing]
        super().__init__("\n".join(lines))
        self.kind, self.missing = kind, missing


def allowed(  # noqa: PLR0913 - one for each column of the table
    asked: DocumentKind,
    *,
    own_run: bool,
    conforms: bool,
    whole: bool,
    complete: bool,
    committed: bool,
    law_stated: bool,
    rulings_named: bool,
) -> bool:
    """Return whether the document that is asked for may be made."""
    if asked is DocumentKind.PRE_CHECK:
        return True
    if own_run:
        return False
    if asked is DocumentKind.TEST_REPORT:
        return True
    return conforms and whole and complete and committed and law_stated and rulings_named


def missing(report: Report, dossier: Dossier, uncounted: Iterable[str] = ()) -> list[Missing]:
    """Return everything that stands in the way of a certificate, in the order of the document.

    `uncounted` are games whose exact odds are not known under the readings that were adopted.
    """
    found = [*_run(dossier), *_verdicts(report), *_method(report), *absent(report, dossier)]
    found += [
        Missing(key=f"edge:{game}", says=words("report.missing.uncounted", game=game))
        for game in uncounted
    ]
    return list({one.key: one for one in found}.values())


def stands_against(report: Report) -> list[Missing]:
    """Return what a report itself shows that stands in the way of its being a certificate."""
    found = [*_verdicts(report), *_method(report), *absent_in(report)]
    return list({one.key: one for one in (*found, *report.missing)}.values())


def _run(dossier: Dossier) -> Iterator[Missing]:
    if dossier.kind == DocumentKind.PRE_CHECK:
        yield Missing(key="own-run", says=words("report.missing.own-run"))


def _verdicts(report: Report) -> Iterator[Missing]:
    """Yield every provision in scope that neither conforms nor was witnessed by two people."""
    for provision in report.provisions:
        if provision.counts and provision.result not in _GOOD:
            yield Missing(
                key=f"provision:{provision.id}",
                says=words(
                    "report.missing.provision",
                    id=provision.id,
                    result=words(f"verdict.{provision.result}"),
                    reason=words(f"verdict.reason.{provision.reason}"),
                ),
            )
    if report.method.provisions:
        says = words("report.missing.scope", count=len(report.method.provisions))
        yield Missing(key="scope", says=says)
    if report.overall is not Overall.CONFORMS:
        verdict = words(f"verdict.{report.overall}")
        yield Missing(key="overall", says=words("report.missing.overall", verdict=verdict))


def _method(report: Report) -> Iterator[Missing]:
    seed = report.method.seed
    if seed.commitment is None:
        yield Missing(key="seed", says=words("report.missing.seed"))
    elif seed.revealed is None:
        yield Missing(key="seed", says=words("report.missing.seed-not-revealed"))
    for norm in report.norms:
        if norm.standing == "not-yet":
            says = words("report.missing.not-law", name=norm.name, day=report.method.as_of)
            yield Missing(key=f"law:{norm.instrument}", says=says)
    nameless = [one.divergence for one in report.method.adopted if not one.by]
    if nameless:
        says = words("report.missing.rulings", count=len(nameless), first=nameless[0])
        yield Missing(key="rulings", says=says)
    for file in report.item.files:
        if not file.unchanged:
            says = words("report.missing.file-changed", path=file.path)
            yield Missing(key=f"file:{file.path}", says=says)


def permit(report: Report, dossier: Dossier, language: str = "en") -> None:
    """Refuse a document that the result does not allow, with all that stands in its way."""
    own_run = dossier.kind == DocumentKind.PRE_CHECK
    # A key that is not listed is an error here, and never lets a certificate pass.
    keys = {_COLUMNS[one.key.partition(":")[0]] for one in report.missing}
    if not allowed(
        report.kind,
        own_run=own_run,
        conforms="provisions" not in keys,
        whole="scope" not in keys,
        complete="fields" not in keys,
        committed="seed" not in keys,
        law_stated="law" not in keys,
        rulings_named="rulings" not in keys,
    ):
        stands = report.missing
        if report.kind is DocumentKind.TEST_REPORT:
            stands = list(_run(dossier))
        raise NotPossible(kind=report.kind, missing=stands, language=language)
