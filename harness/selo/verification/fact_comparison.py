"""Compares what two versions tell of the same evidence: facts, not words.

Another version writes its sentences otherwise and may tell more. What the document tells must be
what follows today; sentences of the program are left out, and so is what only one of them tells.
"""

from __future__ import annotations

from typing import Any, Final

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
