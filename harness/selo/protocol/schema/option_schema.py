"""The options of a game: of a case, of a table, and as a vendor declares what is authorised."""

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
from selo.rules.clauses.jackpot_share import list_shares

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selo.law.files.events_file import EventsFile
    from selo.law.loader import Law
    from selo.rules.clauses.jackpot_share import JackpotShare
    from selo.text.multilingual import Words


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


def jackpot_schema(law: Law, game: str, modalities: Sequence[str]) -> Schema:
    """Return the schema of the jackpot: one form for each modality, under every reading."""
    written = read_clauses(law, game)
    return {
        "oneOf": [
            _form(law, modality, list_shares(written, modality)) for modality in modalities
        ]
    }  # fmt: skip


def _form(law: Law, modality: str, shares: Sequence[JackpotShare]) -> Schema:
    # A combination has an amount wherever some reading gives it one.
    fixed = sorted(
        {name for share in shares if _FIXED in share.terms for name in share.combinations}
    )
    fields: dict[str, Schema] = {
        _MODALITY: {"const": modality, "description": "The modality."},
        "accumulated": {**WHOLE, "description": "What has accumulated in the jackpot."},
        _FIXED: {
            **closed_object({name: {**WHOLE, **term(law, name)} for name in fixed}, []),
            "description": "The approved amount of each combination that has one.",
        },
    }
    if any(_PERCENTAGE in share.terms for share in shares):
        fields[_PERCENTAGE] = _PART
    return {**term(law, f"jackpot-{modality.lower()}"), **closed_object(fields, [_MODALITY])}


#: The option that is an object of its own: its values are the modalities.
JACKPOT: Final = "jackpot"
_YES_NO: Final = ("no", "yes")
#: The option whose texts are names of bets.
_OFFERED: Final = "offered"


@dataclass(frozen=True, kw_only=True, slots=True)
class OptionShape:
    """One option: what it may be, where it counts, and where the law speaks of it."""

    name: str
    kind: ValueKind
    #: What it may be, as a vendor declares it; nothing for a number.
    values: tuple[str, ...]
    provisions: tuple[str, ...] = ()
    words: Words | None = None
    #: What holds if it is left out; only options of a table have one.
    default: Any = None
    in_case: bool = False
    in_table: bool = True


def option_shapes(
    law: Law, game: str, file: EventsFile | None, bets: Sequence[str]
) -> list[OptionShape]:
    """Return every option of `game`: those of the rules first, then those of a round only."""
    found: dict[str, OptionShape] = {}
    for read_clause in read_clauses(law, game):
        clause = read_clause.clause
        # What a condition could not name is no option by itself: another one expresses it.
        if isinstance(clause, c.Option) and clause.option.isidentifier():
            before = found.get(clause.option)
            values = dict.fromkeys([*(before.values if before else ()), *clause.values])
            places = dict.fromkeys([*(before.provisions if before else ()), read_clause.held.id])
            found[clause.option] = OptionShape(
                name=clause.option,
                kind=ValueKind.TEXT if values else ValueKind.NUMBER,
                values=tuple(values),
                provisions=tuple(places),
                in_case=True,
            )
    for option in [] if file is None else file.options:
        before = found.get(option.id)
        declared = {_OFFERED: bets}.get(option.id, option.values)
        found[option.id] = OptionShape(
            name=option.id,
            kind=option.kind,
            values=_YES_NO if option.kind is ValueKind.YES_NO else tuple(declared),
            provisions=before.provisions if before else (),
            words=option.words,
            default=_default(option.kind, option.default),
            in_case=before is not None,
        )
    return list(found.values())


def _default(kind: ValueKind, written: str) -> Any:
    if kind is ValueKind.NUMBER:
        return int(written)
    if kind is ValueKind.YES_NO:
        return written == _YES_NO[1]
    return written.split() if kind is ValueKind.TEXTS else written


def default_options(options: Sequence[OptionShape]) -> dict[str, Any]:
    """Return the options that a case cannot do without under some reading."""
    # A choice among regimes is always made; a table that says nothing uses the first.
    return {
        option.name: option.default
        for option in options
        if option.in_case and option.kind is ValueKind.TEXT and option.default is not None
    }


def option_schema(law: Law, game: str, one: OptionShape) -> Schema:
    """Return what an option of a case or of a table may be."""
    around = _around(law, one)
    if one.name == JACKPOT:
        return {**around, **jackpot_schema(law, game, one.values)}
    if one.kind is ValueKind.NUMBER:
        return {**around, **WHOLE}
    if one.kind is ValueKind.YES_NO:
        return {**around, "type": "boolean"}
    if one.kind is ValueKind.TEXTS:
        return {**around, **list_schema({"enum": list(one.values)}, uniqueItems=True)}
    return {**around, "enum": list(one.values)}


def _around(law: Law, one: OptionShape) -> Schema:
    around = term(law, one.name) if one.words is None else titled(one.words, one.name)
    if one.provisions:
        around["x-provisions"] = list(one.provisions)
    if one.default is not None:
        around["default"] = one.default
    return around


def authorised_schema(law: Law, options: Sequence[OptionShape]) -> Schema:
    """Return the object in which a vendor says which values of which options are authorised."""
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
    """Return a declaration of everything that is listed by name, and nothing else."""
    return {
        option.name: list(option.values)
        for option in options
        if option.values and option.kind is ValueKind.TEXT
    }


def value_problem(one: OptionShape, given: Any) -> str | None:
    """Return why `given`, as a vendor declared it, is nothing that an option may be."""
    if one.kind is ValueKind.NUMBER:
        return None if _numbers(given) else "whole numbers are needed"
    if not isinstance(given, list):
        return "a list of names is needed"
    strange = [value for value in given if value not in one.values]
    if strange:
        return f"{strange[0]!r} is not one of {', '.join(one.values)}"
    return None


def _numbers(given: Any) -> bool:
    if isinstance(given, list):
        return all(type(one) is int for one in given)
    # A range has been read by its own closed model.
    return not isinstance(given, str | bool | dict)
