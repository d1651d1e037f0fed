"""Judges whether the authority permitted the options that a table uses.

1. Options that need permission are the clauses ``option`` with ``authorised``.
2. Each use of such an option in an offer needs an entry that covers it.
3. An entry was requested in time if enough of the days that the vendor names can be working days.
   If too few days can be, it was too late; if too few are named, the status is undetermined.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from selo.rules.clauses import clause_models as c
from selo.rules.clauses.jackpot_share import JACKPOT, combinations_by_term, read_approvals
from selo.rules.declarations.declaration_models import (
    MODALITY,
    RequirementJudgement,
    RequirementStatus,
    status_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from selo.rules.clauses import LocatedClause
    from selo.rules.declarations.calendar import WorkingDays
    from selo.rules.declarations.declaration_models import Offer

#: What permissions of the figures of a jackpot are about.
_FIGURES: Final = frozenset({c.Approves.FIXED, c.Approves.PERCENTAGE})
#: Of several entries for one use, the best counts.
_BEST_FIRST: Final = (
    RequirementStatus.KEPT,
    RequirementStatus.UNDETERMINED,
    RequirementStatus.MISSING,
    RequirementStatus.BROKEN,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class _OptionUse:
    """One use of an option that needs permission."""

    option: str
    value: str
    #: The combination whose amount must be approved, and the configured amount.
    part: str = ""
    configured: Any = None

    @property
    def name(self) -> str:
        return " ".join(filter(None, (self.option, self.value, self.part)))


def offers_jackpots(offer: Offer) -> bool:
    """Return whether an offer has jackpots."""
    return bool(
        offer.get("jackpots")
        or offer.get("options", {}).get(JACKPOT)
        or JACKPOT in offer.get("bets", ())
    )


def judge_authorisation(
    located: LocatedClause, clauses: Sequence[LocatedClause], offer: Offer, calendar: WorkingDays
) -> Iterator[RequirementJudgement]:
    """Yield the judgement of each use of an option that needs permission."""
    clause = located.clause
    if not isinstance(clause, c.AuthorisationClause):
        return
    names = c.list_names(clause.authorisation)
    if _concern_jackpots(names, clauses) and not offers_jackpots(offer):
        yield _judgement(located, ", ".join(names), RequirementStatus.ABSENT, {}, {})
        return
    if offer.get("authorisations") is None:
        about = ", ".join(names)
        yield _judgement(located, about, RequirementStatus.MISSING, {"authorisations": about}, {})
        return
    used = [use for name in names for use in _uses_of_option(name, clauses, offer)]
    for use in used:
        if isinstance(use, str):
            yield _judgement(located, use, RequirementStatus.MISSING, {"declared": use}, {})
        else:
            yield from _judge_use(located, clause, use, offer["authorisations"], calendar)
    if not used:
        # Nothing in use needs permission.
        uses = {"options": offer.get("options", {}), "bets": list(offer.get("bets", ()))}
        yield _judgement(
            located, ", ".join(names), RequirementStatus.KEPT, {"authorisations": []}, uses
        )


def _judgement(
    located: LocatedClause,
    about: str,
    status: RequirementStatus,
    required: Mapping[str, Any],
    declared: Mapping[str, Any],
) -> RequirementJudgement:
    return RequirementJudgement(
        provision=located.held.id,
        about=f"{about}{_aspect_of(located.clause)}",
        status=status,
        required=required,
        declared=declared,
    )


def _aspect_of(clause: c.Clause) -> str:
    if not isinstance(clause, c.AuthorisationClause):
        return ""
    if clause.ahead is not None:
        return ": asked ahead"
    return ": granted" if clause.granted else ": authorised"


def _concern_jackpots(names: Sequence[str], clauses: Sequence[LocatedClause]) -> bool:
    """Return whether all of the options that are in force are about jackpots."""
    options = [located.clause for located in clauses if isinstance(located.clause, c.Option)]
    named = [one for one in options if one.option in names]
    return bool(named) and all(one.option == JACKPOT or one.approves in _FIGURES for one in named)


def _uses_of_option(
    name: str, clauses: Sequence[LocatedClause], offer: Offer
) -> Iterator[_OptionUse | str]:
    """Yield the uses of an option in an offer; a text names an item that is not declared."""
    values = [
        value
        for located in clauses
        if isinstance(located.clause, c.Option)
        and (located.clause.option, located.clause.authorised) == (name, True)
        for value in located.clause.values or [""]
    ]
    if not values:
        # Under this reading no permission is needed.
        return
    approves = read_approvals(clauses).get(name)
    if approves in _FIGURES:
        yield from _jackpot_uses(name, clauses, offer)
    elif approves is c.Approves.DECLARED:
        item = name.replace("-", "_")
        declared = offer.get("declares", {}).get(item)
        if declared is None and offers_jackpots(offer):
            yield item
        elif declared in values:
            yield _OptionUse(option=name, value=declared)
    else:
        for value in _values_in_use(name, clauses, offer):
            if value in values:
                yield _OptionUse(option=name, value=value)


def _values_in_use(name: str, clauses: Sequence[LocatedClause], offer: Offer) -> list[str]:
    if read_approvals(clauses).get(name) is c.Approves.BETS:
        return list(offer.get("bets", ()))
    offered = list(offer.get("options", {}).get(name, ()))
    if name == JACKPOT:
        declared = [jackpot[MODALITY] for jackpot in offer.get("jackpots") or ()]
        return list(dict.fromkeys([*offered, *declared]))
    # The default is the first value that the law names.
    first = next(
        (
            value
            for located in clauses
            if isinstance(located.clause, c.Option) and located.clause.option == name
            for value in located.clause.values
        ),
        None,
    )
    return offered or ([] if first is None else [first])


def _jackpot_uses(
    name: str, clauses: Sequence[LocatedClause], offer: Offer
) -> Iterator[_OptionUse | str]:
    """Yield the amounts, or the percentages, of the jackpots."""
    jackpots = {jackpot[MODALITY]: jackpot for jackpot in offer.get("jackpots") or ()}
    for modality in offer.get("options", {}).get(JACKPOT, ()):
        if modality not in jackpots:
            yield f"{JACKPOT} {modality}"
    for modality, jackpot in jackpots.items():
        if read_approvals(clauses)[name] is c.Approves.PERCENTAGE:
            if "percentage" in combinations_by_term(clauses, modality):
                part = jackpot.get("percentage")
                use = _OptionUse(option=name, value=modality, configured=part)
                yield f"{name} {modality}" if part is None else use
            continue
        fixed = jackpot.get("fixed", {})
        for combination in sorted(
            {*combinations_by_term(clauses, modality).get("fixed", ()), *fixed}
        ):
            if combination in fixed:
                yield _OptionUse(
                    option=name, value=modality, part=combination, configured=fixed[combination]
                )
            else:
                yield f"{name} {modality} {combination}"


def _judge_use(
    located: LocatedClause,
    clause: c.AuthorisationClause,
    use: _OptionUse,
    entries: Sequence[Mapping[str, Any]],
    calendar: WorkingDays,
) -> Iterator[RequirementJudgement]:
    covering = [
        entry for entry in entries if entry["option"] == use.option and use.value in entry["values"]
    ]
    if covering:
        judgements = [_judge_entry(located, clause, use, entry, calendar) for entry in covering]
        yield min(judgements, key=lambda judgement: _BEST_FIRST.index(judgement.status))
    elif clause.ahead is None and (not clause.granted or use.configured is not None):
        # Notice and answer are not judged for a use that has no entry.
        yield _judgement(
            located,
            use.name,
            RequirementStatus.BROKEN,
            {"authorisation": use.name},
            {"entries": []},
        )


def _judge_entry(
    located: LocatedClause,
    clause: c.AuthorisationClause,
    use: _OptionUse,
    entry: Mapping[str, Any],
    calendar: WorkingDays,
) -> RequirementJudgement:
    required: dict[str, Any] = {"authorisation": use.name}
    declared: dict[str, Any] = {"document": entry["document"], "used_from": entry["used_from"]}
    status = RequirementStatus.KEPT
    if clause.granted:
        granted = declared["granted"] = entry.get("granted")
        required["granted"] = f"not after {entry['used_from']}"
        # Dates in ISO format compare as text.
        status = status_of(kept=granted is not None and granted <= entry["used_from"])
    if use.configured is not None:
        approved = _approved_value(use, entry)
        if not _is_same_amount(use.configured, approved):
            required["approved"], declared["approved"] = use.configured, approved
            status = RequirementStatus.BROKEN
    if clause.ahead is not None:
        status = _judge_notice(clause, clause.ahead, entry, calendar, required, declared)
    return _judgement(located, use.name, status, required, declared)


def _approved_value(use: _OptionUse, entry: Mapping[str, Any]) -> Any:
    if not use.part:
        return entry.get("percentage")
    return entry.get("amounts", {}).get(use.part)


def _is_same_amount(configured: Any, approved: Any) -> bool:
    if isinstance(configured, list) and isinstance(approved, list):
        return all(whole for _, whole in (configured, approved)) and (
            Fraction(*configured) == Fraction(*approved)
        )
    return bool(configured == approved)


def _judge_notice(  # noqa: PLR0913, PLR0917 - the requirement, the entry, and what is reported
    clause: c.AuthorisationClause,
    ahead: int,
    entry: Mapping[str, Any],
    calendar: WorkingDays,
    required: dict[str, Any],
    declared: dict[str, Any],
) -> RequirementStatus:
    required["working_days_ahead"] = ahead
    if clause.clear:
        required["counted"] = "clear days"
    asked = declared["asked"] = entry.get("asked")
    if asked is None:
        return RequirementStatus.MISSING
    start, used = dt.date.fromisoformat(asked), dt.date.fromisoformat(entry["used_from"])
    enough = (
        len(list(islice(calendar.possible_days(start, used, clear=clause.clear), ahead))) == ahead
    )
    named = declared["working_days"] = list(entry.get("working_days", ()))
    days = {dt.date.fromisoformat(day) for day in named}
    good = sum(
        1
        for day in days
        if start <= day < used
        and not (clause.clear and day == start)
        and calendar.can_be_working_day(day)
    )
    if not enough:
        return RequirementStatus.BROKEN
    return RequirementStatus.KEPT if good >= ahead else RequirementStatus.UNDETERMINED
