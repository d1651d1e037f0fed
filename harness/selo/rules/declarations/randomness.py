"""Provisions that require randomness, and the tables to which they apply."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from selo.rules.clauses import clause_models as c
from selo.rules.clauses import find_equipment, read_clauses
from selo.rules.declarations.declaration_models import FACES
from selo.rules.language.vocabulary import BOOL, ConditionVocabulary
from selo.rules.procedure import complete_options
from selo.rules.procedure.step_reader import FIELD_TYPES, find_events_file

if TYPE_CHECKING:
    from collections.abc import Mapping

    from selo.law import Law
    from selo.rules.language import Expression
    from selo.rules.readings import Readings
    from selo.table_values import Options

_CARDS: Final = "cards"
#: The random part of each kind of equipment.
_RANDOM_PART: Final = {
    "figure-dice": FACES,
    "dice": FACES,
    "pieces": FACES,
    "played-hands": _CARDS,
    "banker-and-seats": _CARDS,
    "croupier-and-places": _CARDS,
}


@dataclass(frozen=True, kw_only=True, slots=True)
class RandomnessRule:
    """A provision that requires randomness."""

    provision: str
    random: str
    given: Expression | None
    under: Mapping[str, str]

    @property
    def option_names(self) -> frozenset[str]:
        """The options of a table on which the rule depends."""
        return frozenset() if self.given is None else frozenset(self.given.names)


def read_randomness_rules(
    law: Law, game: str, readings: Readings | None = None
) -> list[RandomnessRule]:
    """Return the randomness rules of `game` in force; without `readings`, of all readings."""
    clauses = [
        located for located in read_clauses(law, game) if isinstance(located.clause, c.RandomClause)
    ]
    if not clauses:
        return []
    file = find_events_file(law, game)
    options = [] if file is None else file.options
    vocabulary = ConditionVocabulary.of({option.id: FIELD_TYPES[option.kind] for option in options})
    rules = []
    for located in clauses:
        clause: Any = located.clause
        random_part = _RANDOM_PART.get(find_equipment(law, game).equipment)
        if clause.random != random_part:
            hint = (
                "Nothing of this game can be." if random_part is None else f"Write {random_part}."
            )
            raise located.error_at("random", f"'{clause.random}' are not what is random here", hint)
        if readings is None or readings.allows(clause.under):
            given = clause.given and located.compile_condition(
                "given", clause.given, vocabulary, BOOL
            )
            rules.append(
                RandomnessRule(
                    provision=located.held.id, random=clause.random, given=given, under=clause.under
                )
            )
    return rules


def applicable_rules(
    law: Law, game: str, rules: list[RandomnessRule], options: Options
) -> list[RandomnessRule]:
    """Return the rules that apply to a table that declared these options."""
    file = find_events_file(law, game)
    declared = dict(options) if file is None else complete_options(file, options)
    return [rule for rule in rules if rule.given is None or rule.given.on(declared)]
