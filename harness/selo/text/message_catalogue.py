"""The catalogue of messages and condition phrases in Portuguese, Chinese and English.

Messages stand in ``bilingual/messages/``, by family; those about one game stand with its law, in
``specs/<instrument>/words.yaml``, and are read on first use.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

import msgspec

from selo import data_files
from selo.errors import Problem, SpecError
from selo.text.multilingual import Words
from selo.yaml_file import read_yaml

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from selo.yaml_file import YamlDocument

MESSAGES_FOLDER: Final = "messages"
CONDITIONS_FILE: Final = "conditions.yaml"
_SLOT: Final = re.compile(r"\{(\w+)\}")
_OWN_CONDITIONS: Final = re.compile(r"^conditions:", re.MULTILINE)
#: The key of a message about one game.
_GAME_MESSAGE_KEY: Final = re.compile(r"(?:group|round|report\.bet)\.(?P<game>[^.]+)\..+")


class Messages(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All messages by key."""

    messages: dict[str, Words]


class Translation(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A sentence whose English stands elsewhere."""

    pt: str
    zh: str

    def __post_init__(self) -> None:
        if not (self.pt.strip() and self.zh.strip()):
            msg = "a sentence needs pt and zh"
            raise ValueError(msg)


class Condition(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One condition as the law files write it, and as it is said; slots hold numbers."""

    when: str
    pt: str
    zh: str
    en: str


class GameMessages(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is said of one game alone."""

    game: str
    #: Names of bets, where the law gives two of them the same name.
    bets: dict[str, Words] = {}
    #: The reason for each group of cases.
    groups: dict[str, Words] = {}
    #: The reason for each round; the English stands in ``rounds.yaml``.
    rounds: dict[str, Translation] = {}
    #: Conditions of its steps and rules in words, besides those that games share.
    conditions: list[Condition] = []


@cache
def _load_messages() -> dict[str, Words]:
    catalogue: dict[str, Words] = {}
    for _, messages, duplicate in _read_message_files(data_files.data_folder("bilingual")):
        if duplicate is not None:
            raise SpecError(duplicate)
        catalogue |= messages
    return catalogue


def _read_message_files(
    bilingual: Path,
) -> Iterator[tuple[YamlDocument, dict[str, Words], Problem | None]]:
    """Yield each file, its messages, and the problem of its first duplicate key."""
    paths = sorted((bilingual / MESSAGES_FOLDER).glob("*.yaml"))
    if not paths:
        read_yaml(bilingual / MESSAGES_FOLDER / "terminal.yaml")  # raises: the file is missing
    homes: dict[str, Path] = {}
    for path in paths:
        document = read_yaml(path)
        messages = document.convert(Messages).messages
        duplicate = None
        for key in messages:
            if homes.setdefault(key, path) != path:
                duplicate = document.problem(
                    "messages",
                    key,
                    problem=f"message '{key}' is also in {homes[key].name}",
                    hint="Keep one; the second would silently win.",
                )
                break
        yield document, messages, duplicate


@cache
def _load_game_messages(game: str) -> dict[str, Words]:
    """Return the messages about `game`, by key."""
    path = data_files.game_file(game, "words.yaml")
    if path is None:
        return {}
    game_messages = read_yaml(path).convert(GameMessages)
    path = data_files.game_file(game, "rounds.yaml") if game_messages.rounds else None
    rounds = [] if path is None else read_yaml(path).plain["rounds"]
    reasons = {
        script["name"]: script["reason"] for script in rounds if {"name", "reason"} <= {*script}
    }
    return {
        **{f"report.bet.{game}.{name}": words for name, words in game_messages.bets.items()},
        **{f"group.{game}.{name}": words for name, words in game_messages.groups.items()},
        **{
            f"round.{game}.{name}": Words(pt=words.pt, zh=words.zh, en=reasons[name])
            for name, words in game_messages.rounds.items()
            if name in reasons
        },
    }


def _find_message(key: str) -> Words | None:
    match = _GAME_MESSAGE_KEY.fullmatch(key)
    game_message = None if match is None else _load_game_messages(match["game"]).get(key)
    return game_message or _load_messages().get(key)


def say(key: str, language: str, /, **slots: object) -> str:
    """Return the message `key` in `language` with its slots filled."""
    return message_words(key).get(language).format(**slots)


def label_value(label: str, value: object, language: str) -> str:
    """Return a label and its value, with the colon of the language."""
    return f"{label}{'：' if language == 'zh' else ': '}{value}"


def message_words(key: str) -> Words:
    """Return the message `key` in all languages; it must have no slots."""
    words = _find_message(key)
    if words is None:
        raise KeyError(key)
    return words


def has_message(key: str) -> bool:
    """Return whether there is a message `key`."""
    return _find_message(key) is not None


def group_reason(game: str, name: str) -> Words:
    """Return why a group of cases is tried; its name if nobody has said it."""
    for key in (f"group.{game}.{name}", f"group.{name}"):
        if has_message(key):
            return message_words(key)
    return Words(pt=name, zh=name, en=name)


def message_keys() -> Iterable[str]:
    """Return the keys of all messages except those about one game."""
    return _load_messages().keys()


def check_messages(bilingual: Path) -> Iterator[Problem]:
    """Yield every duplicate message, and those whose slots differ between languages."""
    for document, messages, duplicate in _read_message_files(bilingual):
        if duplicate is not None:
            yield duplicate
        yield from _check_slots(document, messages)


def _check_slots(document: YamlDocument, messages: dict[str, Words]) -> Iterator[Problem]:
    for key, words in messages.items():
        slots = {
            language: set(_SLOT.findall(words.get(language))) for language in ("pt", "zh", "en")
        }
        if len({frozenset(names) for names in slots.values()}) > 1:
            yield document.problem(
                "messages",
                key,
                problem=f"message '{key}' has different slots in its languages",
                hint="Use the same {names} in pt, zh and en.",
            )


class Conditions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Every condition that has words."""

    conditions: list[Condition]


def read_condition_phrases() -> list[Condition]:
    """Return the phrases of all conditions: those that games share, then those of each game."""
    shared = read_yaml(data_files.data_folder("bilingual") / CONDITIONS_FILE).convert(Conditions)
    # Most games have none of their own, and reading YAML takes time.
    games = data_files.instrument_files("words.yaml", _OWN_CONDITIONS)
    own = [phrase for path in games for phrase in read_yaml(path).convert(GameMessages).conditions]
    return [*shared.conditions, *own]


def _without_spaces(condition: str) -> str:
    return "".join(condition.split())


def check_conditions(document: YamlDocument) -> Iterator[Problem]:
    """Yield every duplicate condition, and those whose slots differ between languages."""
    seen: set[str] = set()
    for index, condition in enumerate(document.convert(Conditions).conditions):
        texts = (condition.when, condition.pt, condition.zh, condition.en)
        if len({frozenset(_SLOT.findall(text)) for text in texts}) > 1:
            yield document.problem(
                "conditions",
                index,
                problem=f"condition '{condition.when}' has different slots in its languages",
                hint="Use the same {names} in pt, zh and en.",
            )
        if _without_spaces(condition.when) in seen:
            yield document.problem(
                "conditions",
                index,
                "when",
                problem=f"condition '{condition.when}' appears twice",
                hint="Join the two.",
            )
        seen.add(_without_spaces(condition.when))
