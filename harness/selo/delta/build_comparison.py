"""Compares two builds, runs or documents: what changed, what follows, what must be done again."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.delta.behaviour_comparison import BehaviourExample, compare_behaviour
from selo.delta.carry_over import (
    CarryDecision,
    CarryObstacle,
    EarlierCertificate,
    has_same_fingerprint,
)
from selo.delta.chance_comparison import ChanceComparison, compare_chance
from selo.delta.change_policy import ChangeClass, ChangeKind, ChangePolicy
from selo.delta.provision_law import digest_provision_law, find_amended_provisions
from selo.draws.draw_verdict import DrawResult
from selo.evidence.run_files import DRAWS_FILE
from selo.law.files.provision_file import ClosedRecord
from selo.text import Words

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator
    from pathlib import Path

    from selo.delta.behaviour_comparison import BehaviourChanges
    from selo.examine.behaviour import CanonicalAnswers
    from selo.examine.run.evidence_header import Header
    from selo.law import Law, LocatedProvision
    from selo.report.model.report_model import Report

#: The fields of an offer that say what can be played; all others declare something of it.
_OFFER_FIELDS: Final = frozenset({"methods", "bets", "cannot", "level", "via"})
_OPTIONS_FIELD: Final = "options"
#: What a description says beside product, files and offers.
_DECLARED_FIELDS: Final = ("currency", "rounding", "random", "processes")


class SideKind(enum.StrEnum):
    """What is compared."""

    BUILD = "build"
    RUN = "run"
    DOCUMENT = "document"


class ProvisionState(enum.StrEnum):
    """How the behaviour of two products compares in one provision."""

    ALIKE = "alike"
    CHANGED = "changed"
    #: The questions differ, or one of them was never asked.
    UNKNOWN = "unknown"
    #: Questions do not show it: draws, declarations or people do.
    NOT_ASKED = "not-asked"


@dataclass(frozen=True, kw_only=True, slots=True)
class ComparedSide:
    """One side of a comparison: a run in its folder, or what a document contains of one."""

    kind: SideKind
    folder: Path
    header: Header
    law: Law
    canonical: CanonicalAnswers | None
    #: The folder of the canonical answers.
    answers: Path | None
    report: Report | None = None


class SideRecord(ClosedRecord, frozen=True):
    """One side as it is told."""

    kind: SideKind
    vendor: str
    product: str
    version: str
    certificate: str | None
    edition: str
    engine: int


class BuildChange(ClosedRecord, frozen=True):
    """One thing that is different, what it bears on, and why."""

    kind: ChangeKind
    name: str
    before: str
    after: str
    bears_on: ChangeClass
    because: Words


class ComparedProvision(ClosedRecord, frozen=True):
    """One provision: how its behaviour compares, and whether it must be examined again."""

    id: str
    game: str
    state: ProvisionState
    #: Why it must be examined again; nothing where it may be carried over.
    again: CarryObstacle | None
    example: BehaviourExample | None = None


class Delta(ClosedRecord, frozen=True):
    """Everything that is different between two sides, and what follows."""

    before: SideRecord
    after: SideRecord
    changes: list[BuildChange]
    provisions: list[ComparedProvision]
    chance: list[ChanceComparison]
    #: Whether the earlier side is a certificate, so that something can be carried over at all.
    certified: bool
    carried: list[str]
    again: list[str]
    exit: int


def compare_sides(
    before: ComparedSide, after: ComparedSide, policy: ChangePolicy, day: dt.date
) -> Delta:
    """Compare two sides; `day` is the first day on which the later one is examined."""
    decision = CarryDecision(
        earlier=EarlierCertificate(
            report=before.report,
            header=before.header,
            law=before.law,
            canonical=before.canonical,
        ),
        law=after.law,
        terms=after.header.terms,
        description=after.header.description,
        canonical=after.canonical,
        first_day=day,
        policy=policy,
    )
    changes = None
    if before.answers is not None and after.answers is not None:
        terms = after.header.terms
        changes = compare_behaviour(before.answers, after.answers, after.law, terms)
    chance = []
    if all((side.folder / DRAWS_FILE.file).is_file() for side in (before, after)):
        chance = compare_chance(
            (before.folder, before.law, before.header), (after.folder, after.law, after.header)
        )
    provisions = [
        _compare_provision(before, after, after.law.find(name), obstacle, changes)
        for name, obstacle in decision.obstacles().items()
    ]
    again = [
        provision.id
        for provision in provisions
        if provision.again not in {None, CarryObstacle.NOT_ASKED}
    ]
    has_other_chance = any(row.result is not DrawResult.FAIR for row in chance)
    return Delta(
        before=_side_record(before),
        after=_side_record(after),
        changes=list(_list_changes(before, after, changes, chance, policy)),
        provisions=provisions,
        chance=chance,
        certified=before.report is not None,
        carried=sorted(decision.carried()),
        again=again,
        exit=2 if again or has_other_chance else 0,
    )


def _side_record(side: ComparedSide) -> SideRecord:
    description = side.header.description
    return SideRecord(
        kind=side.kind,
        vendor=description.vendor.name,
        product=description.product.name,
        version=description.product.version,
        certificate=None if side.report is None else side.report.number,
        edition=side.header.edition,
        engine=side.header.terms.engine_number,
    )


def _compare_provision(
    before: ComparedSide,
    after: ComparedSide,
    held: LocatedProvision,
    obstacle: CarryObstacle | None,
    changes: BehaviourChanges | None,
) -> ComparedProvision:
    example = None
    if obstacle is CarryObstacle.NOT_ASKED:
        state = ProvisionState.NOT_ASKED
    elif before.canonical is None or after.canonical is None:
        state = ProvisionState.UNKNOWN
    elif has_same_fingerprint(before.canonical.fingerprints, after.canonical.fingerprints, held):
        state = ProvisionState.ALIKE
    else:
        example = None if changes is None else _find_example(changes, held)
        state = ProvisionState.UNKNOWN if example is None else ProvisionState.CHANGED
    return ComparedProvision(
        id=held.id, game=held.instrument.game, state=state, again=obstacle, example=example
    )


def _find_example(changes: BehaviourChanges, held: LocatedProvision) -> BehaviourExample | None:
    """Return the example of a provision, or of what no provision of its game accounts for."""
    game = held.instrument.game
    return changes.examples.get(held.id) or changes.examples.get(game) or changes.results.get(game)


def _list_changes(
    before: ComparedSide,
    after: ComparedSide,
    behaviour: BehaviourChanges | None,
    chance: list[ChanceComparison],
    policy: ChangePolicy,
) -> Iterator[BuildChange]:
    """Yield everything that is different, each with its class."""
    for kind, name, was, now in (
        *_list_file_changes(before.header, after.header),
        *_list_offer_changes(before.header, after.header),
        *_list_method_changes(before, after),
        *((row.kind, name, row.before, row.after) for name, row in _by_kind(behaviour)),
        *((ChangeKind.CHANCE, row.game, row.before, row.after)
          for row in chance if row.result is not DrawResult.FAIR),
    ):  # fmt: skip
        row = policy.class_of(kind)
        yield BuildChange(
            kind=kind,
            name=name,
            before=_as_text(was),
            after=_as_text(now),
            bears_on=row.bears_on,
            because=row.because,
        )


def _by_kind(behaviour: BehaviourChanges | None) -> list[tuple[str, BehaviourExample]]:
    return [] if behaviour is None else list(behaviour.examples.items())


def _as_text(value: Any) -> str:
    if value is None:
        return "–"
    return value if isinstance(value, str) else msgspec.json.encode(value, order="sorted").decode()


_FoundChange = tuple[ChangeKind, str, Any, Any]


def _list_file_changes(before: Header, after: Header) -> Iterator[_FoundChange]:
    old, new = (
        {file.path: file.sha256 for file in header.description.files} for header in (before, after)
    )
    for path in sorted(old.keys() | new.keys()):
        if old.get(path) != new.get(path):
            yield ChangeKind.FILES, path, old.get(path), new.get(path)


def _list_offer_changes(before: Header, after: Header) -> Iterator[_FoundChange]:
    descriptions = [msgspec.to_builtins(header.description) for header in (before, after)]
    old, new = ({offer["game"]: offer for offer in one["games"]} for one in descriptions)
    for game in sorted(old.keys() | new.keys()):
        if game not in old or game not in new:
            was, now = (None if game not in side else True for side in (old, new))
            yield ChangeKind.OFFER, game, was, now
            continue
        for field in sorted(old[game].keys() | new[game].keys()):
            was, now = old[game].get(field), new[game].get(field)
            if was == now:
                continue
            if field == _OPTIONS_FIELD:
                for name in sorted((was or {}).keys() | (now or {}).keys()):
                    values = (was or {}).get(name), (now or {}).get(name)
                    if values[0] != values[1]:
                        yield ChangeKind.OPTIONS, f"{game}/{name}", *values
            else:
                kind = ChangeKind.OFFER if field in _OFFER_FIELDS else ChangeKind.DECLARATIONS
                yield kind, f"{game}/{field}", was, now
    for field in _DECLARED_FIELDS:
        was, now = (one.get(field) for one in descriptions)
        if was != now:
            yield ChangeKind.DECLARATIONS, field, was, now


def _list_method_changes(before: ComparedSide, after: ComparedSide) -> Iterator[_FoundChange]:
    """Yield what changed in law, readings, engine and isolation."""
    old, new = before.header, after.header
    for name in find_amended_provisions(before.law, after.law, new.terms.game_names):
        was, now = (
            digest_provision_law(side.law, side.law.provisions[name])
            if name in side.law.provisions
            else None
            for side in (before, after)
        )
        yield ChangeKind.LAW, name, was, now
    rulings = old.terms.rulings, new.terms.rulings
    for name in sorted(rulings[0].keys() | rulings[1].keys()):
        if rulings[0].get(name) != rulings[1].get(name):
            yield ChangeKind.READINGS, name, rulings[0].get(name), rulings[1].get(name)
    engines = old.terms.engine_number, new.terms.engine_number
    if engines[0] != engines[1]:
        yield ChangeKind.ENGINE, "engine", *engines
    if old.reached != new.reached:
        yield ChangeKind.ISOLATION, "reached", old.reached, new.reached
    for name in sorted(old.confinement.keys() | new.confinement.keys()):
        held = old.confinement.get(name), new.confinement.get(name)
        if held[0] != held[1]:
            yield ChangeKind.ISOLATION, name, *held
