"""What changed in the law between two days: words, rules, readings and standing of provisions.

1. Instruments are one family if one changes, amends or revokes the other and both are held: the
   texts of one game over time.
2. On a day, the text of a path such as ``3/a`` is that of the last instrument of the family that
   was law on that day, or else of the last one that was in force at all.
3. The texts of both days are compared path by path.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.law.files.provision_file import ClosedRecord, Effect
from selo.law.status import LegalStanding, describe_status, status_on
from selo.text import Words

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator

    from selo.law.loader import InstrumentFolder, Law, LocatedProvision
    from selo.law.status import Status


class ChangedText(ClosedRecord, frozen=True):
    """The words of a provision in one language, on both days."""

    language: str
    before: str | None
    after: str | None


class ProvisionChange(ClosedRecord, frozen=True):
    """One path of a text that is not the same on both days."""

    path: str
    #: The provision on each day, by its full id; nothing if there was none.
    before: str | None
    after: str | None
    words: list[ChangedText]
    rule_changed: bool
    #: Open points that only one of both texts has, by their ids.
    points_before: list[str]
    points_after: list[str]
    #: How the text stood on each day, if that is not the same.
    status_before: Words | None
    status_after: Words | None

    @property
    def needs_examination(self) -> bool:
        """Whether what was examined on the first day must be examined again."""
        return self.after is not None and (
            self.before is None
            or bool(self.words)
            or self.rule_changed
            # Its words are no longer the law: the new ones must be examined once they are held.
            or self.status_after is not None
        )


class FamilyChange(ClosedRecord, frozen=True):
    """What changed in the texts of one game."""

    games: list[str]
    #: The instruments whose text it was on each day.
    before: list[str]
    after: list[str]
    changes: list[ProvisionChange]
    #: Provisions of the second day that must be examined again.
    examine_again: list[str]


def find_families(law: Law) -> list[list[InstrumentFolder]]:
    """Return the instruments that hold the texts of one game, oldest first."""
    families: list[list[InstrumentFolder]] = []
    for folder in sorted(law.folders, key=lambda one: one.instrument.dates.in_force.not_before):
        related = [family for family in families if any(_are_linked(folder, one) for one in family)]
        merged = [one for family in related for one in family] + [folder]
        families = [family for family in families if family not in related] + [merged]
    return families


def _are_linked(folder: InstrumentFolder, other: InstrumentFolder) -> bool:
    if folder.instrument.game == other.instrument.game:
        return True
    return any(
        link.act.pt == about.instrument.citation.pt
        for one, about in ((folder, other), (other, folder))
        for link in one.instrument.chain
        if link.effect is not Effect.ADDED_TO_BY
    )


def compare_days(law: Law, first: dt.date, second: dt.date) -> Iterator[FamilyChange]:
    """Yield what changed between two days in each family of texts; nothing where nothing did."""
    for family in find_families(law):
        before, after = (_text_on(law, family, day) for day in (first, second))
        changes = [
            change
            for path in dict.fromkeys([*before, *after])
            for change in [_compare(law, path, before.get(path), after.get(path), first, second)]
            if change is not None
        ]
        if changes:
            yield FamilyChange(
                games=list(dict.fromkeys(folder.instrument.game for folder in family)),
                before=list(dict.fromkeys(held.instrument.id for held in before.values())),
                after=list(dict.fromkeys(held.instrument.id for held in after.values())),
                changes=changes,
                examine_again=[str(change.after) for change in changes if change.needs_examination],
            )


def _text_on(law: Law, family: list[InstrumentFolder], day: dt.date) -> dict[str, LocatedProvision]:
    text: dict[str, LocatedProvision] = {}
    chosen: dict[str, bool] = {}
    for folder in family:
        if day < folder.instrument.dates.in_force.not_before:
            continue
        for held in law.provisions.values():
            if held.instrument is not folder.instrument:
                continue
            path = held.provision.id
            status = status_on(folder.instrument, day, article=path)
            is_law = status.standing is LegalStanding.NO_LATER_ACT
            if is_law or not chosen.get(path, False):
                text[path], chosen[path] = held, is_law
    return text


def _compare(  # noqa: PLR0913, PLR0917 - a path, and its text on two days
    law: Law,
    path: str,
    before: LocatedProvision | None,
    after: LocatedProvision | None,
    first: dt.date,
    second: dt.date,
) -> ProvisionChange | None:
    words = [
        ChangedText(language=language, before=old, after=new)
        for language in ("pt", "zh")
        for old in [None if before is None else before.provision.text.get(language)]
        for new in [None if after is None else after.provision.text.get(language)]
        if old != new
    ]
    rules = [None if held is None else held.provision.rule for held in (before, after)]
    points = [
        [] if held is None else [_point_name(one.id) for one in law.divergences_of(held.id)]
        for held in (before, after)
    ]
    statuses = [
        None if held is None else status_on(held.instrument, day, article=path)
        for held, day in ((before, first), (after, second))
    ]
    standings = [None if one is None else (one.standing, one.certain) for one in statuses]
    same_status = standings[0] == standings[1]
    if not words and rules[0] == rules[1] and points[0] == points[1] and same_status:
        return None
    return ProvisionChange(
        path=path,
        before=None if before is None else before.id,
        after=None if after is None else after.id,
        words=words,
        rule_changed=rules[0] != rules[1],
        points_before=[name for name in points[0] if name not in points[1]],
        points_after=[name for name in points[1] if name not in points[0]],
        status_before=_describe(statuses[0], first, same=same_status),
        status_after=_describe(statuses[1], second, same=same_status),
    )


def _describe(status: Status | None, day: dt.date, *, same: bool) -> Words | None:
    return None if status is None or same else describe_status(status, day)


def _point_name(point: str) -> str:
    """Return the name of an open point without its instrument."""
    return point.partition("--")[2] or point
