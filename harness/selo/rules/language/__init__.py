"""The condition language of the law files: syntax tree, types, vocabulary, Python functions."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.rules.language import condition_tree, conditions, vocabulary
    from selo.rules.language.condition_parser import parse_condition
    from selo.rules.language.condition_phrases import condition_in_words
    from selo.rules.language.condition_tree import BadExpression
    from selo.rules.language.conditions import Expression, compile_expression
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "BadExpression",
    "Expression",
    "compile_expression",
    "condition_in_words",
    "condition_tree",
    "conditions",
    "parse_condition",
    "vocabulary",
]
