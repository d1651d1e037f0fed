"""Causes of findings in words, in each language, with the names of bets and hands.

An expression of the rule language is quoted as the law files write it, unless it has words.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from selo.report.phrases.composition import as_words, join_words, words
from selo.rules.clauses.clause_models import WILDCARD
from selo.rules.language import condition_in_words
from selo.rules.mutants import Operator
from selo.text import Words
from selo.text.message_catalogue import has_message

if TYPE_CHECKING:
    from selo.report.phrases.labels import Labels
    from selo.rules.mutants import Cause

#: Clauses whose subject is a word of the law files; the glossary may know it in another sense.
_INTERNAL_SUBJECTS: Final = frozenset({"define", "table", "manner"})
#: The slots of the sentence of each operator, and the part of the cause that fills each.
_SLOTS: Final[dict[Operator, dict[str, str]]] = {
    Operator.ABOVE: {"thing": "now"},
    Operator.ADDED: {"bet": "now"},
    Operator.AS_WELL: {"bet": "now"},
    Operator.BEARS: {"means": "now"},
    Operator.BECOMES: {"was": "was", "now": "now"},
    Operator.BELOW: {"thing": "now"},
    Operator.CHOICES: {"range": "now"},
    Operator.COLOUR: {"thing": "now"},
    Operator.COUNTS: {"thing": "part", "number": "now"},
    Operator.DIVISOR: {"number": "now"},
    Operator.FORGOTTEN_FOR: {"bet": "part"},
    Operator.KEY_DROPPED: {"number": "part"},
    Operator.KEY_REVERSED: {"number": "part"},
    Operator.LINE: {"number": "now"},
    Operator.LISTED: {"more": "now"},
    Operator.MAKES: {"when": "when", "result": "now"},
    Operator.NO_CHOICE: {"thing": "part"},
    Operator.NOT_ENOUGH: {"thing": "part"},
    Operator.NUMBER: {"number": "now"},
    Operator.ODDS: {"odds": "was", "other": "now"},
    Operator.ODDS_ARE: {"odds": "now"},
    Operator.PAIR: {"tiles": "now"},
    Operator.PREVAILS: {"thing": "part"},
    Operator.RATE: {"rate": "now"},
    Operator.ROUNDED: {"way": "now"},
    Operator.ROW_ABOVE: {"thing": "part", "other_thing": "now"},
    Operator.ROW_GONE: {"thing": "part"},
    Operator.SHARE: {"share": "now"},
    Operator.STAKE_OF: {"bet": "now"},
    Operator.WITHOUT: {"part": "was"},
    Operator.WITHOUT_LISTED: {"part": "was"},
}
#: Slots that hold the name of a thing, a result, and an expression or a piece of one.
_THINGS: Final = frozenset({"bet", "thing", "other_thing"})
_RESULTS: Final = frozenset({"result", "was", "now"})
_EXPRESSIONS: Final = frozenset({"when", "part", "was", "now"})
#: A piece of a condition may begin or end with the sign that joins it to the next.
_JOINING_SIGN: Final = re.compile(r"^ *(&&|\|\|) *| *(&&|\|\|) *$")
_QUOTED_NAME: Final = re.compile(r'"([\w-]*)"')
_NOT_IN_NAMES: Final = re.compile(r"[^\w\-.:%/ ]|_")


def phrase_cause(cause: Cause, game: str, labels: Labels) -> Words:
    """Return what the law would have to say for the vendor to be right."""
    if cause.operator is Operator.READING:
        point = labels.reading(cause.field or "", cause.now or "")
        if point is None:
            return as_words(cause.sentence)
        title, says = point
        return words("misread.reading", title=title, says=says)
    whole = _phrase_whole(cause, game, labels)
    if whole is not None:
        return whole
    phrase = _phrase_subject(cause, game, labels)
    for limit in _phrase_limits(cause, game, labels):
        phrase = _with_detail(phrase, limit)
    return _with_detail(phrase, _phrase_change(cause, game, labels))


def _phrase_whole(cause: Cause, game: str, labels: Labels) -> Words | None:
    """Return a whole sentence for the commonest misreadings of a bet, if `cause` is one."""
    things = [_phrase_thing(name, game, labels) for name in cause.subject]
    name = join_words(things, ", ", "、")
    key = ".".join(("misread.whole", cause.clause, cause.field or "all", cause.operator))
    if cause.part is not None or cause.when is not None or not has_message(key):
        return None
    if cause.operator is not Operator.BECOMES:
        return words(key, name=name)
    should, does = f"misread.should.{cause.was}", f"misread.does.{cause.now}"
    if not (has_message(should) and has_message(does)):
        return None
    bets = name if cause.subject == (WILDCARD,) else words("misread.bets", name=name)
    return words(key, bets=bets, should=words(should), does=words(does))


def _phrase_subject(cause: Cause, game: str, labels: Labels) -> Words:
    key = f"misread.{cause.clause}"
    if cause.clause in _INTERNAL_SUBJECTS:
        return words(key, name=_quote(", ".join(cause.subject)))
    things = [_phrase_thing(name, game, labels) for name in cause.subject]
    return words(key, name=join_words(things, ", ", "、"))


def _phrase_limits(cause: Cause, game: str, labels: Labels) -> list[Words]:
    """Return to what the change is limited: the condition of a clause, a name, or a case."""
    phrases = [words("misread.condition")] if cause.is_expression else []
    used = _SLOTS.get(cause.operator, {}).values()
    if cause.part is not None and "part" not in used:
        phrases.append(_phrase_thing(cause.part, game, labels))
    if cause.when is not None and "when" not in used:
        phrases.append(_phrase_expression(cause.when) or _quote(cause.when))
    return phrases


def _phrase_change(cause: Cause, game: str, labels: Labels) -> Words:
    if cause.operator is Operator.MANNER:
        return _quote(cause.now or "")
    slots = {
        slot: _phrase_slot(slot, getattr(cause, part), game, labels)
        for slot, part in _SLOTS.get(cause.operator, {}).items()
    }
    return words(f"misread.is.{cause.operator}", **slots)


def _phrase_slot(slot: str, value: str, game: str, labels: Labels) -> Words:
    if slot in _RESULTS and has_message(f"report.result.{value}"):
        return words(f"report.result.{value}")
    if slot in _THINGS:
        return _phrase_thing(value, game, labels)
    return (_phrase_expression(value) if slot in _EXPRESSIONS else None) or _quote(value)


def _phrase_expression(text: str) -> Words | None:
    """Return an expression in words, or marked as a rule; nothing if it is only a name."""
    phrase = condition_in_words(_JOINING_SIGN.sub("", text))
    if phrase is not None:
        return words("misread.if", when=phrase)
    if not _NOT_IN_NAMES.search(text) or _QUOTED_NAME.fullmatch(text):
        return None
    return words("condition.rule", rule=text)


def _phrase_thing(name: str, game: str, labels: Labels) -> Words:
    """Return the name of a bet, a hand or another thing; quoted if it has none."""
    if name == WILDCARD:
        return words("misread.all")
    for spelling in (name, name.replace("_", "-")):
        label = labels.term(game, spelling)
        if label != as_words(spelling):
            return label
    return _quote(name)


def _quote(text: str) -> Words:
    text = _QUOTED_NAME.sub(r"\1", text)
    number = text.replace(":", "").replace("%", "")
    return as_words(text if number.isdigit() else f"`{text}`")


def _with_detail(first: Words, then: Words) -> Words:
    return Words(
        pt=f"{first.pt}: {then.pt}", zh=f"{first.zh}：{then.zh}", en=f"{first.en}: {then.en}"
    )
