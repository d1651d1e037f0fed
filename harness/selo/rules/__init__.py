"""The rules: law files compiled into exact games that settle, compare and say why."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.rules.compiler import compile_game
    from selo.rules.equivalence import Sameness
else:
    __getattr__ = front_door(
        __name__,
        {
            "compiler": ["compile_game"],
            "equivalence": ["Sameness"],
        },
    )

__all__ = ["Sameness", "compile_game"]
