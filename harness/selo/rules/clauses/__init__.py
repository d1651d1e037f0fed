"""Clauses as written in the law files: their models and their reader."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.rules.clauses.clause_reader import LocatedClause, find_equipment, read_clauses
else:
    __getattr__ = front_door(__name__)

__all__ = ["LocatedClause", "clause_models", "find_equipment", "jackpot_share", "read_clauses"]
