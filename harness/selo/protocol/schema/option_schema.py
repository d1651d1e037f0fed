"""Schemas of the options of a game: in cases, at tables, and in a vendor's authorisations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from selo.law.files.events_file import ValueKind
from selo.protocol.schema.json_schema import (
    WHOLE,
    Schema,
    closed_object,
    list_schema,
    ref,
    term,
    titled,
)
from selo.rules.clauses import clause_models as c
from selo.rules.clauses import read_clauses
from selo.rules.clauses.jackpot_share import JACKPOT, list_shares

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selo.law import Law
    from selo.law.files.events_file import EventsFile
    from selo.rules.clauses.jackpot_share import JackpotShare
    from selo.table_values import Options
    from selo.text import Words


_MODALITY: Final = "modality"
_FIXED: Final = "fixed"
_PERCENTAGE: Final = "percentage"
#: A part and the whole.
_PART: Final[Schema] = list_schema(
    WHOLE,
    least=2,
    most=2,
    description="The approved part of what has accumulated, as part and whole: [1, 10].",
)


#: How the accumulated amount came about, where a table tells it; by default nothing depends on it.
_HISTORY: Final = {
    "started_with": "Of what has accumulated, what the house put in at the start.",
    "restarted_with": "Of what has accumulated, what the house put in after its last payment.",
    "this_round": "Of what has accumulated, what the bets of this round added.",
    "not_accumulated": "What was kept of the stakes and did not accumulate.",
    "paid_from_pool": "Prizes measured by what had accumulated that were taken from it before.",
    "paid_by_house": "Fixed prizes that the house paid before.",
    "other_modalities": "What has accumulated in the other jackpots of the house.",
}
_OTHERS: Final = {
    "bettors": {**WHOLE, "description": "Persons who bet on the jackpot."},
    "bets": {**WHOLE, "description": "Their bets on it."},
    "staked": {**WHOLE, "description": "What they staked on it."},
}
_ACCUMULATED: Final = "accumulated"
_WON_BEFORE: Final = "A linked round, recorded just before, that formed the same combination."


def _history_fields() -> dict[str, Schema]:
    before = {_ACCUMULATED: {**WHOLE, "description": "What had accumulated then."}, **_OTHERS}
    elsewhere = "Bets on the jackpot at linked tables, outside this round."
    return {
        **{name: {**WHOLE, "description": says} for name, says in _HISTORY.items()},
        "elsewhere": {**closed_object(_OTHERS, list(_OTHERS)), "description": elsewhere},
        "won_before": {**closed_object(before, list(before)), "description": _WON_BEFORE},
    }


def jackpot_schema(law: Law, game: str, modalities: Sequence[str]) -> Schema:
    """Return the schema of the jackpot, with one form for each modality under all readings."""
    written = read_clauses(law, game)
    return {
        "oneOf": [
            _form(law, modality, list_shares(written, modality)) for modality in modalities
        ]
    }  # fmt: skip


def _form(law: Law, modality: str, shares: Sequence[JackpotShare]) -> Schema:
    # A combination has an amount if any reading gives it one.
    fixed = sorted(
        {name for share in shares if _FIXED in share.terms for name in share.combinations}
    )
    fields: dict[str, Schema] = {
        _MODALITY: {"const": modality, "description": "The modality."},
        _ACCUMULATED: {**WHOLE, "description": "What has accumulated in the jackpot."},
        _FIXED: {
            **closed_object({name: {**WHOLE, **term(law, name)} for name in fixed}, []),
            "description": "The approved amount of each combination that has one.",
        },
    }
    if any(_PERCENTAGE in share.terms for share in shares):
        fields[_PERCENTAGE] = _PART
    fields |= _history_fields()
    return {**term(law, f"jackpot-{modality.lower()}"), **closed_object(fields, [_MODALITY])}


_YES_NO: Final = ("no", "yes")
#: The option whose texts are names of bets.
_OFFERED: Final = "offered"


@dataclass(frozen=True, kw_only=True, slots=True)
class OptionShape:
    """One option: its values, where it applies, and its provisions."""

    name: str
    kind: ValueKind
    #: The values that a vendor may declare; empty for a number.
    values: tuple[str, ...]
    provisions: tuple[str, ...] = ()
    words: Words | None = None
    #: The default; only options of a table have one.
    default: Any = None
    in_case: bool = False
    in_table: bool = True
    #: Whether it is a regime, of which some need permission: one is always chosen.
    is_regime: bool = False


def option_shapes(
    law: Law, game: str, file: EventsFile | None, bets: Sequence[str]
) -> list[OptionShape]:
    """Return every option of `game`: those of the rules first, then those used only in rounds."""
    shapes: dict[str, OptionShape] = {}
    for read_clause in read_clauses(law, game):
        clause = read_clause.clause
        # An option that no condition can name is expressed by another option.
        if isinstance(clause, c.Option) and clause.option.isidentifier():
            before = shapes.get(clause.option)
            values = dict.fromkeys([*(before.values if before else ()), *clause.values])
            places = dict.fromkeys([*(before.provisions if before else ()), read_clause.held.id])
            shapes[clause.option] = OptionShape(
                name=clause.option,
                kind=ValueKind.TEXT if values else ValueKind.NUMBER,
                values=tuple(values),
                provisions=tuple(places),
                in_case=True,
                is_regime=clause.authorised or (before is not None and before.is_regime),
            )
    for option in [] if file is None else file.options:
        before = shapes.get(option.id)
        declared = {_OFFERED: bets}.get(option.id, option.values)
        shapes[option.id] = OptionShape(
            name=option.id,
            kind=option.kind,
            values=_YES_NO if option.kind is ValueKind.YES_NO else tuple(declared),
            provisions=before.provisions if before else (),
            words=option.words,
            default=_default(option.kind, option.default),
            in_case=before is not None,
            is_regime=before is not None and before.is_regime,
        )
    return list(shapes.values())


def _default(kind: ValueKind, written: str) -> Any:
    if kind is ValueKind.NUMBER:
        return int(written)
    if kind is ValueKind.YES_NO:
        return written == _YES_NO[1]
    return written.split() if kind is ValueKind.TEXTS else written


def default_options(options: Sequence[OptionShape]) -> Options:
    """Return the options that a case needs under some reading."""
    # A regime is always chosen; the first is the default.
    return {
        option.name: option.default
        for option in options
        if option.is_regime and option.kind is ValueKind.TEXT and option.default is not None
    }


def option_schema(law: Law, game: str, option: OptionShape) -> Schema:
    """Return the schema of an option of a case or of a table."""
    around = _around(law, option)
    if option.name == JACKPOT:
        return {**around, **jackpot_schema(law, game, option.values)}
    if option.kind is ValueKind.NUMBER:
        return {**around, **WHOLE}
    if option.kind is ValueKind.YES_NO:
        return {**around, "type": "boolean"}
    if option.kind is ValueKind.TEXTS:
        return {**around, **list_schema({"enum": list(option.values)}, uniqueItems=True)}
    return {**around, "enum": list(option.values)}


def _around(law: Law, option: OptionShape) -> Schema:
    around = term(law, option.name) if option.words is None else titled(option.words, option.name)
    if option.provisions:
        around["x-provisions"] = list(option.provisions)
    if option.default is not None:
        around["default"] = option.default
    return around


def authorised_schema(law: Law, options: Sequence[OptionShape]) -> Schema:
    """Return the schema of the object that lists the authorised values of options."""
    fields: dict[str, Schema] = {}
    for option in options:
        around = _around(law, option)
        around.pop("default", None)
        if option.kind is ValueKind.NUMBER:
            numbers = list_schema(WHOLE, least=1, uniqueItems=True)
            fields[option.name] = {**around, "anyOf": [numbers, ref("Range")]}
        else:
            names = list_schema({"enum": list(option.values)}, least=1, uniqueItems=True)
            fields[option.name] = {**around, **names}
    return closed_object(fields, [])


def authorised_example(options: Sequence[OptionShape]) -> dict[str, Any]:
    """Return an example that declares every listed value."""
    return {option.name: list(option.values) for option in options if option.values}


def value_problem(option: OptionShape, declared: Any) -> str | None:
    """Return why a declared value is not valid for an option, or None."""
    if option.kind is ValueKind.NUMBER:
        return None if _numbers(declared) else "whole numbers are needed"
    if not isinstance(declared, list):
        return "a list of names is needed"
    strange = [value for value in declared if value not in option.values]
    if strange:
        return f"{strange[0]!r} is not one of {', '.join(option.values)}"
    return None


def _numbers(declared: Any) -> bool:
    if isinstance(declared, list):
        return all(type(number) is int for number in declared)
    # A range has been decoded by its own closed model.
    return not isinstance(declared, str | bool | dict)
