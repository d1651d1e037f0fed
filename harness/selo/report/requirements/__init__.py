"""Which document a result allows, and the fields and statements it must carry."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.report.requirements.conformity_statement import conditions, limits, statement
    from selo.report.requirements.document_kind import missing, permit, stands_against
    from selo.report.requirements.dossier_template import blank
else:
    __getattr__ = front_door(
        __name__,
        {
            "conformity_statement": ["conditions", "limits", "statement"],
            "document_kind": ["missing", "permit", "stands_against"],
            "dossier_template": ["blank"],
        },
    )

__all__ = ["blank", "conditions", "limits", "missing", "permit", "stands_against", "statement"]
