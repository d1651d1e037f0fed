"""What a shell can offer at each place of a command line: commands, options, and their values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from selo.cli.parser import (
    arguments_of,
    command_words,
    describe_argument,
    describe_command,
    subcommands_of,
)
from selo.cli.schemas import schema_files
from selo.law.file_schemas import MODELS
from selo.law.loader import load_law
from selo.rules.checks.game_check import games

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

#: What is a path, by the name of its value.
_PATH_METAVARS: Final = frozenset({"FILE", "DIR", "FORM", "FINDING", "ANSWERS", "CERT", "KEY"})


@dataclass(frozen=True, kw_only=True, slots=True)
class CompletionOffer:
    """One option, or one argument without a name."""

    #: Nothing for an argument that is known by its place.
    name: str
    told: str
    #: Whether it takes a value, which values are known, and whether it is a path.
    takes: bool
    values: tuple[str, ...] = ()
    path: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class CompletionPlace:
    """A command, or Selo itself: what may follow it."""

    #: The words typed so far: ``law show``.
    words: str
    #: The commands below, each with one line about it.
    commands: tuple[tuple[str, str], ...]
    options: tuple[CompletionOffer, ...]
    arguments: tuple[CompletionOffer, ...]


#: A list of values that is longer than this is written once, under a name.
_MAX_INLINE_VALUES: Final = 6


def name_long_lists(places: list[CompletionPlace]) -> dict[tuple[str, ...], str]:
    """Return the long lists of values, each with the name that it has in a script."""
    found: dict[tuple[str, ...], str] = {}
    for place in places:
        for option in (*place.options, *place.arguments):
            if len(option.values) > _MAX_INLINE_VALUES:
                found.setdefault(option.values, f"_selo_list_{len(found) + 1}")
    return found


def list_places(top: argparse.ArgumentParser, language: str) -> list[CompletionPlace]:
    """Return every place of the command line."""
    known = _names_in_law()
    return [_describe_place(one, language, known) for one in _parsers_below(top)]


def _parsers_below(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    yield parser
    for under in subcommands_of(parser).values():
        yield from _parsers_below(under)


def _names_in_law() -> dict[str, tuple[str, ...]]:
    """Return the names that the law files hold, by the kind of argument that takes them."""
    law = load_law()
    provisions = tuple(law.provisions)
    all_games = tuple(games(law))
    instruments = tuple(folder.instrument.id for folder in law.folders)
    points = tuple(divergence.id for divergence in law.divergences)
    rulings = tuple(
        f"{divergence.id}={reading.id}"
        for divergence in law.divergences
        for reading in divergence.readings
    )
    return {
        "game": all_games,
        "games": all_games,
        "provision": provisions,
        "law show id": provisions,
        "instrument": instruments,
        "law divergences id": points,
        "ruling": rulings,
        "schema name": (*schema_files.list_outputs(), *schema_files.list_files(), *MODELS),
        "law schema name": tuple(MODELS),
    }


def _describe_place(
    parser: argparse.ArgumentParser, language: str, known: dict[str, tuple[str, ...]]
) -> CompletionPlace:
    words = command_words(parser)
    offers = [_describe_offer(parser, one, language, known) for one in arguments_of(parser)]
    return CompletionPlace(
        words=words,
        commands=tuple(
            (name, describe_command(parser, name, language)) for name in subcommands_of(parser)
        ),
        options=tuple(offer for offer in offers if offer.name),
        arguments=tuple(offer for offer in offers if not offer.name),
    )


def _describe_offer(
    parser: argparse.ArgumentParser,
    action: argparse.Action,
    language: str,
    known: dict[str, tuple[str, ...]],
) -> CompletionOffer:
    words = command_words(parser)
    values = tuple(str(choice) for choice in action.choices or ())
    values = values or known.get(f"{words} {action.dest}") or known.get(action.dest, ())
    return CompletionOffer(
        name=action.option_strings[-1] if action.option_strings else "",
        told=describe_argument(action, words, language),
        takes=action.nargs != 0,
        values=values,
        path=action.metavar in _PATH_METAVARS or action.dest in {"specs", "bilingual"},
    )
