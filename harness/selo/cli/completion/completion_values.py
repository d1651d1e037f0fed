"""What a shell can offer at each place of a command line: commands, options, and their values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from selo.cli.parser import below, said_of, short, taken, typed
from selo.cli.schemas import schema_files
from selo.law.file_schemas import MODELS
from selo.law.loader import load_law
from selo.rules.checks.game_check import games

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

#: What is a path, by the name of its value.
_PATHS: Final = frozenset({"FILE", "DIR", "FORM", "FINDING", "ANSWERS", "CERT", "KEY"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Offer:
    """One option, or one argument without a name."""

    #: Nothing for an argument that is known by its place.
    name: str
    told: str
    #: Whether it takes a value, which values are known, and whether it is a path.
    takes: bool
    values: tuple[str, ...] = ()
    path: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """A command, or Selo itself: what may follow it."""

    #: The words typed so far: ``law show``.
    words: str
    #: The commands below, each with one line about it.
    commands: tuple[tuple[str, str], ...]
    options: tuple[Offer, ...]
    arguments: tuple[Offer, ...]


#: A list of values that is longer than this is written once, under a name.
_SHORT: Final = 6


def lists(places: list[Place]) -> dict[tuple[str, ...], str]:
    """Return the long lists of values, each with the name that it has in a script."""
    found: dict[tuple[str, ...], str] = {}
    for place in places:
        for option in (*place.options, *place.arguments):
            if len(option.values) > _SHORT:
                found.setdefault(option.values, f"_selo_list_{len(found) + 1}")
    return found


def places(top: argparse.ArgumentParser, language: str) -> list[Place]:
    """Return every place of the command line."""
    known = _known()
    return [_place(one, language, known) for one in _every(top)]


def _every(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    yield parser
    for under in below(parser).values():
        yield from _every(under)


def _known() -> dict[str, tuple[str, ...]]:
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
        "schema name": (*schema_files.outputs(), *schema_files.files(), *MODELS),
        "law schema name": tuple(MODELS),
    }


def _place(
    parser: argparse.ArgumentParser, language: str, known: dict[str, tuple[str, ...]]
) -> Place:
    words = typed(parser)
    offers = [_offer(parser, one, language, known) for one in taken(parser)]
    return Place(
        words=words,
        commands=tuple((name, short(parser, name, language)) for name in below(parser)),
        options=tuple(offer for offer in offers if offer.name),
        arguments=tuple(offer for offer in offers if not offer.name),
    )


def _offer(
    parser: argparse.ArgumentParser,
    action: argparse.Action,
    language: str,
    known: dict[str, tuple[str, ...]],
) -> Offer:
    words = typed(parser)
    values = tuple(str(choice) for choice in action.choices or ())
    values = values or known.get(f"{words} {action.dest}") or known.get(action.dest, ())
    return Offer(
        name=action.option_strings[-1] if action.option_strings else "",
        told=said_of(action, words, language),
        takes=action.nargs != 0,
        values=values,
        path=action.metavar in _PATHS or action.dest in {"specs", "bilingual"},
    )
