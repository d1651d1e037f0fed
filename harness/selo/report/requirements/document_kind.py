"""Rules of which document a result allows; ``docs/documents.md`` has the same rules.

A pre-check is a vendor's own run and stays one. A test report states any result. A certificate is
refused if a requirement is missing, and the refusal lists all that are missing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from selo.cases.group import BUDGETS
from selo.draws.draw_verdict import is_sample_sufficient
from selo.edition import find_release, is_shipped_edition
from selo.errors import SeloError
from selo.law.lint import find_lint_problems
from selo.report.model.dossier import DocumentKind
from selo.report.model.report_model import MissingRequirement
from selo.report.phrases.composition import words
from selo.report.requirements.required_fields import check_dossier_fields, check_report_fields
from selo.vendors.sandbox import list_missing_guarantees
from selo.verdict import Result
from selo.verdict.overall import Overall

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from selo.law import Law
    from selo.report.model.dossier import Dossier
    from selo.report.model.report_model import DeviationRecord, GameRecord, Norm, Report

#: Results of a provision that allow a certificate.
_CERTIFIABLE_RESULTS: Final = frozenset({Result.CONFORMS, Result.WITNESSED})

#: The column of the table to which each missing requirement belongs.
_COLUMNS: Final = {
    "own-run": "run",
    "provision": "provisions",
    "overall": "provisions",
    "canonical": "provisions",
    "file": "provisions",
    "scope": "scope",
    "field": "fields",
    "edge": "fields",
    "seed": "seed",
    "started": "isolation",
    "isolation": "isolation",
    "law": "law",
    "rulings": "rulings",
    "extent": "extent",
    "edition": "law",
}
#: What the certificates of earlier engines did not insist on yet, with the engine that began.
_INSISTED_SINCE: Final = {"extent": 1, "edition": 1, "started": 1, "seed:when": 1, "canonical": 1}


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
    extensive: bool,
) -> bool:
    """Return whether the requested document may be issued."""
    if asked is DocumentKind.PRE_CHECK:
        return True
    if own_run:
        return False
    if asked is DocumentKind.TEST_REPORT:
        return True
    return all(
        (conforms, whole, complete, committed, isolated, law_stated, rulings_named, extensive)
    )


def find_missing(
    report: Report,
    dossier: Dossier,
    uncounted: Iterable[str] = (),
    edition: Iterable[MissingRequirement] = (),
) -> list[MissingRequirement]:
    """Return every requirement of a certificate that is missing, in the order of the document.

    `uncounted` are games whose exact odds cannot be computed under the adopted readings, `edition`
    is what is wrong with the edition of the law.
    """
    requirements = [
        *_check_own_run(dossier),
        *_check_verdicts(report),
        *_check_method(report),
        *check_dossier_fields(report, dossier),
        *edition,
    ]
    requirements += map(_uncounted_odds, uncounted)
    return list({requirement.key: requirement for requirement in requirements}.values())


def find_obstacles(report: Report) -> list[MissingRequirement]:
    """Return the requirements of a certificate that are missing according to the report itself."""
    requirements = [*_check_verdicts(report), *_check_method(report), *check_report_fields(report)]
    return list(
        {requirement.key: requirement for requirement in (*requirements, *report.missing)}.values()
    )


def rederive_missing(report: Report) -> list[MissingRequirement]:
    """Return what a report must tell as missing for a certificate, from the rest of the report.

    It may also name what only the dossier or the odds tell: those are taken as they are told, if
    their key and their words are known.
    """
    told = {requirement.key for requirement in report.missing}
    own = [*_check_verdicts(report), *_check_method(report)]
    owed = {requirement.key for requirement in (*own, *check_report_fields(report))}
    requirements = [
        _own_run(),
        *own,
        *check_report_fields(report, told=told),
        *(_uncounted_odds(game.game) for game in report.games),
    ]
    stated = {requirement.key: requirement for requirement in requirements}
    return [one for key, one in stated.items() if key in owed | told]


def _uncounted_odds(game: str) -> MissingRequirement:
    says = words("report.missing.uncounted", game=game)
    return MissingRequirement(key=f"edge:{game}", says=says)


def _check_own_run(dossier: Dossier) -> Iterator[MissingRequirement]:
    if dossier.kind == DocumentKind.PRE_CHECK:
        yield _own_run()


def _own_run() -> MissingRequirement:
    return MissingRequirement(key="own-run", says=words("report.missing.own-run"))


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
    if report.method.canonical_wrong is None and report.method.seed.commitment is not None:
        # Without them nobody knows whether one of them is wrong.
        says = words("report.missing.no-canonical")
        yield MissingRequirement(key="canonical:none", says=says)
    if report.method.canonical_wrong:
        says = words("report.missing.canonical", count=report.method.canonical_wrong)
        yield MissingRequirement(key="canonical", says=says)
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
    elif seed.token is None and not seed.published:
        yield MissingRequirement(key="seed:when", says=words("report.missing.seed-when"))
    yield from _check_process(report)
    if not report.demonstration:
        yield from find_shortfalls(report)
    yield from _check_texts(report)
    nameless = [reading.divergence for reading in report.method.adopted if not reading.by]
    if nameless:
        says = words("report.missing.rulings", count=len(nameless), first=nameless[0])
        yield MissingRequirement(key="rulings", says=says)
    for file in report.item.files:
        if not file.unchanged:
            says = words("report.missing.file-changed", path=file.path)
            yield MissingRequirement(key=f"file:{file.path}", says=says)


def _check_texts(report: Report) -> Iterator[MissingRequirement]:
    """Yield every text that was not the law of that day and that no permission allows to apply."""
    for norm in report.norms:
        if norm.is_law:
            continue
        if not report.method.text_as_stored:
            says = words("report.missing.not-law", name=norm.name, status=norm.status)
        elif not norm.permitted_by and not report.demonstration:
            says = words("report.missing.text-as-stored", name=norm.name, status=norm.status)
        else:
            continue
        yield MissingRequirement(key=f"law:{norm.instrument}", says=says)


def _check_process(report: Report) -> Iterator[MissingRequirement]:
    """Yield what is missing for a product in a process of its own, all of whose files are known."""
    method, hashed = report.method, {file.path for file in report.item.files if file.sha256}
    if method.reached != "process":
        yield MissingRequirement(key="started:process", says=words("report.missing.process"))
    elif not method.started:
        yield MissingRequirement(key="started:none", says=words("report.missing.not-started"))
    for path in method.started:
        if path not in hashed:
            says = words("report.missing.not-declared", path=path)
            yield MissingRequirement(key=f"started:{path}", says=says)
    for path in method.undeclared or ():
        says = words("report.missing.undeclared", path=path)
        yield MissingRequirement(key=f"isolation:{path}", says=says)


def find_shortfalls(report: Report) -> Iterator[MissingRequirement]:
    """Yield every requirement that a demonstration may fall short of, and nothing else may."""
    for name in list_missing_guarantees(report.method.confinement):
        says = words("report.missing.isolation", guarantee=words(f"isolation.{name}"))
        yield MissingRequirement(key=f"isolation:{name}", says=says)
    if report.method.undeclared is None:
        says = words("report.missing.unwatched")
        yield MissingRequirement(key="isolation:opened", says=says)
    for norm in report.norms if report.demonstration else ():
        if _lacks_permission(norm):
            says = words("report.missing.text-as-stored", name=norm.name, status=norm.status)
            yield MissingRequirement(key=f"extent:text:{norm.game}", says=says)
    if report.method.budget != BUDGETS[-1]:
        yield MissingRequirement(key="extent:budget", says=words("report.missing.budget"))
    for game in report.games:
        own = [statistic for statistic in report.statistics if statistic.game == game.game]
        powers = [power for power in report.powers if power.game == game.game]
        yield from _check_powers(game, powers)
        if own and not powers and not is_sample_sufficient(own):
            says = words("report.missing.power", game=game.name)
            yield MissingRequirement(key=f"extent:power:{game.game}", says=says)
        provisions = [one for one in report.provisions if one.id.startswith(f"{game.instrument}/")]
        if all(one.planted is None for one in provisions):
            says = words("report.missing.kills", game=game.name)
            yield MissingRequirement(key=f"extent:kills:{game.game}", says=says)


def _check_powers(
    game: GameRecord, powers: Iterable[DeviationRecord]
) -> Iterator[MissingRequirement]:
    """Yield each deviation that was not looked for as surely as a certificate needs."""
    # Of several samples of a game each must be large enough. What whole packs show does not count
    # for what was dealt: the two may come from different sources.
    seen: set[str] = set()
    for power in powers:
        if power.falls_short and power.deviation not in seen:
            seen.add(power.deviation)
            says = words(
                "report.missing.deviation",
                game=game.name,
                deviation=power.name,
                power=power.power,
                wanted=str(power.wanted),
                sample=str(power.sample),
                needed=str(power.needed or "–"),
            )
            yield MissingRequirement(key=f"extent:power:{game.game}:{power.deviation}", says=says)


def check_edition(law: Law, edition: str, *, signed: bool) -> Iterator[MissingRequirement]:
    """Yield what is wrong with the edition by which a certificate would be judged."""
    if not (signed or is_shipped_edition(edition) or find_release(edition)):
        says = words("report.missing.edition", edition=edition)
        yield MissingRequirement(key="edition:foreign", says=says)
    problems = find_lint_problems(law)
    if problems:
        says = words("report.missing.law-check", count=len(problems), problem=str(problems[0]))
        yield MissingRequirement(key="edition:check", says=says)


def _lacks_permission(norm: Norm) -> bool:
    """Return whether a text was not the law and no permission allows to apply it."""
    return not norm.is_law and not norm.permitted_by


def is_insisted_by(engine: int, key: str) -> bool:
    """Return whether certificates of an engine insist on a requirement already."""
    kind = key.partition(":")[0]
    return engine >= _INSISTED_SINCE.get(key, _INSISTED_SINCE.get(kind, 0))


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
        extensive="extent" not in keys,
    ):
        obstacles = report.missing
        if report.kind is DocumentKind.TEST_REPORT:
            obstacles = list(_check_own_run(dossier))
        raise DocumentNotAllowed(kind=report.kind, missing=obstacles, language=language)
