"""Which document a result allows, and the fields and statements it must carry."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.report.requirements.document_kind import (
        check_edition,
        find_missing,
        find_obstacles,
        find_shortfalls,
        is_insisted_by,
        require_allowed,
    )
    from selo.report.requirements.dossier_template import DossierFacts, render_blank_dossier
    from selo.report.requirements.required_fields import list_empty_fields
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "DossierFacts",
    "check_edition",
    "conformity_statement",
    "find_missing",
    "find_obstacles",
    "find_shortfalls",
    "is_insisted_by",
    "list_empty_fields",
    "render_blank_dossier",
    "require_allowed",
]
