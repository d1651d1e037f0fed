"""Requirements on what a vendor declares of its tables, and how they are judged."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.rules.declarations.declaration_checks import (
        Requirements,
        declarable_items,
        declaration_points,
        read_declaration_clauses,
    )
    from selo.rules.declarations.declaration_phrases import describe_requirement
    from selo.rules.declarations.randomness import (
        RandomnessRule,
        applicable_rules,
        read_randomness_rules,
    )
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "RandomnessRule",
    "Requirements",
    "applicable_rules",
    "declarable_items",
    "declaration_models",
    "declaration_points",
    "describe_requirement",
    "read_declaration_clauses",
    "read_randomness_rules",
]
