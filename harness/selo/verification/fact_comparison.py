"""Compares what two versions tell of the same evidence: facts, not words.

Another version writes its sentences otherwise and may tell more. What the document tells must be
what follows today; sentences of the program are left out, and so is what only one of them tells.
Whoever claims to be another version could leave out what stands in the way of a certificate, so the
requirements are held against what follows as well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.report.phrases.composition import words
from selo.report.requirements import find_obstacles, is_insisted_by
from selo.text.message_catalogue import message_keys
from selo.verification.verification_report import failed_check, open_check, warning_check

if TYPE_CHECKING:
    from selo.report.model.report_model import Report, StatementRecord
    from selo.verification.verification_report import DocumentCheck

#: The languages of a sentence of the program; text of the law has no English.
_SENTENCE: Final = frozenset({"pt", "zh", "en"})
#: Names of fields that hold one sentence in one language, or name the version itself.
_VERSION_FIELDS: Final = frozenset({"told", "selo", "tool"})
#: How the keys of the sentences of a verdict begin.
_VERDICTS: Final = "report.verdict."
#: Names of fields that are read as true where a document does not tell them.
_TRUE_UNLESS_DENIED: Final = frozenset({"unchanged", "hashed"})


def differs_in_fact(told: Any, derived: Any) -> bool:
    """Return whether something that a document tells is not what follows from its evidence."""
    if isinstance(told, dict) and isinstance(derived, dict):
        if told.keys() == _SENTENCE == derived.keys():
            return False
        return any(
            differs_in_fact(told[name], derived[name])
            for name in told.keys() & derived.keys()
            if name not in _VERSION_FIELDS
        ) or _leaves_out_a_denial(told, derived)
    if isinstance(told, list) and isinstance(derived, list):
        return len(told) != len(derived) or any(map(differs_in_fact, told, derived))
    return bool(told != derived)


def _leaves_out_a_denial(told: dict[str, Any], derived: dict[str, Any]) -> bool:
    """Return whether something that is not so was left out, so that it is read as if it were."""
    return any(
        derived[name] is False for name in _TRUE_UNLESS_DENIED & derived.keys() - told.keys()
    )


def check_foreign_words(report: Report, derived: StatementRecord, selo: str) -> DocumentCheck:
    """Check the sentence of the verdict, the only one of another version that is compared.

    Whoever claims another version could otherwise print another verdict in large letters.
    """
    if report.statement is None or report.statement.verdict == derived.verdict:
        return warning_check("words", "words.not-compared", selo=selo)
    said = msgspec.to_builtins(report.statement.verdict).items()
    others = (words(key) for key in message_keys() if key.startswith(_VERDICTS))
    if any(said & msgspec.to_builtins(one).items() for one in others if one != derived.verdict):
        return failed_check("words", "words.other-verdict", selo=selo)
    return open_check("words", "words.verdict-unknown", selo=selo)


def find_hidden_obstacles(report: Report, derived: msgspec.Struct) -> list[str]:
    """Return what stands in the way of a certificate by its evidence, but not by what it tells."""
    told = {obstacle.key for obstacle in find_obstacles(report)}
    followed = msgspec.structs.replace(report, **msgspec.structs.asdict(derived))
    return [
        obstacle.key
        for obstacle in find_obstacles(followed)
        if obstacle.key not in told and is_insisted_by(report.method.engine, obstacle.key)
    ]
