"""Compares what two versions tell of the same evidence: facts, not words.

Another version writes its sentences otherwise and may tell more. What the document tells must be
what follows today; sentences of the program are left out, and so is what only one of them tells.
Whoever claims to be another version could leave out what stands in the way of a certificate, so the
requirements are held against what follows as well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.report.requirements import find_obstacles, is_insisted_by

if TYPE_CHECKING:
    from selo.report.model.report_model import Report

#: The languages of a sentence of the program; text of the law has no English.
_SENTENCE: Final = frozenset({"pt", "zh", "en"})
#: Names of fields that hold one sentence in one language, or name the version itself.
_VERSION_FIELDS: Final = frozenset({"told", "selo", "tool"})


def differs_in_fact(told: Any, derived: Any) -> bool:
    """Return whether something that a document tells is not what follows from its evidence."""
    if isinstance(told, dict) and isinstance(derived, dict):
        if told.keys() == _SENTENCE == derived.keys():
            return False
        return any(
            differs_in_fact(told[name], derived[name])
            for name in told.keys() & derived.keys()
            if name not in _VERSION_FIELDS
        )
    if isinstance(told, list) and isinstance(derived, list):
        return len(told) != len(derived) or any(map(differs_in_fact, told, derived))
    return bool(told != derived)


def find_hidden_obstacles(report: Report, derived: msgspec.Struct) -> list[str]:
    """Return what stands in the way of a certificate by its evidence, but not by what it tells."""
    told = {obstacle.key for obstacle in find_obstacles(report)}
    followed = msgspec.structs.replace(report, **msgspec.structs.asdict(derived))
    return [
        obstacle.key
        for obstacle in find_obstacles(followed)
        if obstacle.key not in told and is_insisted_by(report.method.engine, obstacle.key)
    ]
