"""What a vendor declares of its tables, game by game: as schemas, as an example, and as a reader.

Names are closed: a word that we do not know could change what is declared. Amounts and modalities
are not: whether they are lawful is for the law to say, and not for the protocol.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from selo.law.files import read_declarations as worked_out
from selo.law.files.events_file import ValueKind
from selo.protocol.messages import Range
from selo.protocol.schema.json_schema import (
    TEXT,
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
from selo.rules.clauses.jackpot_share import JACKPOT, combinations_by_term, read_approvals
from selo.rules.declarations import declarable_items, read_declaration_clauses
from selo.rules.declarations.declaration_models import (
    COMBINATIONS,
    FACES,
    MODALITY,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from selo.law import Law
    from selo.protocol.messages import Authorisation, Jackpot, Layout, Offer

#: What permissions of the figures of a jackpot are about.
_FIGURES: Final = frozenset({c.Approves.FIXED, c.Approves.PERCENTAGE})
_DATE: Final[Schema] = {"type": "string", "format": "date"}
_PARTS: Final[Schema] = list_schema(WHOLE, least=2, most=2)
#: The field of an offer in which each kind of thing is declared.
_FIELDS: Final = ("declares", "faces", "layout", "jackpots", "authorisations")


class DeclarationWords:
    """Everything that may be declared of the tables of one game."""

    def __init__(self, law: Law, game: str, bets: Sequence[str]) -> None:
        self._law, self._game, self._bets = law, game, list(bets)
        self._written = read_clauses(law, game)
        self._clauses = [one.clause for one in read_declaration_clauses(law, game)]
        self._names = declarable_items(law, game)

    @cached_property
    def fields(self) -> list[str]:
        """The fields of an offer in which something is declared of this game."""
        kinds = {
            "declares": bool(self._names),
            "faces": self._asks(FACES),
            "layout": any(isinstance(clause, c.Shows) for clause in self._clauses),
            "jackpots": self._asks(MODALITY),
            "authorisations": bool(self._options),
        }
        return [name for name in _FIELDS if kinds[name]]

    def _asks(self, name: str) -> bool:
        return any(
            isinstance(clause, c.Declares) and clause.declares == name for clause in self._clauses
        )

    @cached_property
    def _combinations(self) -> bool:
        return any(
            isinstance(clause, c.Shows) and COMBINATIONS in c.list_names(clause.shows)
            for clause in self._clauses
        )

    @cached_property
    def _options(self) -> dict[str, list[str]]:
        """The options that need permission, each with the values it may have."""
        needing = {
            name
            for clause in self._clauses
            if isinstance(clause, c.AuthorisationClause)
            for name in c.list_names(clause.authorisation)
        }
        found: dict[str, list[str]] = {}
        for one in self._written:
            if isinstance(one.clause, c.Option) and one.clause.option in needing:
                known = found.setdefault(one.clause.option, [])
                known += [value for value in one.clause.values if value not in known]
        for name in found:
            if self._approves.get(name) in _FIGURES:
                found[name] = list(found[JACKPOT])
        return found

    @cached_property
    def _approves(self) -> dict[str, c.Approves]:
        return read_approvals(self._written)

    def _approving(self, what: c.Approves) -> str:
        """Return the option that approves something."""
        return next((name for name, found in self._approves.items() if found is what), "no option")

    @cached_property
    def _amounts(self) -> list[str]:
        """The combinations that have an amount in some modality, under some reading."""
        modalities = self._options.get(JACKPOT, [])
        return sorted(
            {
                name
                for modality in modalities
                for name in combinations_by_term(self._written, modality)["fixed"]
            }
        )

    # As schemas.

    def schemas(self) -> dict[str, Schema]:
        """Return the fields of the offer, each closed."""
        made = {
            "declares": self._declares_schema,
            "faces": lambda: _nullable(list_schema(ref("Face"))),
            "layout": self._layout_schema,
            "jackpots": self._jackpots_schema,
            "authorisations": self._authorisations_schema,
        }
        return {name: made[name]() for name in self.fields}

    def example(self) -> dict[str, Any]:
        """Return a declaration that was worked out by hand."""
        found = worked_out(self._game)
        lawful = {} if found is None else found.lawful
        return {name: lawful[name] for name in self.fields if name in lawful}

    def _declares_schema(self) -> Schema:
        fields: dict[str, Schema] = {}
        for name, one in self._names.items():
            shape: Schema = {"enum": list(one.values)}
            if one.kind is ValueKind.NUMBER:
                shape = {"anyOf": [WHOLE, ref("Range")]}
            fields[name] = {**titled(one.words, name), **shape}
        return closed_object(fields, [])

    def _layout_schema(self) -> Schema:
        fields: dict[str, Schema] = {"bets": list_schema({"enum": self._bets}, uniqueItems=True)}
        if self._combinations:
            fields[COMBINATIONS] = _nullable(WHOLE)
        return _nullable(closed_object(fields, ["bets"]))

    def _jackpots_schema(self) -> Schema:
        fields = {
            "modality": TEXT,
            "fixed": self._amounts_schema(),
            "percentage": _nullable(_PARTS),
        }
        return _nullable(list_schema(closed_object(fields, ["modality"])))

    def _amounts_schema(self) -> Schema:
        return closed_object(
            {name: {**WHOLE, **term(self._law, name)} for name in self._amounts}, []
        )

    def _authorisations_schema(self) -> Schema:
        values = dict.fromkeys(value for known in self._options.values() for value in known)
        fields: dict[str, Schema] = {
            "option": {"enum": list(self._options)},
            "values": list_schema({"enum": list(values)}, least=1, uniqueItems=True),
            "document": TEXT,
            "used_from": _DATE,
            "asked": _nullable(_DATE),
            "granted": _nullable(_DATE),
            "working_days": list_schema(_DATE, uniqueItems=True),
            "amounts": self._amounts_schema(),
            "percentage": _nullable(_PARTS),
        }
        required = ["option", "values", "document", "used_from"]
        return _nullable(list_schema(closed_object(fields, required)))

    # As a reader.

    def problem(self, offer: Offer, where: str) -> str | None:
        """Return the first thing that an offer declares and the game does not know, or nothing."""
        return next(self._problems(offer, where), None)

    def _problems(self, offer: Offer, where: str) -> Iterator[str]:
        for name in _FIELDS:
            # An empty list says that there is none, and is said of nothing that is not known.
            if name not in self.fields and getattr(offer, name) not in (None, {}):
                yield f"{where}.{name}: nothing of the kind is declared of {self._game}"
        for name, value in offer.declares.items():
            wrong = self._declared_wrongly(name, value)
            if wrong is not None:
                yield f"{where}.declares.{name}: {wrong}"
        if offer.layout is not None:
            yield from self._layout(offer.layout, f"{where}.layout")
        for at, jackpot in enumerate(offer.jackpots or ()):
            yield from self._jackpot(jackpot, f"{where}.jackpots[{at}]")
        known = [jackpot.modality for jackpot in offer.jackpots or ()]
        if len(set(known)) < len(known):
            yield f"{where}.jackpots: a modality is declared twice"
        for at, authorisation in enumerate(offer.authorisations or ()):
            yield from self._authorisation(authorisation, known, f"{where}.authorisations[{at}]")

    def _layout(self, layout: Layout, where: str) -> Iterator[str]:
        for at, bet in enumerate(layout.bets):
            if bet not in self._bets:
                yield f"{where}.bets[{at}]: {self._game} has no {bet!r}"
        if layout.combinations is not None and not self._combinations:
            yield f"{where}.combinations: {self._game} has none"

    def _declared_wrongly(self, name: str, value: Any) -> str | None:
        known = self._names.get(name)
        if known is None:
            names = ", ".join(self._names) or "nothing"
            return f"no such declaration; of {self._game} one declares {names}"
        if known.kind is not ValueKind.NUMBER:
            return None if value in known.values else f"one of {', '.join(known.values)} is needed"
        if isinstance(value, Range):
            return None if value.start <= value.to else "the first number is above the last"
        return None if isinstance(value, int) else "a whole number is needed"

    def _jackpot(self, one: Jackpot, where: str) -> Iterator[str]:
        for name in one.fixed:
            if name not in self._amounts:
                yield f"{where}.fixed.{name}: this combination has no fixed amount"
        if one.percentage is not None and not _is_percentage(one.percentage):
            yield f"{where}.percentage: a part and its whole are needed"

    def _authorisation(
        self, one: Authorisation, modalities: Sequence[str], where: str
    ) -> Iterator[str]:
        known = self._options.get(one.option)
        if known is None:
            yield f"{where}.option: {', '.join(self._options)} may need permission"
            return
        approves = self._approves.get(one.option)
        more = modalities if one.option == JACKPOT or approves in _FIGURES else ()
        for at, value in enumerate(one.values):
            if value not in {*known, *more}:
                yield f"{where}.values[{at}]: {one.option} is never {value!r}"
        yield from self._approved(one, where)
        if one.asked is not None and one.granted is not None and one.granted < one.asked:
            yield f"{where}.granted: before it was asked for"
        for at, day in enumerate(one.working_days):
            if one.asked is None or not one.asked <= day < one.used_from:
                yield f"{where}.working_days[{at}]: not between asking and use"

    def _approved(self, one: Authorisation, where: str) -> Iterator[str]:
        for name in one.amounts:
            if name not in self._amounts:
                yield f"{where}.amounts.{name}: this combination has no fixed amount"
        approves = self._approves.get(one.option)
        if one.amounts and approves is not c.Approves.FIXED:
            yield f"{where}.amounts: they belong to {self._approving(c.Approves.FIXED)}"
        if one.percentage is not None and approves is not c.Approves.PERCENTAGE:
            yield f"{where}.percentage: it belongs to {self._approving(c.Approves.PERCENTAGE)}"
        if one.percentage is not None and not _is_percentage(one.percentage):
            yield f"{where}.percentage: a part and its whole are needed"


def _is_percentage(percentage: Sequence[int]) -> bool:
    part, whole = percentage
    return part <= whole and whole > 0


def _nullable(shape: Schema) -> Schema:
    return {"anyOf": [shape, {"type": "null"}]}
