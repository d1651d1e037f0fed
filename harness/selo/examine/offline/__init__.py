"""Examination by files: vectors out, answers back."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.examine.offline.vector_files import (
        REQUESTS,
        Vectors,
        grade,
        scope_of,
        tables_offered,
        write,
    )
else:
    __getattr__ = front_door(
        __name__,
        {
            "vector_files": ["REQUESTS", "Vectors", "grade", "scope_of", "tables_offered", "write"],
        },
    )

__all__ = ["REQUESTS", "Vectors", "grade", "scope_of", "tables_offered", "write"]
