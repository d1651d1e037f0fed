"""Examples for the schemas of a game: cases of the register, or the first listed values."""

from __future__ import annotations

import re
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any, Final, cast

from selo.law.files.events_file import ValueKind
from selo.law.files.situation_file import read_situations
from selo.protocol.schema.bet_schema import BETTOR, identifying_fields, is_needed
from selo.protocol.schema.built_case import build_case
from selo.rules.equipment.piece_set import pieces_of
from selo.rules.procedure import compile_procedure
from selo.rules.readings import Readings
from selo.rules.settlement import Game

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from selo.law import Law
    from selo.law.files.events_file import Event, EventField
    from selo.law.files.situation_file import SituationCase
    from selo.protocol.schema.bet_schema import BetShape
    from selo.rules.procedure import Procedure
    from selo.rules.settlement import ThrowingGame
    from selo.table_values import Bet, Options, Outcome

    Compare = Callable[[Sequence[str], Sequence[str]], str]

#: Arbitrary names chosen by Selo.
_NAMES: Final = {"ticket": "k1", "player": "p1", "to": "k1"}
_PLACE: Final = "1"
#: In the place of an open point and its reading, where a game has none.
_BUILT: Final = ""
_STAKES: Final = frozenset({"stake", "to"})
_FORBIDS: Final = "forbids"
#: The part of the stake returned by each result; for a void bet it depends on the law.
_STAKE_BACK: Final = {"win": 1, "push": 1, "refused": 1, "lose": 0, "stands": 0}


class Examples:
    """Examples of every schema of one game, from the register."""

    def __init__(
        self,
        law: Law,
        compiled: Game | ThrowingGame,
        bets: Sequence[BetShape],
        compare: Compare | None,
    ) -> None:
        game = compiled.name
        self._law, self._game, self._bets, self._compare = law, game, bets, compare
        self.cases = read_situations(game, specs=law.specs)
        if not self.cases and bets and isinstance(compiled, Game):
            built = build_case(compiled, bets)
            self.cases = {_BUILT: built} if built is not None else {}
        self._conditions: list[str] | None = None

    @property
    def outcome(self) -> Outcome:
        """An outcome of the register."""
        none: Outcome = {}
        return next((case.outcome for case in self.cases.values() if case.outcome), none)

    @property
    def options(self) -> Options:
        """The fullest options of a case of the register."""
        every = [case.options for case in self.cases.values()]
        return max(every, key=lambda one: len(str(one)), default={})

    @property
    def stake(self) -> int:
        """A stake of the register."""
        return int(next(self._laid())["stake"])

    def hands(self) -> list[tuple[list[str], list[str], str]]:
        """Return hands to compare, each with the answer under the defaults."""
        found: list[tuple[list[str], list[str], str]] = []
        for name, case in self.cases.items():
            if case.compare is not None:
                one, other = case.compare
                found.append((one, other, case.expect[self._default(name)]))
        if not found and self._compare is not None:
            # The register compares no hands: use the hands of its outcomes.
            parts: Mapping[str, Any] = self.outcome
            house, others = parts.values()
            found = [(hand, house, self._compare(hand, house)) for hand in others.values()]
        return found

    def settled(self) -> tuple[SituationCase, list[dict[str, Any]]]:
        """Return the first case of the register in which a bet wins, and its answer."""
        for name, case in self.cases.items():
            expected = case.expect[self._default(name)]
            results = {one["result"] for one in expected}
            if "win" in results and results <= _STAKE_BACK.keys():
                return case, [
                    {**one, "stake": bet["stake"] * _STAKE_BACK[one["result"]]}
                    for one, bet in zip(expected, case.bets, strict=True)
                ]
        msg = f"{self._game}: no case of the register is won under the defaults"
        raise LookupError(msg)

    def _default(self, divergence: str) -> str:
        if divergence == _BUILT:
            return _BUILT
        return next(one.default for one in self._law.divergences if one.id == divergence)

    def _laid(self) -> Iterator[Bet]:
        for case in self.cases.values():
            yield from case.bets

    def bet(self, bet: BetShape) -> Bet:
        """Return a bet of this name from the register, or the first that can be built."""
        found = next((one for one in self._laid() if one["bet"] == bet.name), None)
        if found is not None:
            return found
        made: dict[str, Any] = {"bet": bet.name, **self._needed(bet), "stake": self.stake}
        if bet.place == BETTOR:
            made[BETTOR] = _PLACE
        if bet.added_to is not None:
            made["to"] = 0
        return cast("Bet", made)

    def _needed(self, bet: BetShape) -> dict[str, Any]:
        return {
            name: bet.choices[0] if name == "choice" else _PLACE
            for name in identifying_fields(bet)
            if is_needed(bet, name)
        }

    def event(self, event: Event, fields: Mapping[str, EventField]) -> dict[str, Any]:
        """Return an event with its required fields; its values break no step by themselves."""
        first = {name: self._value(fields[name]) for name in event.fields}
        listed = [name for name in event.fields if fields[name].kind is ValueKind.TEXT]
        choices = [fields[name].values or [first[name]] for name in listed]
        for values in product(*choices):
            example = {"event": event.id, **first, **dict(zip(listed, values, strict=True))}
            if self._is_lawful(example):
                return example
        return {"event": event.id, **first}

    def _is_lawful(self, event: Mapping[str, Any]) -> bool:
        """Return whether no step forbids an event wherever it comes."""
        return not any(
            breach.constraint is not None
            and breach.constraint.kind == _FORBIDS
            and not breach.constraint.after
            for breach in self._procedure.judge([event])
        )

    @cached_property
    def _procedure(self) -> Procedure:
        """The steps under the defaults."""
        return compile_procedure(self._law, self._game, Readings(self._law, {}))

    def act(
        self, event: Event, fields: Mapping[str, EventField], bets: Sequence[BetShape]
    ) -> dict[str, Any]:
        """Return an act with its required fields; if it lays bets, for the first of `bets`."""
        made = {"act": event.id} | {name: self._value(fields[name]) for name in event.fields}
        if "bet" in made:
            bet = next((bet for bet in bets if bet.choices), bets[0])
            made["bet"] = bet.name
            if "stake" in made:
                made |= self._needed(bet)
        return made

    def _value(self, field: EventField) -> Any:
        if field.kind is ValueKind.YES_NO:
            return False
        if field.kind is ValueKind.NUMBER:
            return self._number(field.id)
        if field.kind in {ValueKind.TEXTS, ValueKind.NUMBERS}:
            faces = _faces_of(self.outcome)
            return [field.values[0]] * len(faces) if field.values else faces
        if field.values:
            return field.values[0]
        if field.id == "bet":
            return self._bets[0].name
        return _NAMES.get(field.id, _PLACE)

    def _number(self, name: str) -> int:
        if name in _STAKES:
            return self.stake
        throws = self.outcome.get("throws")
        if throws and name == "total":
            return sum(throws[0])
        return self._named_by_the_law(name) or 1

    def _named_by_the_law(self, name: str) -> int | None:
        """Return the first number with which a step compares a field."""
        if self._conditions is None:
            steps = self._procedure.constraints
            self._conditions = [step.when.text for step in steps if step.when is not None]
        compared = re.compile(rf"\b{name} *[<>=!]+ *(\d+)")
        found = (compared.search(text) for text in self._conditions)
        return next((int(one[1]) for one in found if one is not None), None)


def _faces_of(outcome: Mapping[str, Any]) -> list[Any]:
    shown = pieces_of(outcome)
    return [] if shown is None else shown[1]
