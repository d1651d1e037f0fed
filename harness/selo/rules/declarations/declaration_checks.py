"""Judges what a vendor declares of its tables: dice, packs, places, layout.

1. Clauses that a declaration satisfies or violates are read, and their names are checked.
2. Those under readings in force are the requirements of the game.
3. Each requirement is compared with an offer; a missing declaration and a wrong one have
   different statuses, and neither counts as kept.
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, Any, Final

from selo.errors import SpecError
from selo.law.files.events_file import ValueKind
from selo.rules.clauses import clause_models as c
from selo.rules.clauses import read_clauses
from selo.rules.clauses.jackpot_share import JACKPOT, read_approvals
from selo.rules.declarations.authorisation import judge_authorisation, offers_jackpots
from selo.rules.declarations.calendar import WorkingDays
from selo.rules.declarations.declaration_models import (
    COMBINATIONS,
    FACES,
    MODALITY,
    RequirementJudgement,
    RequirementStatus,
    status_of,
)
from selo.rules.procedure.step_reader import find_events_file
from selo.rules.readings import readings_of_points

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from selo.law import Law
    from selo.law.files.events_file import Declaration
    from selo.rules.clauses import LocatedClause
    from selo.rules.declarations.declaration_models import Offer
    from selo.rules.readings import Readings

_FACE: Final = "face"


def read_declaration_clauses(law: Law, game: str) -> list[LocatedClause]:
    """Return the clauses of `game` about declarations, or raise the error of a wrong one."""
    clauses = read_clauses(law, game)
    declaration_clauses = [
        located for located in clauses if isinstance(located.clause, c.DECLARATION_CLAUSES)
    ]
    names = declarable_items(law, game)
    bets = {located.clause.bet for located in clauses if isinstance(located.clause, c.BetClause)}
    options = {
        located.clause.option
        for located in clauses
        if isinstance(located.clause, c.Option) and located.clause.authorised
    }
    approvals = read_approvals(clauses)
    amounts = [name for name, what in approvals.items() if what is c.Approves.FIXED]
    for located in declaration_clauses:
        if isinstance(located.clause, c.Declares):
            _check_declares(located, located.clause, names, amounts)
        elif isinstance(located.clause, c.Shows):
            _check_names(located, "shows", {c.WILDCARD, COMBINATIONS, *bets})
        else:
            _check_names(located, "authorisation", options)
    _check_all_required(law, game, declaration_clauses)
    return declaration_clauses


def declarable_items(law: Law, game: str) -> dict[str, Declaration]:
    """Return the items that a vendor may declare of the tables of `game`, by name."""
    file = find_events_file(law, game)
    return (
        {} if file is None else {declaration.id: declaration for declaration in file.declarations}
    )


def _check_declares(
    located: LocatedClause,
    clause: c.Declares,
    names: dict[str, Declaration],
    amounts: Collection[str],
) -> None:
    bounds = (clause.exactly, clause.at_least, clause.at_most)
    if clause.like is not None:
        if (clause.declares, clause.like) != (FACES, _FACE):
            raise located.error_at(
                "like", "only faces are like clauses: face", "See docs/rules.md."
            )
        return
    if clause.alike:
        if clause.declares not in amounts or clause.of is None:
            hint = f"Write declares: {' or '.join(amounts)}, alike: and of: a modality."
            raise located.error_at("alike", "only fixed amounts of a modality are alike", hint)
        return
    declared = names.get(clause.declares)
    if declared is None and clause.declares != MODALITY:
        hint = f"Declared of this game: {', '.join([*names, FACES, MODALITY])}."
        raise located.error_at("declares", f"nobody declares '{clause.declares}'", hint)
    number = declared is not None and declared.kind is ValueKind.NUMBER
    if number == (bounds == (None, None, None)) or number == bool(clause.among):
        hint = "A number has exactly, at_least or at_most; a text has among."
        raise located.error_at("declares", f"'{clause.declares}' is not bounded so", hint)
    if declared is not None and not set(clause.among) <= set(declared.values or clause.among):
        raise located.error_at("among", f"'{clause.declares}' is never that", "See events.yaml.")
    other = clause.at_most or "0"
    if not other.isdigit() and other not in names:
        raise located.error_at("at_most", f"nobody declares '{other}'", "Write a number or a name.")


def _check_names(located: LocatedClause, field: str, names: set[str]) -> None:
    for name in c.list_names(getattr(located.clause, field)):
        if name not in names:
            hint = f"Use some of: {', '.join(sorted(names))}."
            raise located.error_at(field, f"there is no '{name}' here", hint)


def _check_all_required(law: Law, game: str, declaration_clauses: Sequence[LocatedClause]) -> None:
    """Refuse a declaration that no clause requires: it would look as if it were examined."""
    required = set()
    for located in declaration_clauses:
        if isinstance(located.clause, c.Declares):
            required |= {located.clause.declares, located.clause.at_most}
        elif isinstance(located.clause, c.AuthorisationClause):
            required |= {
                name.replace("-", "_") for name in c.list_names(located.clause.authorisation)
            }
    for folder in law.folders:
        document = folder.events_document
        if folder.instrument.game != game or folder.events is None or document is None:
            continue
        for index, declared in enumerate(folder.events.declarations):
            if declared.id not in required:
                raise SpecError(
                    document.problem(
                        "declarations",
                        index,
                        problem=f"no clause asks for '{declared.id}'",
                        hint="Remove it, or write the clause in the provision that says it.",
                    )
                )


def declaration_points(law: Law, game: str) -> dict[str, list[str]]:
    """Return the open points on which declarations depend, with their readings."""
    declaration_clauses = read_declaration_clauses(law, game)
    needing = {
        name
        for located in declaration_clauses
        if isinstance(located.clause, c.AuthorisationClause)
        for name in c.list_names(located.clause.authorisation)
    }
    declaration_clauses += [
        located
        for located in read_clauses(law, game)
        if isinstance(located.clause, c.Option) and located.clause.option in needing
    ]
    return readings_of_points(
        law, {name for located in declaration_clauses for name in located.clause.under}
    )


class Requirements:
    """The requirements on the declarations of one game, under the readings in force."""

    def __init__(self, law: Law, game: str, readings: Readings) -> None:
        self._all_clauses = [
            located for located in read_clauses(law, game) if readings.allows(located.clause.under)
        ]
        self.clauses = [
            located
            for located in read_declaration_clauses(law, game)
            if readings.allows(located.clause.under)
        ]
        self._calendar = WorkingDays.of(law)

    def judge(self, offer: Offer) -> list[RequirementJudgement]:
        """Return the judgement of each requirement, in the order of the law."""
        return [
            judgement
            for located in self.clauses
            for judgement in self._judge_clause(located, offer)
        ]

    def _judge_clause(self, located: LocatedClause, offer: Offer) -> Iterator[RequirementJudgement]:
        clause = located.clause
        if isinstance(clause, c.AuthorisationClause):
            yield from judge_authorisation(located, self._all_clauses, offer, self._calendar)
        elif isinstance(clause, c.Shows):
            for name in c.list_names(clause.shows):
                yield self._judge_layout(located, clause, name, offer)
        elif isinstance(clause, c.Declares) and clause.like is not None:
            yield self._judge_faces(located, offer)
        elif isinstance(clause, c.Declares) and clause.alike:
            yield _judge_amounts_alike(located, clause, offer)
        elif isinstance(clause, c.Declares):
            yield self._judge_declared(located, clause, offer)

    def _judge_declared(
        self, located: LocatedClause, clause: c.Declares, offer: Offer
    ) -> RequirementJudgement:
        name = clause.declares
        value = _declared_modalities(offer) if name == MODALITY else _declared_value(offer, name)
        required = _bounds_of(clause)
        declared = {name: value}
        if name == MODALITY and not offers_jackpots(offer):
            status = RequirementStatus.ABSENT
        elif value is None:
            status = RequirementStatus.MISSING
        elif clause.among:
            values = value if isinstance(value, list) else [value]
            status = status_of(kept=all(name in clause.among for name in values))
        else:
            status = _judge_bounds(clause, value, offer, declared)
        return RequirementJudgement(
            provision=located.held.id,
            about=name,
            status=status,
            required={name: required},
            declared=declared,
        )

    def _judge_layout(
        self, located: LocatedClause, clause: c.Shows, name: str, offer: Offer
    ) -> RequirementJudgement:
        layout = offer.get("layout")
        required: dict[str, Any]
        declared: dict[str, Any]
        if name == COMBINATIONS:
            wanted = self._count_combinations()
            value = None if layout is None else layout.get(COMBINATIONS)
            status = RequirementStatus.MISSING if value is None else status_of(kept=value >= wanted)
            required, declared = {COMBINATIONS: wanted}, {COMBINATIONS: value}
        else:
            bets = self._bets_to_show(clause, name, offer)
            shown = None if layout is None else layout["bets"]
            missing = [bet for bet in bets if bet not in (shown or ())]
            status = RequirementStatus.MISSING if shown is None else status_of(kept=not missing)
            if not bets:
                status = RequirementStatus.ABSENT
            required = {"layout": bets}
            declared = {"layout": shown, "not_shown": missing}
        return RequirementJudgement(
            provision=located.held.id,
            about=f"layout: {'bets' if name == c.WILDCARD else name}",
            status=status,
            required=required,
            declared=declared,
        )

    def _bets_to_show(self, clause: c.Shows, name: str, offer: Offer) -> list[str]:
        every = [
            located.clause.bet
            for located in self._all_clauses
            if isinstance(located.clause, c.BetClause)
        ]
        wanted = every if name == c.WILDCARD else [name]
        return [bet for bet in wanted if not clause.offered or bet in offer.get("bets", ())]

    def _count_combinations(self) -> int:
        """Return the number of combinations of the dice, in any order."""
        faces = sum(1 for located in self._all_clauses if isinstance(located.clause, c.FaceClause))
        clauses = [located.clause for located in self._all_clauses]
        dice = next(clause.dice or 0 for clause in clauses if isinstance(clause, c.Equipment))
        return comb(faces + dice - 1, dice)

    def _judge_faces(self, located: LocatedClause, offer: Offer) -> RequirementJudgement:
        rows = [
            (row.held.id, row.clause)
            for row in self._all_clauses
            if isinstance(row.clause, c.FaceClause)
        ]
        wanted = {
            row.face: {"colour": row.colour, "number": row.number} for _, row in rows
        }  # fmt: skip
        value = offer.get(FACES)
        strange: list[Any] = []
        if value is not None:
            declared_faces = [(face["figure"], _face_of(face)) for face in value]
            strange = [
                {"figure": figure, **face}
                for figure, face in declared_faces
                if wanted.get(figure) != face
            ]
            # Each face occurs once on a die.
            strange += [
                name for name in wanted if [figure for figure, _ in declared_faces].count(name) != 1
            ]
        wrong = {face if isinstance(face, str) else face["figure"] for face in strange}
        return RequirementJudgement(
            provision=located.held.id,
            about=FACES,
            status=RequirementStatus.MISSING if value is None else status_of(kept=not strange),
            required={FACES: wanted},
            declared={FACES: value, "otherwise": strange},
            grounds=tuple(name for name, row in rows if row.face in wrong),
        )


def _judge_amounts_alike(
    located: LocatedClause, clause: c.Declares, offer: Offer
) -> RequirementJudgement:
    """Return whether the combinations of a modality have one and the same fixed amount."""
    jackpots = offer.get("jackpots")
    amounts = {
        name: amount
        for jackpot in jackpots or ()
        if jackpot["modality"] == clause.of
        for name, amount in (jackpot.get("fixed") or {}).items()
        if name in clause.alike
    }
    declared = [jackpot["modality"] for jackpot in jackpots or ()]
    offered = offer.get("options", {}).get(JACKPOT) or declared
    # Whoever offers jackpots and names no modality may have this one.
    if clause.of not in offered and (offered or not offers_jackpots(offer)):
        status = RequirementStatus.ABSENT
    elif not amounts:
        status = RequirementStatus.MISSING
    else:
        status = status_of(kept=len(set(amounts.values())) == 1)
    return RequirementJudgement(
        provision=located.held.id,
        about=f"{clause.declares}: {clause.of}",
        status=status,
        required={clause.declares: {"alike": clause.alike}},
        declared={clause.declares: amounts or None},
    )


def _face_of(face: Any) -> dict[str, Any]:
    return {"colour": face.get("colour"), "number": face["number"]}


def _declared_value(offer: Offer, name: str) -> Any:
    return offer.get("declares", {}).get(name)


def _declared_modalities(offer: Offer) -> list[str] | None:
    """Return the modalities of the declared jackpots, if all offered ones are declared."""
    jackpots = offer.get("jackpots")
    if jackpots is None:
        return None
    declared = [jackpot["modality"] for jackpot in jackpots]
    offered = offer.get("options", {}).get(JACKPOT, [])
    return declared if declared and all(name in declared for name in offered) else None


def _bounds_of(clause: c.Declares) -> dict[str, Any]:
    bounds = {
        "exactly": clause.exactly,
        "at_least": clause.at_least,
        "at_most": clause.at_most,
        "among": clause.among or None,
    }
    return {name: value for name, value in bounds.items() if value is not None}


def _judge_bounds(
    clause: c.Declares, value: Any, offer: Offer, declared: dict[str, Any]
) -> RequirementStatus:
    """Return whether all declared numbers lie within the bounds."""
    least, most = _range_of(value)
    if clause.exactly is not None and (least, most) != (clause.exactly, clause.exactly):
        return RequirementStatus.BROKEN
    if clause.at_least is not None and least < clause.at_least:
        return RequirementStatus.BROKEN
    if clause.at_most is None:
        return RequirementStatus.KEPT
    if clause.at_most.isdigit():
        return status_of(kept=most <= int(clause.at_most))
    other = declared[clause.at_most] = _declared_value(offer, clause.at_most)
    return (
        RequirementStatus.MISSING if other is None else status_of(kept=most <= _range_of(other)[0])
    )


def _range_of(value: Any) -> tuple[int, int]:
    return (value["from"], value["to"]) if isinstance(value, dict) else (value, value)
