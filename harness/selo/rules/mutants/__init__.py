"""Mutants: games in which the rule of one provision is changed in one small way."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.rules.mutants.mutant_games import NO_RULE, UNRULY, Variant, variants
else:
    __getattr__ = front_door(
        __name__,
        {
            "mutant_games": ["NO_RULE", "UNRULY", "Variant", "variants"],
        },
    )

__all__ = ["NO_RULE", "UNRULY", "Variant", "variants"]
