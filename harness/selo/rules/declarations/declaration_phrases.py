"""Sentences that describe the requirements on declarations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from selo.rules.declarations.declaration_checks import declarable_items
from selo.rules.declarations.declaration_models import (
    COMBINATIONS,
    FACES,
    MODALITY,
    RequirementStatus,
)
from selo.text import Words, say

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from selo.law import Law
    from selo.rules.declarations.declaration_models import RequirementJudgement

_LANGUAGES: Final = ("pt", "zh", "en")
_BOUNDS: Final = ("exactly", "at_least", "at_most", "among")


def describe_requirement(law: Law, game: str, judgement: RequirementJudgement) -> Words:
    """Return the sentence of one requirement in all languages."""
    return Words(**{language: _describe(law, game, judgement, language) for language in _LANGUAGES})


def _describe(law: Law, game: str, judgement: RequirementJudgement, language: str) -> str:
    key, slots = _message_of(judgement)
    name = slots.get("what", judgement.about)
    items = declarable_items(law, game)
    slots["what"] = items[name].words.get(language) if name in items else name
    if slots.get("bound") in items:
        slots["bound"] = items[slots["bound"]].words.get(language)
    sentence = say(f"declared.{key}", language, **slots)
    if judgement.status is RequirementStatus.UNDETERMINED:
        sentence += say("declared.untold", language)
    return sentence


def _message_of(judgement: RequirementJudgement) -> tuple[str, dict[str, Any]]:
    """Return the message key of a requirement, and its slots."""
    required = judgement.required
    if "authorisation" in required:
        return _authorisation_message(judgement)
    formats: dict[str, Callable[[Any], str]] = {
        FACES: lambda _: "",
        COMBINATIONS: str,
        "layout": ", ".join,
        MODALITY: lambda bounds: ", ".join(bounds["among"]),
    }
    for name, text in formats.items():
        if name in required:
            return name, {"bound": text(required[name])}
    return _bounds_message(required)


def _bounds_message(required: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    for name, bounds in required.items():
        for bound in _BOUNDS:
            if bound in bounds:
                value = bounds[bound]
                text = ", ".join(value) if isinstance(value, list) else value
                return bound.replace("_", "-"), {"what": name, "bound": text}
    # Nothing in use needs permission.
    return "authorised", {}


def _authorisation_message(judgement: RequirementJudgement) -> tuple[str, dict[str, Any]]:
    required = judgement.required
    what = {"what": required["authorisation"]}
    if "working_days_ahead" in required:
        key = "ahead-clear" if "counted" in required else "ahead"
        return key, {**what, "bound": required["working_days_ahead"]}
    if "approved" in required:
        value = required["approved"]
        # A percentage is a part and a whole.
        text = "/".join(map(str, value)) if isinstance(value, list) else str(value)
        return "approved", {**what, "bound": text}
    return ("granted" if "granted" in required else "authorised"), what
