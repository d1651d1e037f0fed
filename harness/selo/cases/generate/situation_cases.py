"""Cases from the situations of the register, in which readings of an open point differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from selo.cases.case import comparison_case, settlement_case
from selo.cases.group import STAKE, Group
from selo.law.files.situation_file import read_situations
from selo.rules.clauses import clause_models as c
from selo.rules.clauses import read_clauses
from selo.rules.equipment.kits import EXPOSED, BadOutcome
from selo.rules.equipment.pack_and_dice import DIE_POSITIONS, UNREADABLE
from selo.rules.equipment.piece_set import ANNOUNCED, LYING
from selo.rules.settlement.jackpot import JACKPOT_HISTORY
from selo.rules.settlement.neighbouring_bets import BET_HISTORY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.cases.case import Case
    from selo.cases.group import GeneratorSetting
    from selo.law.files.situation_file import SituationCase
    from selo.table_values import Bet, Options

#: Name of the group of cases in which the readings of an open point differ.
SITUATION_GROUP: Final = "situations"
_OUTCOME_HISTORY: Final = frozenset({EXPOSED, ANNOUNCED})


def list_groups(setting: GeneratorSetting) -> Iterator[Group]:
    """Yield the group of situations of a game, and one of offered bets that are not in the law."""
    yield Group(name=SITUATION_GROUP, budget="quick", cases=lambda: _situation_cases(setting))
    if setting.unknown_bets() and "settle" in setting.offered.methods:
        yield Group(name="unknown-bets", budget="quick", cases=lambda: _unknown_bet_cases(setting))


def _situation_cases(setting: GeneratorSetting) -> Iterator[Case]:
    offered = setting.offered
    bets = setting.bets()
    for situation in read_situations(setting.game, specs=setting.law.specs).values():
        if situation.compare is not None:
            if "compare" in offered.methods:
                yield comparison_case(setting.game, SITUATION_GROUP, *situation.compare)
            continue
        if not offered.history and states_history(situation):
            continue
        options = _offered_options(setting, situation.options)
        has_all_bets = all(bet.get("bet") in bets for bet in situation.bets)
        if "settle" in offered.methods and has_all_bets and offered.allows(options):
            case = settlement_case(
                setting.game, SITUATION_GROUP, situation.outcome, situation.bets, options
            )
            if _is_possible(setting, case):
                yield case


def states_history(situation: SituationCase | Case) -> bool:
    """Return whether a situation states more than one round: only some vendors understand it."""
    jackpot = [value for value in situation.options.values() if isinstance(value, dict)]
    return (
        not _OUTCOME_HISTORY.isdisjoint(situation.outcome)
        or UNREADABLE in situation.outcome.get(LYING, ())
        or any(field in bet for bet in situation.bets for field in BET_HISTORY.values())
        or any(not JACKPOT_HISTORY.isdisjoint(value) for value in jackpot)
    )


def without_history(case: Case) -> Case:
    """Return a case as if nothing lay behind it."""
    options = {
        name: {key: part for key, part in value.items() if key not in JACKPOT_HISTORY}
        if isinstance(value, dict)
        else value
        for name, value in case.options.items()
    }
    outcome: Any = {
        key: value for key, value in case.outcome.items() if key not in _OUTCOME_HISTORY
    }
    if LYING in case.outcome:
        lying = case.outcome[LYING]
        outcome[LYING] = [DIE_POSITIONS[0] if way == UNREADABLE else way for way in lying]
    fields = {*BET_HISTORY.values()}
    bets: list[Any] = [
        {key: value for key, value in bet.items() if key not in fields} for bet in case.bets
    ]
    return replace(case, options=options, outcome=outcome, bets=bets)


def _is_possible(setting: GeneratorSetting, case: Case) -> bool:
    """Return whether a case is possible under the readings followed.

    A situation gives the options that its own point needs; a ruling on another point may need
    more, such as the amount of a combination that is paid only under that ruling.
    """
    try:
        setting.rules.settle_plain(case.options, case.outcome, case.bets)
    except BadOutcome:
        return False
    return True


def _offered_options(setting: GeneratorSetting, options: Options) -> Options:
    """Return options without those that the vendor does not offer and that equal the default."""
    defaults = {
        read_clause.clause.option: read_clause.clause.values[0]
        for read_clause in read_clauses(setting.law, setting.game)
        if isinstance(read_clause.clause, c.Option)
        and read_clause.clause.values
        and not read_clause.clause.authorised
    }
    return {
        name: value
        for name, value in options.items()
        if name in setting.offered.options or name not in defaults or defaults[name] != value
    }


def _unknown_bet_cases(setting: GeneratorSetting) -> Iterator[Case]:
    outcome = next(
        (
            situation.outcome
            for situation in read_situations(setting.game, specs=setting.law.specs).values()
            if situation.outcome
        ),
        None,
    )
    if outcome is not None:
        for name in setting.unknown_bets():
            bets: list[Bet] = [{"bet": name, "stake": STAKE}]
            yield settlement_case(setting.game, "unknown-bets", outcome, bets)
