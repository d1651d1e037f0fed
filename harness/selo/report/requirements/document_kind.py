"""Rules of which document a result allows; ``docs/documents.md`` has the same rules.

A pre-check is a vendor's own run and stays one. A test report states any result. A certificate is
refused if a requirement is missing, and the refusal lists all that are missing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from selo.errors import SeloError
from selo.report.model.dossier import DocumentKind
from selo.report.model.report_model import MissingRequirement
from selo.report.phrases.composition import words
from selo.report.requirements.required_fields import check_dossier_fields, check_report_fields
from selo.vendors.sandbox import list_missing_guarantees
from selo.verdict import Result
from selo.verdict.overall import Overall

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from selo.report.model.dossier import Dossier
    from selo.report.model.report_model import Report

#: Results of a provision that allow a certificate.
_CERTIFIABLE_RESULTS: Final = frozenset({Result.CONFORMS, Result.WITNESSED})

#: The column of the table to which each missing requirement belongs.
_COLUMNS: Final = {
    "own-run": "run",
    "provision": "provisions",
    "overall": "provisions",
    "file": "provisions",
    "scope": "scope",
    "field": "fields",
    "edge": "fields",
    "seed": "seed",
    "isolation": "isolation",
    "law": "law",
    "rulings": "rulings",
}


class DocumentNotAllowed(SeloError):
    """The result does not allow the requested document."""

    code = "unfinished"

    def __init__(
        self, *, kind: DocumentKind, missing: list[MissingRequirement], language: str
    ) -> None:
        lines = [words(f"report.refused.{kind}", count=len(missing)).get(language)]
        lines += [f"  - {requirement.says.get(language)}" for requirement in missing]
        super().__init__("\n".join(lines))
        self.kind, self.missing = kind, missing


def is_allowed(  # noqa: PLR0913 - one for each column of the table
    asked: DocumentKind,
    *,
    own_run: bool,
    conforms: bool,
    whole: bool,
    complete: bool,
    committed: bool,
    isolated: bool,
    law_stated: bool,
    rulings_named: bool,
) -> bool:
    """Return whether the requested document may be issued."""
    if asked is DocumentKind.PRE_CHECK:
        return True
    if own_run:
        return False
    if asked is DocumentKind.TEST_REPORT:
        return True
    return all((conforms, whole, complete, committed, isolated, law_stated, rulings_named))


def find_missing(
    report: Report, dossier: Dossier, uncounted: Iterable[str] = ()
) -> list[MissingRequirement]:
    """Return every requirement of a certificate that is missing, in the order of the document.

    `uncounted` are games whose exact odds cannot be computed under the adopted readings.
    """
    requirements = [
        *_check_own_run(dossier),
        *_check_verdicts(report),
        *_check_method(report),
        *check_dossier_fields(report, dossier),
    ]
    requirements += [
        MissingRequirement(key=f"edge:{game}", says=words("report.missing.uncounted", game=game))
        for game in uncounted
    ]
    return list({requirement.key: requirement for requirement in requirements}.values())


def find_obstacles(report: Report) -> list[MissingRequirement]:
    """Return the requirements of a certificate that are missing according to the report itself."""
    requirements = [*_check_verdicts(report), *_check_method(report), *check_report_fields(report)]
    return list(
        {requirement.key: requirement for requirement in (*requirements, *report.missing)}.values()
    )


def _check_own_run(dossier: Dossier) -> Iterator[MissingRequirement]:
    if dossier.kind == DocumentKind.PRE_CHECK:
        yield MissingRequirement(key="own-run", says=words("report.missing.own-run"))


def _check_verdicts(report: Report) -> Iterator[MissingRequirement]:
    """Yield every provision in scope that neither conforms nor was witnessed by two people."""
    for provision in report.provisions:
        if provision.counts and provision.result not in _CERTIFIABLE_RESULTS:
            yield MissingRequirement(
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
        yield MissingRequirement(key="scope", says=says)
    if report.overall is not Overall.CONFORMS:
        verdict = words(f"verdict.{report.overall}")
        yield MissingRequirement(
            key="overall", says=words("report.missing.overall", verdict=verdict)
        )


def _check_method(report: Report) -> Iterator[MissingRequirement]:
    seed = report.method.seed
    if seed.commitment is None:
        yield MissingRequirement(key="seed", says=words("report.missing.seed"))
    elif seed.revealed is None:
        yield MissingRequirement(key="seed", says=words("report.missing.seed-not-revealed"))
    yield from _check_isolation(report)
    for norm in report.norms:
        if norm.standing == "not-yet":
            says = words("report.missing.not-law", name=norm.name, day=report.method.as_of)
            yield MissingRequirement(key=f"law:{norm.instrument}", says=says)
    nameless = [reading.divergence for reading in report.method.adopted if not reading.by]
    if nameless:
        says = words("report.missing.rulings", count=len(nameless), first=nameless[0])
        yield MissingRequirement(key="rulings", says=says)
    for file in report.item.files:
        if not file.unchanged:
            says = words("report.missing.file-changed", path=file.path)
            yield MissingRequirement(key=f"file:{file.path}", says=says)


def _check_isolation(report: Report) -> Iterator[MissingRequirement]:
    # Whoever only demonstrates may do so where the system allows no isolation, and says so.
    for name in () if report.demonstration else list_missing_guarantees(report.method.confinement):
        says = words("report.missing.isolation", guarantee=words(f"isolation.{name}"))
        yield MissingRequirement(key=f"isolation:{name}", says=says)
    if report.method.undeclared is None and not report.demonstration:
        says = words("report.missing.unwatched")
        yield MissingRequirement(key="isolation:opened", says=says)
    for path in report.method.undeclared or ():
        says = words("report.missing.undeclared", path=path)
        yield MissingRequirement(key=f"isolation:{path}", says=says)


def require_allowed(report: Report, dossier: Dossier, language: str = "en") -> None:
    """Raise with all missing requirements if the result does not allow the document."""
    own_run = dossier.kind == DocumentKind.PRE_CHECK
    # A key that is not listed raises here, so that it never allows a certificate.
    keys = {_COLUMNS[requirement.key.partition(":")[0]] for requirement in report.missing}
    if not is_allowed(
        report.kind,
        own_run=own_run,
        conforms="provisions" not in keys,
        whole="scope" not in keys,
        complete="fields" not in keys,
        committed="seed" not in keys,
        isolated="isolation" not in keys,
        law_stated="law" not in keys,
        rulings_named="rulings" not in keys,
    ):
        obstacles = report.missing
        if report.kind is DocumentKind.TEST_REPORT:
            obstacles = list(_check_own_run(dossier))
        raise DocumentNotAllowed(kind=report.kind, missing=obstacles, language=language)
