"""The vendor's file of known deviations: what is let through, why, by whom, and until when.

An entry never changes a verdict or a document: it only opens the gate. It covers what it states:
provisions, parts of the answer, and the cause of a finding by its code (or by the sentence that
former editions used), or else what differs, in which cases of which plan.
"""

from __future__ import annotations

import datetime as dt
import difflib
import enum
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Final

import msgspec
from msgspec import Meta

from selo.cases import AnswerPart
from selo.cases.case_numbers import parse_ranges
from selo.examine.findings.draw_findings import DRAW_CODES
from selo.gate.deviation_cover import DIGEST, ListedScope
from selo.rounds.judge import Manner
from selo.rules.checks import settlement_points
from selo.rules.clauses import read_clauses
from selo.rules.clauses.clause_models import RandomClause
from selo.rules.mutants import causes_of_provision
from selo.rules.readings import Readings
from selo.text import user_error
from selo.verdict import Result, VerdictReason
from selo.yaml_file import read_yaml

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from selo.law import Law
    from selo.yaml_file import YamlDocument

_NonEmpty = Annotated[str, Meta(min_length=1)]
#: The results for which a gate may fail: the first always, the others by the threshold.
FAILURES: Final = (
    Result.NOT_LAW,
    Result.VIOLATES,
    Result.INCONCLUSIVE,
    Result.NOT_EXAMINED,
    Result.TO_BE_WITNESSED,
)
#: How an entry names the cause of findings that have none.
UNKNOWN_CAUSE: Final = ""
_MAX_NEAR: Final = 3


