"""What the program says to people, in Portuguese, Chinese and English.

Messages stand in ``bilingual/messages/``, by family; what is said of one game alone stands with its
law, in ``specs/<instrument>/words.yaml``, and is read when that game is spoken of.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

import msgspec

from selo import data_files
from selo.errors import Problem, SpecError
from selo.text.multilingual import Words
from selo.yaml_file import read

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from selo.yaml_file import Document

FOLDER: Final = "messages"
_SLOT = re.compile(r"\{(\w+)\}")
#: The key of a message about one game.
_OF_GAME: Final = re.compile(r"(?:group|round|report\.bet)\.(?P<game>[^.]+)\..+")


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


class GameMessages(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is said of one game alone."""

    game: str
    #: What a bet is called, where the law calls two alike.
    bets: dict[str, Words] = {}
    #: Why a group of cases is tried.
    groups: dict[str, Words] = {}
    #: Why a round is played; the English is its reason in ``rounds.yaml``.
    rounds: dict[str, Translation] = {}


@cache
def _messages() -> dict[str, Words]:
    held: dict[str, Words] = {}
    for _, messages, twice in _files(data_files.folder("bilingual")):
        if twice is not None:
            raise SpecError(twice)
        held |= messages
    return held


def _files(bilingual: Path) -> Iterator[tuple[Document, dict[str, Words], Problem | None]]:
    """Yield each file, its messages, and the first of them that stands in another file too."""
    paths = sorted((bilingual / FOLDER).glob("*.yaml"))
    if not paths:
        read(bilingual / FOLDER / "terminal.yaml")  # says that it is not there
    homes: dict[str, Path] = {}
    for path in paths:
        document = read(path)
        messages = document.convert(Messages).messages
        twice = None
        for key in messages:
            if homes.setdefault(key, path) != path:
                twice = document.problem(
                    "messages",
                    key,
                    problem=f"message '{key}' stands in {homes[key].name} too",
                    hint="Keep one; the second would silently win.",
                )
                break
        yield document, messages, twice


@cache
def _of_game(game: str) -> dict[str, Words]:
    """Return the messages about `game`, by key."""
    path = data_files.of_game(game, "words.yaml")
    if path is None:
        return {}
    held = read(path).convert(GameMessages)
    path = data_files.of_game(game, "rounds.yaml") if held.rounds else None
    rounds = [] if path is None else read(path).plain["rounds"]
    reasons = {one["name"]: one["reason"] for one in rounds if {"name", "reason"} <= {*one}}
    return {
        **{f"report.bet.{game}.{name}": words for name, words in held.bets.items()},
        **{f"group.{game}.{name}": words for name, words in held.groups.items()},
        **{
            f"round.{game}.{name}": Words(pt=words.pt, zh=words.zh, en=reasons[name])
            for name, words in held.rounds.items()
            if name in reasons
        },
    }


def _find(key: str) -> Words | None:
    of_game = _OF_GAME.fullmatch(key)
    own = None if of_game is None else _of_game(of_game["game"]).get(key)
    return own or _messages().get(key)


def say(key: str, language: str, /, **slots: object) -> str:
    """Return the message `key` in `language` with its slots filled."""
    return sentence(key).get(language).format(**slots)


def sentence(key: str) -> Words:
    """Return the message `key` in all its languages; one without slots."""
    words = _find(key)
    if words is None:
        raise KeyError(key)
    return words


def knows(key: str) -> bool:
    """Return whether there is a message `key`."""
    return _find(key) is not None


def keys() -> Iterable[str]:
    """Return the key of every message that is not about one game."""
    return _messages().keys()


def check(bilingual: Path) -> Iterator[Problem]:
    """Yield every message that stands in two files, or whose slots differ between languages."""
    for document, messages, twice in _files(bilingual):
        if twice is not None:
            yield twice
        yield from _check_slots(document, messages)


def _check_slots(document: Document, messages: dict[str, Words]) -> Iterator[Problem]:
    for key, words in messages.items():
        slots = {
            language: set(_SLOT.findall(words.get(language))) for language in ("pt", "zh", "en")
        }
        if len({frozenset(found) for found in slots.values()}) > 1:
            yield document.problem(
                "messages",
                key,
                problem=f"message '{key}' has different slots in its languages",
                hint="Use the same {names} in pt, zh and en.",
            )
