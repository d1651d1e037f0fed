"""Sentences that describe step clauses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.rules.clauses.clause_models import START, list_names
from selo.rules.language import condition_in_words
from selo.text import Words, say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from selo.rules.clauses.clause_models import Names, StepClause


def describe_step(
    clause: StepClause, words: Mapping[str, Words], fields: Mapping[str, Words]
) -> Words:
    """Return the sentence of `clause`; `words` name the events, `fields` their fields."""
    return Words(
        pt=_describe(clause, words, fields, "pt"),
        zh=_describe(clause, words, fields, "zh"),
        en=_describe(clause, words, fields, "en"),
    )


def field_name_of(words: Words) -> Words:
    """Return the name of a field, without the description of its values after a colon."""
    pt, zh, en = (
        text.partition(":")[0].partition("：")[0] for text in (words.pt, words.zh, words.en)
    )
    return Words(pt=pt, zh=zh, en=en)


def _describe_condition(text: str, language: str) -> str:
    """Return a condition in words, or quoted as a rule if it has none."""
    words = condition_in_words(text)
    return say("condition.rule", language, rule=text) if words is None else words.get(language)


def _describe(
    clause: StepClause, words: Mapping[str, Words], fields: Mapping[str, Words], language: str
) -> str:
    def join_events(wanted: Names) -> str:
        return say("steps.or", language).join(
            say("steps.start", language)
            if name == START
            else say("steps.event", language, name=words[name].get(language))
            for name in list_names(wanted)
        )

    def join_fields(wanted: Names) -> str:
        return say("steps.and", language).join(
            field_name_of(fields[name]).get(language) if name in fields else name
            for name in list_names(wanted)
        )

    stretch = "".join(
        say(f"steps.{field}", language, **{field: join_events(getattr(clause, field))})
        for field in ("after", "before", "until")
        if getattr(clause, field)
    )
    conditions = (
        ("same", join_fields(clause.same)),
        ("when", clause.when and _describe_condition(clause.when, language)),
        ("given", clause.given and _describe_condition(clause.given, language)),
    )
    return say(
        f"steps.{clause.step}",
        language,
        event=join_events(clause.event),
        stretch=stretch,
        times=clause.times,
        by=join_fields(clause.by),
        name=join_events([] if clause.called is None else clause.called),
    ) + "".join(
        say(f"steps.{field}", language, **{field: value}) for field, value in conditions if value
    )
