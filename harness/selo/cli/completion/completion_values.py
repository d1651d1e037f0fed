"""Values that a shell offers at each place of a command line: commands, options, arguments."""

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
from selo.cli.schemas import list_files, list_outputs
from selo.law import load_law
from selo.law.file_schemas import SCHEMA_MODELS
from selo.rules.checks import list_games

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

#: Metavars of options and arguments that are paths.
_PATH_METAVARS: Final = frozenset({"FILE", "DIR", "FORM", "FINDING", "ANSWERS", "CERT", "KEY"})


@dataclass(frozen=True, kw_only=True, slots=True)
class CompletionOffer:
    """One option, or one argument without a name."""

    #: Empty for a positional argument.
    name: str
    description: str
    #: Whether it takes a value, which values are known, and whether it is a path.
    takes_value: bool
    values: tuple[str, ...] = ()
    path: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class CompletionPlace:
    """A command, or Selo itself, and what may follow it."""

    #: The words typed so far: ``law show``.
    words: str
    #: The subcommands, each with one line about it.
    commands: tuple[tuple[str, str], ...]
    options: tuple[CompletionOffer, ...]
    arguments: tuple[CompletionOffer, ...]


#: A longer list of values is written once, under a name.
_MAX_INLINE_VALUES: Final = 6


def name_long_lists(places: list[CompletionPlace]) -> dict[tuple[str, ...], str]:
    """Return the long lists of values, each with the name that it has in a script."""
    names: dict[tuple[str, ...], str] = {}
    for place in places:
        for option in (*place.options, *place.arguments):
            if len(option.values) > _MAX_INLINE_VALUES:
                names.setdefault(option.values, f"_selo_list_{len(names) + 1}")
    return names


def list_places(top: argparse.ArgumentParser, language: str) -> list[CompletionPlace]:
    """Return every place of the command line."""
    known = _names_in_law()
    return [_describe_place(parser, language, known) for parser in _parsers_below(top)]


def _parsers_below(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    yield parser
    for under in subcommands_of(parser).values():
        yield from _parsers_below(under)


def _names_in_law() -> dict[str, tuple[str, ...]]:
    """Return the names that the law files hold, by the kind of argument that takes them."""
    law = load_law()
    provisions = tuple(law.provisions)
    all_games = tuple(list_games(law))
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
        "schema name": (*list_outputs(), *list_files(), *SCHEMA_MODELS),
        "law schema name": tuple(SCHEMA_MODELS),
    }


def _describe_place(
    parser: argparse.ArgumentParser, language: str, known: dict[str, tuple[str, ...]]
) -> CompletionPlace:
    words = command_words(parser)
    offers = [_describe_offer(parser, action, language, known) for action in arguments_of(parser)]
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
        description=describe_argument(action, words, language),
        takes_value=action.nargs != 0,
        values=values,
        path=action.metavar in _PATH_METAVARS or action.dest in {"specs", "bilingual"},
    )
