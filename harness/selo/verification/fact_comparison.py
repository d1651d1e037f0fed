"""Compares what two versions tell of the same evidence: facts, not words.

1. What the document tells must be what follows today; sentences of the program are left out, those
   of the law are not, because the law travels with the document.
2. Both tell the same fields, but for those that documents of the same engine did not have at first
   (`ADDED_FIELDS`): whoever claims another version could leave out what it would rather not tell.
3. Of documents from before engines had numbers, what only one of the two tells stays open.
4. The requirements of a certificate are compared with what follows as well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.engine import UNNUMBERED
from selo.examine.conclusion import RESULT_FILE
from selo.report.content.attachments import PLAN_FILE
from selo.report.model.report_model import DocumentKind
from selo.report.phrases.composition import words
from selo.report.requirements import find_obstacles, is_insisted_by
from selo.storage import read_bounded
from selo.text.message_catalogue import message_keys
from selo.verification.verification_report import (
    failed_check,
    open_check,
    passed_check,
    warning_check,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from selo.examine.run.evidence_header import Header
    from selo.report.content.attachments import Enclosure
    from selo.report.model.report_model import Attachment, Report, StatementRecord
    from selo.verification.document_parts import DocumentParts
    from selo.verification.verification_report import DocumentCheck

#: The languages of a sentence of the program; text of the law has no English.
_SENTENCE: Final = frozenset({"pt", "zh", "en"})
#: Names of fields that hold one sentence in one language.
_WORDS_OF_PROGRAM: Final = frozenset({"told"})
#: Names of fields below which every sentence is one of the law files.
_WORDS_OF_LAW: Final = frozenset({"adopted", "recorded", "open_points", "groups"})
#: Further requirements are only counted.
_MAX_OBSTACLES_NAMED: Final = 5
#: How the keys of the sentences of a verdict begin.
_VERDICTS: Final = "report.verdict."
#: Names of fields that are read as true where a document does not tell them.
_TRUE_UNLESS_DENIED: Final = frozenset({"unchanged", "hashed"})
#: Fields that not every document of engine 1 has, and what follows where one does not tell them.
ADDED_FIELDS: Final[Mapping[str, Sequence[Any]]] = {
    "canonical_wrong": [None],
    "carried": [None, []],
    "draws": [0],
    "game_draws": [{}],
    "history": [False],
    "largest_stake": [None],
    "powers": [[]],
    "predecessor": [None],
    "rounds": [0],
    "stake_step": [1],
}
#: … and words of the law that they did not repeat yet, below the fields that have them.
ADDED_WORDS: Final[Mapping[str, frozenset[str]]] = {"recorded": frozenset({"question", "says"})}


def differs_in_fact(told: Any, derived: Any, *, below: str = "", lenient: bool = False) -> bool:
    """Return whether something that a document tells is not what follows from its evidence.

    `below` is the field of the law files, if any, in which it stands. If `lenient`, fields that
    only one of the two tells are left out.
    """
    if isinstance(told, dict) and isinstance(derived, dict):
        if not below and told.keys() == _SENTENCE == derived.keys():
            return False
        return (
            any(
                differs_in_fact(
                    told[name],
                    derived[name],
                    below=below or (name if name in _WORDS_OF_LAW else ""),
                    lenient=lenient,
                )
                for name in told.keys() & derived.keys()
                if name not in _WORDS_OF_PROGRAM
            )
            or _leaves_out_a_denial(told, derived)
            or not (lenient or _has_same_fields(told, derived, below))
        )
    if isinstance(told, list) and isinstance(derived, list):
        return len(told) != len(derived) or any(
            differs_in_fact(one, other, below=below, lenient=lenient)
            for one, other in zip(told, derived, strict=True)
        )
    return bool(told != derived)


def _has_same_fields(told: dict[str, Any], derived: dict[str, Any], below: str) -> bool:
    """Return whether both tell the same fields, but for those that came later."""
    return told.keys() <= derived.keys() and all(
        derived[name] in ADDED_FIELDS.get(name, ()) or name in ADDED_WORDS.get(below, ())
        for name in derived.keys() - told.keys()
    )


def _leaves_out_a_denial(told: dict[str, Any], derived: dict[str, Any]) -> bool:
    """Return whether something that is not so was left out, so that it is read as if it were."""
    return any(
        derived[name] is False for name in _TRUE_UNLESS_DENIED & derived.keys() - told.keys()
    )


def find_differing_facts(
    parts: DocumentParts, derived: msgspec.Struct, *, lenient: bool
) -> list[str]:
    """Return the fields in which a report of another version tells other facts."""
    # As a document writes it: what is a tuple here is a list there.
    told, facts = msgspec.json.decode(parts.raw), msgspec.json.decode(msgspec.json.encode(derived))
    return [
        name
        for name in facts
        if differs_in_fact(
            {name: told[name]} if name in told else {}, {name: facts[name]}, lenient=lenient
        )
    ]


def check_other_version(
    report: Report, derived: msgspec.Struct, header: Header
) -> Iterator[DocumentCheck]:
    """Check what a report of another version does not have to tell in the same words."""
    selo = header.tool["selo"]
    if header.terms.engine_number == UNNUMBERED:
        yield open_check("fields", "words.unnumbered", selo=selo)
    yield check_foreign_words(report, msgspec.structs.asdict(derived)["statement"], selo)
    hidden = find_hidden_obstacles(report, derived)
    if hidden and report.kind is DocumentKind.CERTIFICATE:
        named = ", ".join(hidden[:_MAX_OBSTACLES_NAMED])
        yield failed_check("kind", "kind.not-allowed", count=len(hidden), named=named)


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
    """Return what prevents a certificate by its evidence, but not by what it tells."""
    told = {obstacle.key for obstacle in find_obstacles(report)}
    followed = msgspec.structs.replace(report, **msgspec.structs.asdict(derived))
    return [
        obstacle.key
        for obstacle in find_obstacles(followed)
        if obstacle.key not in told and is_insisted_by(report.method.engine, obstacle.key)
    ]


def check_derived_files(report: Report, enclosed: list[Attachment]) -> DocumentCheck:
    """Check that plan, result and edition are those that follow, byte for byte, and no other."""
    named = {attachment.name: attachment for attachment in report.attachments}
    differing = [
        attachment.name
        for attachment in enclosed
        # A file beside the document is as good as one inside of it.
        if _as_attached(named.get(attachment.name)) != _as_attached(attachment)
    ]
    if not differing and list(named) != [attachment.name for attachment in enclosed]:
        differing = sorted(named.keys() - {attachment.name for attachment in enclosed})
    if differing or len(named) != len(report.attachments):
        return failed_check("attachments", "attachments.differ", files=", ".join(differing))
    return passed_check("attachments", count=len(enclosed))


def check_foreign_files(
    parts: DocumentParts, header: Header, folder: Path, enclosed: list[Enclosure]
) -> DocumentCheck:
    """Check that plan and result of another version say the same, as far as both say it."""
    differing = []
    for enclosure in enclosed:
        if enclosure.name not in {PLAN_FILE, RESULT_FILE}:
            continue
        try:
            told = msgspec.json.decode(read_bounded(folder / enclosure.name))
        except (OSError, msgspec.DecodeError):
            differing.append(enclosure.name)
            continue
        derived = msgspec.json.decode(enclosure.read())
        if "selo" in derived:
            # The program that worked a result out is the one that made the evidence.
            derived["selo"] = header.tool["selo"]
        if differs_in_fact(told, derived, lenient=header.terms.engine_number == UNNUMBERED):
            differing.append(enclosure.name)
    named = [attachment.name for attachment in parts.report.attachments]
    differing += sorted({enclosure.name for enclosure in enclosed} ^ {*named})
    differing += sorted({name for name in named if named.count(name) > 1})
    if differing:
        return failed_check("attachments", "attachments.differ", files=", ".join(differing))
    return passed_check("attachments", count=len(enclosed))


def _as_attached(attachment: Attachment | None) -> Attachment | None:
    return None if attachment is None else msgspec.structs.replace(attachment, attached=True)
