"""Says in words what a step requires."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from selo.rules.clauses import names
from selo.words.messages import say
from selo.words.text import Words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from selo.rules.clauses import Names, Step

#: The beginning of the log, as a stretch may name it.
START: Final = "start"


def required(clause: Step, words: Mapping[str, Words]) -> Words:
    """Return what `clause` requires; `words` are those of the events."""
    return Words(
        pt=_told(clause, words, "pt"), zh=_told(clause, words, "zh"), en=_told(clause, words, "en")
    )


def _told(clause: Step, words: Mapping[str, Words], language: str) -> str:
    def listed(wanted: Names) -> str:
        return say("steps.or", language).join(
            say("steps.start", language)
            if name == START
            else say("steps.event", language, name=words[name].get(language))
            for name in names(wanted)
        )

    stretch = "".join(
        say(f"steps.{field}", language, **{field: listed(getattr(clause, field))})
        for field in ("after", "before", "until")
        if getattr(clause, field)
    )
    conditions = (
        ("same", ", ".join(names(clause.same))),
        ("when", clause.when),
        ("given", clause.given),
    )
    return say(
        f"steps.{clause.step}",
        language,
        event=listed(clause.event),
        stretch=stretch,
        times=clause.times,
        by=", ".join(names(clause.by)),
        name=listed([] if clause.called is None else clause.called),
    ) + "".join(
        say(f"steps.{field}", language, **{field: value}) for field, value in conditions if value
    )
