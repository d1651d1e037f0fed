"""Lints of the law files: structure, quotations, partition, concordance, register."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.law.lint.all_lints import LINTS, check_law, find_lint_problems
else:
    __getattr__ = front_door(__name__)

__all__ = ["LINTS", "check_law", "find_lint_problems"]