class Risk(enum.StrEnum):
    """How bad it is if the deviation goes on."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class _DeviationModel(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class Deviation(_DeviationModel, frozen=True):
    """One thing that is known to deviate from the law."""

    #: One provision, or several that the same cause breaks.
    provision: _NonEmpty | list[_NonEmpty]
    reason: _NonEmpty
    owner: _NonEmpty
    approver: _NonEmpty
    risk: Risk
    #: The last day on which it holds.
    expires: dt.date
    #: An entry on one verdict never covers another: what was doubtful may not become a breach.
    verdict: Result = Result.VIOLATES
    #: The cause of a violation by its code; blank if it is not known.
    cause: str | None = None
    #: The parts of the answer that may differ; without it, all that the cause changes.
    parts: list[AnswerPart] | None = None
    #: What may differ, and in which cases; with the digest of the plan whose cases these are.
    differences: dict[str, str] | None = None
    plan: str | None = None
    #: Why the verdict is not better; what is hidden behind a finding must be listed as such.
    because: VerdictReason | None = None
    #: The readings that are followed on each open point; needed where they leave it in doubt.
    readings: dict[str, list[str]] | None = None

    @property
    def provisions(self) -> tuple[str, ...]:
        """The provisions that it is about."""
        return (self.provision,) if isinstance(self.provision, str) else tuple(self.provision)


class DeviationsFile(_DeviationModel, frozen=True):
    """All entries."""

    deviations: list[Deviation]


class DeviationEntry(msgspec.Struct, frozen=True, kw_only=True):
    """An entry, where it stands, and the codes of the cause that it names."""

    deviation: Deviation
    where: str
    #: Several where the same sentence named other causes under other readings.
    codes: frozenset[str] = frozenset()
    #: Whether the cause is named by its former sentence instead of its code.
    is_former: bool = False

    @property
    def states_scope(self) -> bool:
        """Whether it states which findings it covers, not only of which provision."""
        return bool(self.scope.differences) or any(_names_game(code) for code in self.codes)

    @property
    def scope(self) -> ListedScope:
        """What it states of the findings that it covers."""
        deviation = self.deviation
        return ListedScope(
            provisions=deviation.provisions,
            parts=None if deviation.parts is None else tuple(deviation.parts),
            codes=self.codes,
            plan=deviation.plan,
            # A test of draws differs in itself.
            differences=deviation.differences
            or {code: "" for code in self.codes if code.startswith(DRAW_CODES)},
        )


def read_deviations(
    path: Path, law: Law, rulings: Mapping[str, str] | None = None
) -> list[DeviationEntry]:
    """Return the entries in `path`, or refuse the file; `rulings` are those of the run."""
    document = read_yaml(path)
    file = document.convert(DeviationsFile)
    seen: dict[tuple[str, ...], int] = {}
    entries = []
    for at, deviation in enumerate(file.deviations):
        line = document.line("deviations", at)
        _check_entry(document, at, deviation, law)
        codes, is_former = frozenset[str](), False
        if deviation.cause is not None:
            where = f"{path}:{document.line('deviations', at, 'cause')}"
            codes, is_former = _resolve_cause(law, deviation, rulings or {}, where)
        for provision in deviation.provisions:
            key = (provision, deviation.verdict, *_stated_scope(deviation, codes))
            if key in seen:
                raise user_error(
                    "deviation-twice", where=f"{path}:{line}", provision=provision, line=seen[key]
                )
            seen[key] = line
        entries.append(
            DeviationEntry(
                deviation=deviation, where=f"{path}:{line}", codes=codes, is_former=is_former
            )
        )
    return entries


def _check_entry(document: YamlDocument, at: int, deviation: Deviation, law: Law) -> None:
    def where(field: str) -> str:
        return f"{document.path}:{document.line('deviations', at, field)}"

    for provision in deviation.provisions:
        if provision not in law.provisions:
            raise user_error("deviation-provision", where=where("provision"), provision=provision)
    if not deviation.provisions:
        raise user_error("deviation-blank", where=where("provision"), field="provision")
    # Nobody can let through that a text was not the law.
    if deviation.verdict not in FAILURES[1:]:
        known = ", ".join(FAILURES[1:])
        raise user_error(
            "deviation-verdict", where=where("verdict"), verdict=deviation.verdict, known=known
        )
    for field in ("reason", "owner", "approver"):
        if not getattr(deviation, field).strip():
            raise user_error("deviation-blank", where=where(field), field=field)
    if _is_same_person(deviation.owner, deviation.approver):
        name = deviation.approver.strip()
        raise user_error("deviation-approver", where=where("approver"), name=name)
    _check_scope(deviation, where)


def _check_scope(deviation: Deviation, where: Callable[[str], str]) -> None:
    """Refuse a scope that cannot be meant."""
    for field in ("cause", "parts", "differences"):
        if getattr(deviation, field) is not None and deviation.verdict is not Result.VIOLATES:
            raise user_error("deviation-cause", where=where(field), verdict=deviation.verdict)
    if deviation.readings is not None and deviation.verdict is not Result.INCONCLUSIVE:
        raise user_error("deviation-readings", where=where("readings"), verdict=deviation.verdict)
    for description, cases in (deviation.differences or {}).items():
        if not cases.startswith(DIGEST) and parse_ranges(cases) is None:
            raise user_error(
                "deviation-cases", where=where("differences"), cases=cases, about=description
            )


def _is_same_person(name: str, other: str) -> bool:
    return " ".join(name.casefold().split()) == " ".join(other.casefold().split())


def _resolve_cause(
    law: Law, deviation: Deviation, rulings: Mapping[str, str], where: str
) -> tuple[frozenset[str], bool]:
    """Return the codes of the cause that an entry names, and whether by its former sentence."""
    cause = str(deviation.cause)
    is_random = any(_is_random(law, provision) for provision in deviation.provisions)
    if cause in {UNKNOWN_CAUSE, *Manner} or (is_random and cause.startswith(DRAW_CODES)):
        return frozenset({cause}), False
    by_sentence: dict[str, list[str]] = {}
    for provision in _provisions_of_cause(law, deviation, cause):
        for sentence, named in _codes_by_sentence(law, provision, rulings).items():
            by_sentence.setdefault(sentence, []).extend(named)
    codes = frozenset(chain(*by_sentence.values()))
    if cause in codes:
        return frozenset({cause}), False
    if cause in by_sentence:
        return frozenset(by_sentence[cause]), True
    if is_random:
        # The tests of draws depend on the run: the sentence is compared with its findings.
        return frozenset(), True
    near = difflib.get_close_matches(cause, [*codes, *by_sentence], n=_MAX_NEAR, cutoff=0)
    nearest = dict.fromkeys(code for name in near for code in by_sentence.get(name, [name]))
    raise user_error(
        "deviation-unknown-cause", where=where, provision=deviation.provisions[0], cause=cause,
        near=", ".join([*nearest, *Manner][:_MAX_NEAR]),
    )  # fmt: skip


def _provisions_of_cause(law: Law, deviation: Deviation, cause: str) -> list[str]:
    """Return the provisions of an entry, and the one of the same game that its code names."""
    named = cause.partition(":")[0]
    games = {law.find(provision).instrument.game for provision in deviation.provisions}
    misread = named in law.provisions and law.find(named).instrument.game in games
    return [*dict.fromkeys((*deviation.provisions, *((named,) if misread else ())))]


def _stated_scope(deviation: Deviation, codes: frozenset[str]) -> tuple[str, ...]:
    """Return what tells two entries on one provision and verdict apart."""
    return (
        str(deviation.cause if deviation.cause is None else sorted(codes) or deviation.cause),
        str(deviation.because),
        *sorted(deviation.differences or {}),
        *sorted(deviation.parts or []),
        *sorted(deviation.readings or {}),
    )


def _names_game(code: str) -> bool:
    """Return whether a code names a mutant or a reading, which answers cases."""
    return ":" in code and not code.startswith(DRAW_CODES)


def _codes_by_sentence(
    law: Law, provision: str, rulings: Mapping[str, str]
) -> dict[str, list[str]]:
    """Return the codes of all causes of a provision, by the sentences that former editions used.

    The readings of this run, and each other reading of the game by itself, are considered: a list
    of deviations may serve several runs.
    """
    codes: dict[str, list[str]] = {}
    points = settlement_points(law, law.find(provision).instrument.game)
    alternatives = [{point: reading} for point, readings in points.items() for reading in readings]
    for alternative in ({}, *alternatives):
        for cause in causes_of_provision(law, provision, Readings(law, {**rulings, **alternative})):
            named = codes.setdefault(cause.sentence, [])
            if cause.code not in named:
                named.append(cause.code)
    return codes


def _is_random(law: Law, provision: str) -> bool:
    """Return whether a provision is examined by tests of draws."""
    return any(
        isinstance(written.clause, RandomClause) and written.held.id == provision
        for written in read_clauses(law, law.find(provision).instrument.game)
    )
