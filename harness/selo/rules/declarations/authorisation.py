"""What the authority must have permitted before a table uses it, held against what is declared.

1. Options that need permission are the clauses ``option`` with ``authorised``.
2. What of them an offer uses is asked for one by one; each needs an entry that covers it.
3. An entry was asked for in time if enough days that the vendor names as working days can be such.
   If too few days can be, it was too late; if too few are named, that is not known.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from selo.rules.clauses import clause_models as c
from selo.rules.declarations.requirement_status import Judgement, Standing, stands
from selo.rules.settlement.jackpot import shares_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from selo.rules.clauses import Written
    from selo.rules.declarations.calendar import Calendar
    from selo.rules.declarations.requirement_status import Offer

JACKPOT: Final = "jackpot"
#: Options that are not values of an option of a table: what of an offer they are about.
BETS, LINK = "additional-bets", "linked-jackpot"
AMOUNTS, PERCENTAGE = "jackpot-fixed-amounts", "jackpot-percentage"
_ABOUT_JACKPOTS: Final = frozenset({JACKPOT, LINK, AMOUNTS, PERCENTAGE})
_MODALITY: Final = "modality"
#: The better of two entries for one thing counts.
_BEST: Final = (Standing.KEPT, Standing.UNTOLD, Standing.MISSING, Standing.BROKEN)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Used:
    """One thing that is used and needs permission."""

    option: str
    value: str
    #: The combination whose amount must be approved, and what is configured.
    part: str = ""
    configured: Any = None

    @property
    def name(self) -> str:
        return " ".join(filter(None, (self.option, self.value, self.part)))


def offers_jackpots(offer: Offer) -> bool:
    """Return whether an offer has anything to do with jackpots."""
    return bool(
        offer.get("jackpots")
        or offer.get("options", {}).get(JACKPOT)
        or JACKPOT in offer.get("bets", ())
    )


def authorised(
    one: Written, written: Sequence[Written], offer: Offer, calendar: Calendar
) -> Iterator[Judgement]:
    """Yield how each thing that is used and needs permission stands."""
    clause = one.clause
    if not isinstance(clause, c.Authorisation):
        return
    names = c.names(clause.authorisation)
    if set(names) <= _ABOUT_JACKPOTS and not offers_jackpots(offer):
        yield _told(one, ", ".join(names), Standing.ABSENT, {}, {})
        return
    if offer.get("authorisations") is None:
        about = ", ".join(names)
        yield _told(one, about, Standing.MISSING, {"authorisations": about}, {})
        return
    used = [thing for name in names for thing in _used(name, written, offer)]
    for thing in used:
        if isinstance(thing, str):
            yield _told(one, thing, Standing.MISSING, {"declared": thing}, {})
        else:
            yield from _judged(one, clause, thing, offer["authorisations"], calendar)
    if not used:
        # Nothing that is used needs permission; if it did, this would be otherwise.
        uses = {"options": offer.get("options", {}), "bets": list(offer.get("bets", ()))}
        yield _told(one, ", ".join(names), Standing.KEPT, {"authorisations": []}, uses)


def _told(
    one: Written,
    about: str,
    standing: Standing,
    required: Mapping[str, Any],
    declared: Mapping[str, Any],
) -> Judgement:
    return Judgement(
        provision=one.held.id,
        about=f"{about}{_aspect(one.clause)}",
        standing=standing,
        required=required,
        declared=declared,
    )


def _aspect(clause: c.Clause) -> str:
    if not isinstance(clause, c.Authorisation):
        return ""
    if clause.ahead is not None:
        return ": asked ahead"
    return ": granted" if clause.granted else ": authorised"


# What is used.


def _used(name: str, written: Sequence[Written], offer: Offer) -> Iterator[_Used | str]:
    """Yield what an offer uses of an option that needs permission; a text is not declared."""
    values = [
        value
        for one in written
        if isinstance(one.clause, c.Option)
        and (one.clause.option, one.clause.authorised) == (name, True)
        for value in one.clause.values or [""]
    ]
    if not values:
        # Under this reading nobody has to ask.
        return
    if name in {AMOUNTS, PERCENTAGE}:
        yield from _configured(name, written, offer)
    elif name == LINK:
        linked = offer.get("declares", {}).get("linked_jackpot")
        if linked is None and offers_jackpots(offer):
            yield "linked_jackpot"
        elif linked in values:
            yield _Used(option=name, value=linked)
    else:
        for value in _in_use(name, written, offer):
            if value in values:
                yield _Used(option=name, value=value)


def _in_use(name: str, written: Sequence[Written], offer: Offer) -> list[str]:
    if name == BETS:
        return list(offer.get("bets", ()))
    asked = list(offer.get("options", {}).get(name, ()))
    if name == JACKPOT:
        declared = [one[_MODALITY] for one in offer.get("jackpots") or ()]
        return list(dict.fromkeys([*asked, *declared]))
    # A table that says nothing uses what the law names first.
    first = next(
        (
            value
            for one in written
            if isinstance(one.clause, c.Option) and one.clause.option == name
            for value in one.clause.values
        ),
        None,
    )
    return asked or ([] if first is None else [first])


def _configured(name: str, written: Sequence[Written], offer: Offer) -> Iterator[_Used | str]:
    """Yield the amounts, or the percentages, with which jackpots are configured."""
    jackpots = {one[_MODALITY]: one for one in offer.get("jackpots") or ()}
    for modality in offer.get("options", {}).get(JACKPOT, ()):
        if modality not in jackpots:
            yield f"{JACKPOT} {modality}"
    for modality, jackpot in jackpots.items():
        if name == PERCENTAGE:
            if "percentage" in terms(written, modality):
                part = jackpot.get("percentage")
                told = _Used(option=name, value=modality, configured=part)
                yield f"{name} {modality}" if part is None else told
            continue
        fixed = jackpot.get("fixed", {})
        for combination in sorted({*terms(written, modality).get("fixed", ()), *fixed}):
            if combination in fixed:
                yield _Used(
                    option=name, value=modality, part=combination, configured=fixed[combination]
                )
            else:
                yield f"{name} {modality} {combination}"


def terms(written: Sequence[Written], modality: str) -> dict[str, set[str]]:
    """Return the combinations of a modality by the terms of their prizes, such as ``fixed``."""
    found: dict[str, set[str]] = {}
    for share in shares_of(written, modality):
        for term in share.terms:
            found.setdefault(term, set()).update(share.combinations)
    return found


# What was permitted.


def _judged(
    one: Written,
    clause: c.Authorisation,
    thing: _Used,
    entries: Sequence[Mapping[str, Any]],
    calendar: Calendar,
) -> Iterator[Judgement]:
    covering = [
        entry
        for entry in entries
        if entry["option"] == thing.option and thing.value in entry["values"]
    ]
    if covering:
        found = [_entry(one, clause, thing, entry, calendar) for entry in covering]
        yield min(found, key=lambda judged: _BEST.index(judged.standing))
    elif clause.ahead is None and (not clause.granted or thing.configured is not None):
        # Whether it was asked in time, and answered, is not asked of what was never asked for.
        yield _told(
            one, thing.name, Standing.BROKEN, {"authorisation": thing.name}, {"entries": []}
        )


def _entry(
    one: Written,
    clause: c.Authorisation,
    thing: _Used,
    entry: Mapping[str, Any],
    calendar: Calendar,
) -> Judgement:
    required: dict[str, Any] = {"authorisation": thing.name}
    declared: dict[str, Any] = {"document": entry["document"], "used_from": entry["used_from"]}
    standing = Standing.KEPT
    if clause.granted:
        granted = declared["granted"] = entry.get("granted")
        required["granted"] = f"not after {entry['used_from']}"
        # Days are written so that the earlier comes first.
        standing = stands(kept=granted is not None and granted <= entry["used_from"])
    if thing.configured is not None:
        approved = _approved(thing, entry)
        if not _same(thing.configured, approved):
            required["approved"], declared["approved"] = thing.configured, approved
            standing = Standing.BROKEN
    if clause.ahead is not None:
        standing = _in_time(clause, clause.ahead, entry, calendar, required, declared)
    return _told(one, thing.name, standing, required, declared)


def _approved(thing: _Used, entry: Mapping[str, Any]) -> Any:
    if thing.option == PERCENTAGE:
        return entry.get("percentage")
    return entry.get("amounts", {}).get(thing.part)


def _same(configured: Any, approved: Any) -> bool:
    if isinstance(configured, list) and isinstance(approved, list):
        return all(one[1] for one in (configured, approved)) and (
            Fraction(*configured) == Fraction(*approved)
        )
    return bool(configured == approved)


def _in_time(  # noqa: PLR0913, PLR0917 - what is asked, what is declared, and by what it is told
    clause: c.Authorisation,
    ahead: int,
    entry: Mapping[str, Any],
    calendar: Calendar,
    required: dict[str, Any],
    declared: dict[str, Any],
) -> Standing:
    required["working_days_ahead"] = ahead
    if clause.clear:
        required["counted"] = "clear days"
    asked = declared["asked"] = entry.get("asked")
    if asked is None:
        return Standing.MISSING
    start, used = dt.date.fromisoformat(asked), dt.date.fromisoformat(entry["used_from"])
    enough = len(list(islice(calendar.possible(start, used, clear=clause.clear), ahead))) == ahead
    named = declared["working_days"] = list(entry.get("working_days", ()))
    days = {dt.date.fromisoformat(day) for day in named}
    good = sum(
        1
        for day in days
        if start <= day < used and not (clause.clear and day == start) and calendar.may_work(day)
    )
    if not enough:
        return Standing.BROKEN
    return Standing.KEPT if good >= ahead else Standing.UNTOLD
