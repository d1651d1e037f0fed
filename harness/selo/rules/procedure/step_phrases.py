"""Says in words what a step requires."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from selo.rules.clauses.clause_models import names
from selo.text.condition_phrases import condition_in_words
from selo.text.message_catalogue import say
from selo.text.multilingual import Words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from selo.rules.clauses.clause_models import Names, Step

#: The beginning of the log, as a stretch may name it.
START: Final = "start"


def required(clause: Step, words: Mapping[str, Words], fields: Mapping[str, Words]) -> Words:
    """Return what `clause` requires; `words` are those of the events, `fields` of their fields."""
    return Words(
        pt=_told(clause, words, fields, "pt"),
        zh=_told(clause, words, fields, "zh"),
        en=_told(clause, words, fields, "en"),
    )


def field_name(words: Words) -> Words:
    """Return what a field is called, without what is said of its values after a colon."""
    pt, zh, en = (
        one.partition(":")[0].partition("：")[0] for one in (words.pt, words.zh, words.en)
    )
    return Words(pt=pt, zh=zh, en=en)


def condition(text: str, language: str) -> str:
    """Return a condition in words; one that has none is quoted, and said to be a rule."""
    found = condition_in_words(text)
    return say("condition.rule", language, rule=text) if found is None else found.get(language)


def _told(
    clause: Step, words: Mapping[str, Words], fields: Mapping[str, Words], language: str
) -> str:
    def listed(wanted: Names) -> str:
        return say("steps.or", language).join(
            say("steps.start", language)
            if name == START
            else say("steps.event", language, name=words[name].get(language))
            for name in names(wanted)
        )

    def named(wanted: Names) -> str:
        return say("steps.and", language).join(
            field_name(fields[name]).get(language) if name in fields else name
            for name in names(wanted)
        )

    stretch = "".join(
        say(f"steps.{field}", language, **{field: listed(getattr(clause, field))})
        for field in ("after", "before", "until")
        if getattr(clause, field)
    )
    conditions = (
        ("same", named(clause.same)),
        ("when", clause.when and condition(clause.when, language)),
        ("given", clause.given and condition(clause.given, language)),
    )
    return say(
        f"steps.{clause.step}",
        language,
        event=listed(clause.event),
        stretch=stretch,
        times=clause.times,
        by=named(clause.by),
        name=listed([] if clause.called is None else clause.called),
    ) + "".join(
        say(f"steps.{field}", language, **{field: value}) for field, value in conditions if value
    )
