"""The condition language of the law files: vocabulary, type check, compilation to Python."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.rules.language.conditions import (
        BadExpression,
        Expression,
        compile_expression,
        to_python,
    )
else:
    __getattr__ = front_door(__name__)

__all__ = ["BadExpression", "Expression", "compile_expression", "to_python", "vocabulary"]
