"""Examination by files: request vectors for a vendor, and the grading of its answers."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.examine.offline.vector_files import (
        REQUESTS_FILE,
        GradedAnswers,
        Vectors,
        grade_answers,
        vector_scope,
        vector_tables,
        write_vectors,
    )
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "REQUESTS_FILE",
    "GradedAnswers",
    "Vectors",
    "grade_answers",
    "vector_scope",
    "vector_tables",
    "write_vectors",
]
