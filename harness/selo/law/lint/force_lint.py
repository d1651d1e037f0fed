"""Lint: the force that a provision states is the force of its words, in both languages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.gazette.force_words import WORDED, Force
from selo.law.force import ForceFinder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.errors import Problem
    from selo.law.loader import Law, LocatedProvision


def check_forces(law: Law) -> Iterator[Problem]:
    """Yield every provision that states another force than its verbs have."""
    if not law.vocabulary.force.words:
        return
    finder = ForceFinder(law)
    for located in law.provisions.values():
        if located.provision.force:
            yield from _check_provision(finder, located)


def _check_provision(finder: ForceFinder, located: LocatedProvision) -> Iterator[Problem]:
    stated = located.provision.force
    own = finder.own_words(located)
    if len(set(stated)) != len(stated):
        yield located.problem("force", problem="a force is listed twice", hint="Keep it once.")
    for force, words in own.items():
        if force not in stated:
            quoted = "; ".join(
                f"{language} «{word}»" for language, many in words.items() for word in many
            )
            yield located.problem(
                "force",
                problem=f"the text expresses '{force}' ({quoted}), which force does not list",
                hint=f"Add '{force}', or say in bilingual/concordance.yaml what the words carry.",
            )
    for force in stated:
        if force not in own and not _is_borne(finder, located, force):
            yield located.problem(
                "force",
                problem=f"no word of either text, nor of the units above it, expresses '{force}'",
                hint="State the force of its verbs; docs/law-format.md says how it is read.",
            )


def _is_borne(finder: ForceFinder, located: LocatedProvision, force: Force) -> bool:
    """Return whether a force without a word of its own follows from the verbs of the text."""
    if force is Force.DEFINES:
        return True
    indicative = finder.is_indicative(located)
    if force is Force.MUST and indicative:
        return True
    if force in WORDED - {Force.OPTION} and (indicative or finder.own_words(located)):
        # A text with a verb of its own does not borrow another; an alternative belongs to its list.
        return False
    above = list(finder.above(located))
    if force is Force.MUST and not any(finder.own_words(unit) for unit in above):
        # A list without a verb, such as that of the material, binds by its heading.
        return not finder.own_words(located)
    return any(
        force in finder.own_words(unit) or (force is Force.MUST and finder.is_indicative(unit))
        for unit in above
    )
