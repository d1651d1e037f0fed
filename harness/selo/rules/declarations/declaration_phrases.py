"""Says in words what the law asks of a declaration."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from selo.rules.declarations.declaration_checks import COMBINATIONS, FACES, MODALITY, declarations
from selo.rules.declarations.requirement_status import Standing
from selo.text.message_catalogue import say
from selo.text.multilingual import Words

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from selo.law.loader import Law
    from selo.rules.declarations.requirement_status import Judgement

_LANGUAGES: Final = ("pt", "zh", "en")
_BOUNDS: Final = ("exactly", "at_least", "at_most", "among")


def asked(law: Law, game: str, one: Judgement) -> Words:
    """Return what one requirement asks for, in the words of its declaration."""
    return Words(**{language: _asked(law, game, one, language) for language in _LANGUAGES})


def _asked(law: Law, game: str, one: Judgement, language: str) -> str:
    key, slots = _key(one)
    name = slots.get("what", one.about)
    known = declarations(law, game)
    slots["what"] = known[name].words.get(language) if name in known else name
    if slots.get("bound") in known:
        slots["bound"] = known[slots["bound"]].words.get(language)
    said = say(f"declared.{key}", language, **slots)
    if one.standing is Standing.UNTOLD:
        said += say("declared.untold", language)
    return said


def _key(one: Judgement) -> tuple[str, dict[str, Any]]:
    """Return the message for a requirement, and what stands in it."""
    required = one.required
    if "authorisation" in required:
        return _authorisation(one)
    whole: dict[str, Callable[[Any], str]] = {
        FACES: lambda _: "",
        COMBINATIONS: str,
        "layout": ", ".join,
        MODALITY: lambda bounds: ", ".join(bounds["among"]),
    }
    for name, told in whole.items():
        if name in required:
            return name, {"bound": told(required[name])}
    return _bounded(required)


def _bounded(required: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    for name, bounds in required.items():
        for bound in _BOUNDS:
            if bound in bounds:
                value = bounds[bound]
                told = ", ".join(value) if isinstance(value, list) else value
                return bound.replace("_", "-"), {"what": name, "bound": told}
    # Nothing that is used needs permission.
    return "authorised", {}


def _authorisation(one: Judgement) -> tuple[str, dict[str, Any]]:
    required = one.required
    what = {"what": required["authorisation"]}
    if "working_days_ahead" in required:
        key = "ahead-clear" if "counted" in required else "ahead"
        return key, {**what, "bound": required["working_days_ahead"]}
    if "approved" in required:
        value = required["approved"]
        # A percentage is a part and its whole.
        told = "/".join(map(str, value)) if isinstance(value, list) else str(value)
        return "approved", {**what, "bound": told}
    return ("granted" if "granted" in required else "authorised"), what
