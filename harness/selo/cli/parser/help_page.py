"""What ``--help`` shows: usage, what the command is for, what it takes, examples, exit codes.

The words stand in ``bilingual/help.yaml``; argparse only says which arguments there are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from selo.cli.output.terminal import cells, width, wrapped
from selo.cli.parser.command_tree import below, taken, typed
from selo.cli.parser.defaults import Default
from selo.text.help_text import load_manual

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from selo.cli.output.terminal import Ink
    from selo.text.help_text import HelpEntry

_ITSELF: Final = "selo"
#: An explanation stands behind a name of so many columns at most, else on the next line.
_COLUMN: Final = 24
_INDENT: Final = 2
#: Every command can end with these.
_ALWAYS: Final = (0, 3)


def rendered(
    parser: argparse.ArgumentParser,
    language: str,
    ink: Ink,
    groups: Mapping[str, Sequence[str]] | None = None,
) -> str:
    """Return the help of a command; `groups` are the commands of Selo itself by group."""
    entry = load_manual().commands.get(typed(parser) or _ITSELF)
    lines = [*usage(parser, language, ink), ""]
    if entry is not None:
        lines += [*wrapped(_sentence(entry, language), width()), ""]
    lines += _commands(parser, language, ink, groups)
    lines += _arguments(parser, language, ink)
    if entry is not None:
        lines += _examples(entry, language, ink)
        if groups is not None or not below(parser):
            lines += _exits(entry, language, ink, whole=groups is not None)
    if below(parser):
        said = load_manual().words["more"].get(language).format(command=parser.prog)
        lines += [*wrapped(said, width()), ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _sentence(entry: HelpEntry, language: str) -> str:
    if entry.about is not None:
        return entry.about.get(language)
    words = entry.short.get(language)
    end = "" if words[-1] in ".?。？" else "。" if language == "zh" else "."
    return words[0].upper() + words[1:] + end


def usage(parser: argparse.ArgumentParser, language: str, ink: Ink) -> list[str]:
    """Return what is typed, in one line: what must be given, then that there is more."""
    parts = [parser.prog]
    actions = taken(parser)
    parts += [named(action) for action in actions if action.option_strings and _needed(action)]
    parts += [_positional(action) for action in actions if not action.option_strings]
    if below(parser):
        parts.append(load_manual().words["command"].get(language) + " …")
    else:
        parts.append(f"[{load_manual().words['options'].get(language).lower()}]")
    return [f"{ink.bold(load_manual().words['usage'].get(language))}  {' '.join(parts)}"]


def short(parser: argparse.ArgumentParser, name: str, language: str) -> str:
    """Return what one line of a list says of the command `name` of `parser`."""
    entry = load_manual().commands.get(f"{typed(parser)} {name}".strip())
    return "" if entry is None else entry.short.get(language)


def said_of(action: argparse.Action, command: str, language: str) -> str:
    """Return what is said of an argument: by the command, by all commands, or where it is made."""
    entry = load_manual().commands.get(command or _ITSELF)
    for name in (*reversed(action.option_strings), action.dest):
        for where in (entry.arguments if entry else {}, load_manual().arguments):
            if name in where:
                return where[name].get(language)
    return (action.help or "").replace("%%", "%")


def named(action: argparse.Action) -> str:
    """Return an option as it is typed, with the name of its value."""
    # The long name comes last, and says what it is.
    name = action.option_strings[-1]
    return name if action.nargs == 0 else f"{name} {_value(action)}"


def _value(action: argparse.Action) -> str:
    if isinstance(action.metavar, str):
        return action.metavar
    if action.choices is not None:
        return "|".join(str(choice) for choice in action.choices)
    return action.dest.upper().replace("_", "-")


def _positional(action: argparse.Action) -> str:
    value = _value(action)
    return {"?": f"[{value}]", "*": f"[{value} …]", "+": f"{value} …"}.get(str(action.nargs), value)


def _commands(
    parser: argparse.ArgumentParser,
    language: str,
    ink: Ink,
    groups: Mapping[str, Sequence[str]] | None,
) -> Iterator[str]:
    under = below(parser)
    if not under:
        return
    listed = {"": list(under)} if groups is None else groups
    column = _column(under)
    for group, names in listed.items():
        if not names:
            continue
        words = load_manual().groups.get(group) or load_manual().words["commands"]
        yield ink.bold(words.get(language))
        for name in names:
            yield from _row(name, short(parser, name, language), ink, column)
        yield ""


def _arguments(parser: argparse.ArgumentParser, language: str, ink: Ink) -> Iterator[str]:
    sections = [(title, some) for title, some in _sections(parser, language) if some]
    for title, some in sections:
        yield ink.bold(title)
        # All options stand in one column, whatever their heading; arguments are few and short.
        alike = [
            one
            for _, them in sections
            for one in them
            if bool(one.option_strings) is bool(some[0].option_strings)
        ]
        column = _column(_shown(one) for one in alike)
        for one in some:
            yield from _row(_shown(one), said_of(one, typed(parser), language), ink, column)
        yield ""


def _shown(action: argparse.Action) -> str:
    return named(action) if action.option_strings else _positional(action)


def _sections(
    parser: argparse.ArgumentParser, language: str
) -> Iterator[tuple[str, list[argparse.Action]]]:
    """Yield headings with what stands under them; options without one of their own come last."""
    left = sorted(taken(parser), key=_rank)
    given = [one for one in left if not one.option_strings]
    yield load_manual().words["arguments"].get(language), given
    entry = load_manual().commands.get(typed(parser) or _ITSELF)
    left = [one for one in left if one.option_strings]
    for name in entry.sections if entry else ():
        section = load_manual().sections[name]
        some = [one for one in left if one.option_strings[-1] in section.options]
        yield (
            section.title.get(language),
            sorted(some, key=lambda one: section.options.index(one.option_strings[-1])),
        )
        left = [one for one in left if one not in some]
    yield load_manual().words["options"].get(language), left


def _needed(action: argparse.Action) -> bool:
    default = action.default
    return action.required or (isinstance(default, Default) and bool(default.needed))


def _rank(action: argparse.Action) -> int:
    """Return what comes first: what must be given; what every command has comes last."""
    if _needed(action):
        return 0
    return {"json": 2, "lang": 3, "config": 4, "version": 5, "help": 6}.get(action.dest, 1)


def _examples(entry: HelpEntry, language: str, ink: Ink) -> Iterator[str]:
    if not entry.examples:
        return
    yield ink.bold(load_manual().words["examples"].get(language))
    for example in entry.examples:
        yield f"{' ' * _INDENT}{ink.dim('$')} {ink.typed(example.run)}"
        for line in wrapped(example.words.get(language), width() - 3 * _INDENT):
            yield f"{' ' * 3 * _INDENT}{line}"
    yield ""


def _exits(entry: HelpEntry, language: str, ink: Ink, *, whole: bool) -> Iterator[str]:
    codes = sorted(
        {int(code) for code in load_manual().exits} if whole else {*_ALWAYS, *entry.exits}
    )
    yield ink.bold(load_manual().words["exits"].get(language))
    for code in codes:
        words = entry.means.get(str(code)) or load_manual().exits[str(code)]
        lines = wrapped(words.get(language), width() - 3 * _INDENT)
        yield from _hung(f"{' ' * _INDENT}{code}  ", lines)
    yield ""


def _column(names: Iterable[str]) -> int:
    """Return how far to the right the explanations stand."""
    return min(_COLUMN, max(cells(name) for name in names)) + _INDENT


def _row(left: str, right: str, ink: Ink, column: int) -> Iterator[str]:
    lines = wrapped(right, width() - column - _INDENT)
    shown = " " * _INDENT + ink.typed(left)
    if cells(left) > column - _INDENT:
        yield shown
        yield from (" " * (column + _INDENT) + line for line in lines if line)
        return
    yield from _hung(shown + " " * (column - cells(left)), lines, at=column + _INDENT)


def _hung(first: str, lines: Iterable[str], at: int | None = None) -> Iterator[str]:
    """Yield lines under one another, the first behind what it belongs to."""
    margin = " " * (len(first) if at is None else at)
    for number, line in enumerate(lines):
        yield ((margin if number else first) + line).rstrip()
