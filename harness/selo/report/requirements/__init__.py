"""Which document a result allows, and the fields and statements it must carry."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.report.requirements.conformity_statement import (
        compose_statement,
        list_conditions,
        list_limits,
    )
    from selo.report.requirements.document_kind import find_missing, find_obstacles, require_allowed
    from selo.report.requirements.dossier_template import render_blank_dossier
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "compose_statement",
    "find_missing",
    "find_obstacles",
    "list_conditions",
    "list_limits",
    "render_blank_dossier",
    "require_allowed",
]
