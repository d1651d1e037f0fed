"""What a vendor declares of its tables, held against the law: dice, packs, places, layout.

1. Clauses that only a declaration keeps or breaks are read, and their names are checked.
2. Those whose readings are followed are the requirements of the game.
3. Each requirement is held against an offer; what was not declared is told apart from what is
   declared otherwise, and neither is ever taken for kept.
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, Any, Final

from selo.errors import SpecError
from selo.law.files.events_file import ValueKind
from selo.rules.clauses import clause_models as c
from selo.rules.clauses import read_clauses
from selo.rules.declarations.authorisation import JACKPOT, authorised, offers_jackpots
from selo.rules.declarations.calendar import Calendar
from selo.rules.declarations.requirement_status import Judgement, Standing, stands
from selo.rules.procedure.step_reader import events_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from selo.law.files.events_file import Declaration
    from selo.law.loader import Law
    from selo.rules.clauses import Written
    from selo.rules.declarations.requirement_status import Offer
    from selo.rules.readings import Readings

#: Things that are declared in fields of their own.
FACES: Final = "faces"
MODALITY: Final = "modality"
#: What a layout may have to show, besides bets by their names.
EVERY, COMBINATIONS = "*", "combinations"
_FACE: Final = "face"


def read(law: Law, game: str) -> list[Written]:
    """Return the clauses of `game` that only a declaration keeps or breaks, or the wrong line."""
    written = read_clauses(law, game)
    found = [one for one in written if isinstance(one.clause, c.DECLARED)]
    known = declarations(law, game)
    bets = {one.clause.bet for one in written if isinstance(one.clause, c.Bet)}
    options = {
        one.clause.option
        for one in written
        if isinstance(one.clause, c.Option) and one.clause.authorised
    }
    for one in found:
        if isinstance(one.clause, c.Declares):
            _check_declares(one, one.clause, known)
        elif isinstance(one.clause, c.Shows):
            _check_names(one, "shows", {EVERY, COMBINATIONS, *bets})
        else:
            _check_names(one, "authorisation", options)
    _check_used(law, game, found)
    return found


def declarations(law: Law, game: str) -> dict[str, Declaration]:
    """Return what may be declared of the tables of `game` by its name."""
    file = events_of(law, game)
    return (
        {} if file is None else {declaration.id: declaration for declaration in file.declarations}
    )


def _check_declares(one: Written, clause: c.Declares, known: dict[str, Declaration]) -> None:
    bounds = (clause.exactly, clause.at_least, clause.at_most)
    if clause.like is not None:
        if (clause.declares, clause.like) != (FACES, _FACE):
            raise one.wrong("like", "only faces are like clauses: face", "See docs/rules.md.")
        return
    declared = known.get(clause.declares)
    if declared is None and clause.declares != MODALITY:
        hint = f"Declared of this game: {', '.join([*known, FACES, MODALITY])}."
        raise one.wrong("declares", f"nobody declares '{clause.declares}'", hint)
    number = declared is not None and declared.kind is ValueKind.NUMBER
    if number == (bounds == (None, None, None)) or number == bool(clause.among):
        hint = "A number has exactly, at_least or at_most; a text has among."
        raise one.wrong("declares", f"'{clause.declares}' is not bounded so", hint)
    if declared is not None and not set(clause.among) <= set(declared.values or clause.among):
        raise one.wrong("among", f"'{clause.declares}' is never that", "See events.yaml.")
    other = clause.at_most or "0"
    if not other.isdigit() and other not in known:
        raise one.wrong("at_most", f"nobody declares '{other}'", "Write a number or a name.")


def _check_names(one: Written, field: str, known: set[str]) -> None:
    for name in c.names(getattr(one.clause, field)):
        if name not in known:
            hint = f"Use some of: {', '.join(sorted(known))}."
            raise one.wrong(field, f"there is no '{name}' here", hint)


def _check_used(law: Law, game: str, found: Sequence[Written]) -> None:
    """Refuse a declaration that nothing asks for: it would be taken for examined."""
    asked = set()
    for one in found:
        if isinstance(one.clause, c.Declares):
            asked |= {one.clause.declares, one.clause.at_most}
        elif isinstance(one.clause, c.Authorisation):
            asked |= {name.replace("-", "_") for name in c.names(one.clause.authorisation)}
    for folder in law.folders:
        document = folder.events_document
        if folder.instrument.game != game or folder.events is None or document is None:
            continue
        for index, declared in enumerate(folder.events.declarations):
            if declared.id not in asked:
                raise SpecError(
                    document.problem(
                        "declarations",
                        index,
                        problem=f"no clause asks for '{declared.id}'",
                        hint="Remove it, or write the clause in the provision that says it.",
                    )
                )


def points(law: Law, game: str) -> dict[str, list[str]]:
    """Return the divergences on which a judgement of declarations depends, with their readings."""
    found = read(law, game)
    needing = {
        name
        for one in found
        if isinstance(one.clause, c.Authorisation)
        for name in c.names(one.clause.authorisation)
    }
    found += [
        read_clause
        for read_clause in read_clauses(law, game)
        if isinstance(read_clause.clause, c.Option) and read_clause.clause.option in needing
    ]
    touched = {name for one in found for name in one.clause.under}
    return {
        divergence.id: [reading.id for reading in divergence.readings]
        for divergence in law.divergences
        if divergence.id in touched
    }


class Requirements:
    """What the law asks of the declarations of one game, under the readings followed."""

    def __init__(self, law: Law, game: str, readings: Readings) -> None:
        self._written = [
            read_clause
            for read_clause in read_clauses(law, game)
            if readings.allow(read_clause.clause.under)
        ]
        self.clauses = [one for one in read(law, game) if readings.allow(one.clause.under)]
        self._calendar = Calendar.of(law)

    def judge(self, offer: Offer) -> list[Judgement]:
        """Return how each requirement stands, in the order of the law."""
        return [found for clause in self.clauses for found in self._judged(clause, offer)]

    def _judged(self, one: Written, offer: Offer) -> Iterator[Judgement]:
        clause = one.clause
        if isinstance(clause, c.Authorisation):
            yield from authorised(one, self._written, offer, self._calendar)
        elif isinstance(clause, c.Shows):
            for name in c.names(clause.shows):
                yield self._shown(one, clause, name, offer)
        elif isinstance(clause, c.Declares) and clause.like is not None:
            yield self._faces(one, offer)
        elif isinstance(clause, c.Declares):
            yield self._declared(one, clause, offer)

    def _declared(self, one: Written, clause: c.Declares, offer: Offer) -> Judgement:
        name = clause.declares
        given = _modalities(offer) if name == MODALITY else _given(offer, name)
        required = _required(clause)
        declared = {name: given}
        if name == MODALITY and not offers_jackpots(offer):
            standing = Standing.ABSENT
        elif given is None:
            standing = Standing.MISSING
        elif clause.among:
            several = given if isinstance(given, list) else [given]
            standing = stands(kept=all(value in clause.among for value in several))
        else:
            standing = _bounded(clause, given, offer, declared)
        return Judgement(
            provision=one.held.id,
            about=name,
            standing=standing,
            required={name: required},
            declared=declared,
        )

    def _shown(self, one: Written, clause: c.Shows, name: str, offer: Offer) -> Judgement:
        layout = offer.get("layout")
        required: dict[str, Any]
        declared: dict[str, Any]
        if name == COMBINATIONS:
            wanted = self._combinations()
            given = None if layout is None else layout.get(COMBINATIONS)
            standing = Standing.MISSING if given is None else stands(kept=given >= wanted)
            required, declared = {COMBINATIONS: wanted}, {COMBINATIONS: given}
        else:
            bets = self._wanted(clause, name, offer)
            shown = None if layout is None else layout["bets"]
            missing = [bet for bet in bets if bet not in (shown or ())]
            standing = Standing.MISSING if shown is None else stands(kept=not missing)
            if not bets:
                standing = Standing.ABSENT
            required = {"layout": bets}
            declared = {"layout": shown, "not_shown": missing}
        return Judgement(
            provision=one.held.id,
            about=f"layout: {'bets' if name == EVERY else name}",
            standing=standing,
            required=required,
            declared=declared,
        )

    def _wanted(self, clause: c.Shows, name: str, offer: Offer) -> list[str]:
        every = [one.clause.bet for one in self._written if isinstance(one.clause, c.Bet)]
        wanted = every if name == EVERY else [name]
        return [bet for bet in wanted if not clause.offered or bet in offer.get("bets", ())]

    def _combinations(self) -> int:
        """Return how many combinations the dice of the game can show, their order apart."""
        faces = sum(1 for one in self._written if isinstance(one.clause, c.Face))
        clauses = [one.clause for one in self._written]
        dice = next(clause.dice or 0 for clause in clauses if isinstance(clause, c.Equipment))
        return comb(faces + dice - 1, dice)

    def _faces(self, one: Written, offer: Offer) -> Judgement:
        rows = [
            (row.held.id, row.clause) for row in self._written if isinstance(row.clause, c.Face)
        ]
        wanted = {
            row.face: {"colour": row.colour, "number": row.number} for _, row in rows
        }  # fmt: skip
        given = offer.get(FACES)
        strange: list[Any] = []
        if given is not None:
            told = [(face["figure"], _face(face)) for face in given]
            strange = [
                {"figure": figure, **face} for figure, face in told if wanted.get(figure) != face
            ]
            # Each face stands on a die once.
            strange += [name for name in wanted if [figure for figure, _ in told].count(name) != 1]
        wrong = {one if isinstance(one, str) else one["figure"] for one in strange}
        return Judgement(
            provision=one.held.id,
            about=FACES,
            standing=Standing.MISSING if given is None else stands(kept=not strange),
            required={FACES: wanted},
            declared={FACES: given, "otherwise": strange},
            grounds=tuple(name for name, row in rows if row.face in wrong),
        )


def _face(face: Any) -> dict[str, Any]:
    return {"colour": face.get("colour"), "number": face["number"]}


def _given(offer: Offer, name: str) -> Any:
    return offer.get("declares", {}).get(name)


def _modalities(offer: Offer) -> list[str] | None:
    """Return the modalities of the jackpots that are declared: all that are offered, or none."""
    jackpots = offer.get("jackpots")
    if jackpots is None:
        return None
    told = [jackpot["modality"] for jackpot in jackpots]
    asked = offer.get("options", {}).get(JACKPOT, [])
    return told if told and all(one in told for one in asked) else None


def _required(clause: c.Declares) -> dict[str, Any]:
    said = {
        "exactly": clause.exactly,
        "at_least": clause.at_least,
        "at_most": clause.at_most,
        "among": clause.among or None,
    }
    return {name: value for name, value in said.items() if value is not None}


def _bounded(clause: c.Declares, given: Any, offer: Offer, declared: dict[str, Any]) -> Standing:
    """Return whether every number that is declared lies within bounds."""
    least, most = _ends(given)
    if clause.exactly is not None and (least, most) != (clause.exactly, clause.exactly):
        return Standing.BROKEN
    if clause.at_least is not None and least < clause.at_least:
        return Standing.BROKEN
    if clause.at_most is None:
        return Standing.KEPT
    if clause.at_most.isdigit():
        return stands(kept=most <= int(clause.at_most))
    other = declared[clause.at_most] = _given(offer, clause.at_most)
    return Standing.MISSING if other is None else stands(kept=most <= _ends(other)[0])


def _ends(given: Any) -> tuple[int, int]:
    return (given["from"], given["to"]) if isinstance(given, dict) else (given, given)
