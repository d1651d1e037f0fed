"""Renders ``--help``: usage, description, arguments, examples, exit codes.

The text stands in ``bilingual/help.yaml``; argparse only knows which arguments there are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from selo.cli.output.terminal import prose_width, text_width, wrap_text
from selo.cli.parser.command_tree import arguments_of, command_words, subcommands_of
from selo.cli.parser.defaults import Default
from selo.text.help_text import load_manual

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from selo.cli.output.terminal import Emphasis
    from selo.text.help_text import HelpEntry

_PROGRAM: Final = "selo"
#: A wider label has its explanation on the next line.
_MAX_LABEL_WIDTH: Final = 24
_INDENT: Final = 2
#: Every command can end with these.
_COMMON_EXIT_CODES: Final = (0, 3)


def render_help(
    parser: argparse.ArgumentParser,
    language: str,
    ink: Emphasis,
    groups: Mapping[str, Sequence[str]] | None = None,
) -> str:
    """Return the help of a command; `groups` are the commands of Selo itself by group."""
    entry = load_manual().commands.get(command_words(parser) or _PROGRAM)
    lines = [*render_usage(parser, language, ink), ""]
    if entry is not None:
        lines += [*wrap_text(_opening_sentence(entry, language), prose_width()), ""]
    lines += _render_commands(parser, language, ink, groups)
    lines += _render_arguments(parser, language, ink)
    if entry is not None:
        lines += _render_examples(entry, language, ink)
        if groups is not None or not subcommands_of(parser):
            lines += _render_exit_codes(entry, language, ink, whole=groups is not None)
    if subcommands_of(parser):
        hint = load_manual().words["more"].get(language).format(command=parser.prog)
        lines += [*wrap_text(hint, prose_width()), ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _opening_sentence(entry: HelpEntry, language: str) -> str:
    if entry.about is not None:
        return entry.about.get(language)
    words = entry.short.get(language)
    end = "" if words[-1] in ".?。？" else "。" if language == "zh" else "."
    return words[0].upper() + words[1:] + end


def render_usage(parser: argparse.ArgumentParser, language: str, ink: Emphasis) -> list[str]:
    """Return the usage line: required options, arguments, and that there is more."""
    parts = [parser.prog]
    actions = arguments_of(parser)
    parts += [
        _option_label(action)
        for action in actions
        if action.option_strings and _is_required(action)
    ]
    parts += [_argument_label(action) for action in actions if not action.option_strings]
    if subcommands_of(parser):
        parts.append(load_manual().words["command"].get(language) + " …")
    else:
        parts.append(f"[{load_manual().words['options'].get(language).lower()}]")
    return [f"{ink.bold(load_manual().words['usage'].get(language))}  {' '.join(parts)}"]


def describe_command(parser: argparse.ArgumentParser, name: str, language: str) -> str:
    """Return one line about the command `name` of `parser`."""
    entry = load_manual().commands.get(f"{command_words(parser)} {name}".strip())
    return "" if entry is None else entry.short.get(language)


def describe_argument(action: argparse.Action, command: str, language: str) -> str:
    """Return the text about an argument: of the command, of all commands, or of argparse."""
    entry = load_manual().commands.get(command or _PROGRAM)
    for name in (*reversed(action.option_strings), action.dest):
        for where in (entry.arguments if entry else {}, load_manual().arguments):
            if name in where:
                return where[name].get(language)
    return (action.help or "").replace("%%", "%")


def _option_label(action: argparse.Action) -> str:
    """Return an option as it is typed, with the name of its value."""
    # The long name comes last.
    name = action.option_strings[-1]
    return name if action.nargs == 0 else f"{name} {_value_label(action)}"


def _value_label(action: argparse.Action) -> str:
    if isinstance(action.metavar, str):
        return action.metavar
    if action.choices is not None:
        return "|".join(str(choice) for choice in action.choices)
    return action.dest.upper().replace("_", "-")


def _argument_label(action: argparse.Action) -> str:
    value = _value_label(action)
    return {"?": f"[{value}]", "*": f"[{value} …]", "+": f"{value} …"}.get(str(action.nargs), value)


def _render_commands(
    parser: argparse.ArgumentParser,
    language: str,
    ink: Emphasis,
    groups: Mapping[str, Sequence[str]] | None,
) -> Iterator[str]:
    commands = subcommands_of(parser)
    if not commands:
        return
    listed = {"": list(commands)} if groups is None else groups
    column = _explanation_column(commands)
    for group, names in listed.items():
        if not names:
            continue
        words = load_manual().groups.get(group) or load_manual().words["commands"]
        yield ink.bold(words.get(language))
        for name in names:
            yield from _render_row(name, describe_command(parser, name, language), ink, column)
        yield ""


def _render_arguments(
    parser: argparse.ArgumentParser, language: str, ink: Emphasis
) -> Iterator[str]:
    sections = [
        (title, actions) for title, actions in _argument_sections(parser, language) if actions
    ]
    for title, actions in sections:
        yield ink.bold(title)
        # All options stand in one column, whatever their heading; arguments are few and short.
        column = _explanation_column(
            _label_of(action)
            for _, others in sections
            for action in others
            if bool(action.option_strings) is bool(actions[0].option_strings)
        )
        for action in actions:
            text = describe_argument(action, command_words(parser), language)
            yield from _render_row(_label_of(action), text, ink, column)
        yield ""


def _label_of(action: argparse.Action) -> str:
    return _option_label(action) if action.option_strings else _argument_label(action)


def _argument_sections(
    parser: argparse.ArgumentParser, language: str
) -> Iterator[tuple[str, list[argparse.Action]]]:
    """Yield headings with their arguments; options without a section come last."""
    actions = sorted(arguments_of(parser), key=_sort_rank)
    positional = [action for action in actions if not action.option_strings]
    yield load_manual().words["arguments"].get(language), positional
    entry = load_manual().commands.get(command_words(parser) or _PROGRAM)
    left = [action for action in actions if action.option_strings]
    for name in entry.sections if entry else ():
        section = load_manual().sections[name]
        options = [action for action in left if action.option_strings[-1] in section.options]
        yield (
            section.title.get(language),
            sorted(options, key=lambda option: section.options.index(option.option_strings[-1])),
        )
        left = [action for action in left if action not in options]
    yield load_manual().words["options"].get(language), left


def _is_required(action: argparse.Action) -> bool:
    default = action.default
    return action.required or (isinstance(default, Default) and bool(default.required))


def _sort_rank(action: argparse.Action) -> int:
    """Return the order: required options first, those of every command last."""
    if _is_required(action):
        return 0
    return {"json": 2, "lang": 3, "config": 4, "version": 5, "help": 6}.get(action.dest, 1)


def _render_examples(entry: HelpEntry, language: str, ink: Emphasis) -> Iterator[str]:
    if not entry.examples:
        return
    yield ink.bold(load_manual().words["examples"].get(language))
    for example in entry.examples:
        yield f"{' ' * _INDENT}{ink.dim('$')} {ink.command(example.run)}"
        for line in wrap_text(example.words.get(language), prose_width() - 3 * _INDENT):
            yield f"{' ' * 3 * _INDENT}{line}"
    yield ""


def _render_exit_codes(
    entry: HelpEntry, language: str, ink: Emphasis, *, whole: bool
) -> Iterator[str]:
    codes = sorted(
        {int(code) for code in load_manual().exits}
        if whole
        else {*_COMMON_EXIT_CODES, *entry.exits}
    )
    yield ink.bold(load_manual().words["exits"].get(language))
    for code in codes:
        words = entry.means.get(str(code)) or load_manual().exits[str(code)]
        lines = wrap_text(words.get(language), prose_width() - 3 * _INDENT)
        yield from _hang_lines(f"{' ' * _INDENT}{code}  ", lines)
    yield ""


def _explanation_column(names: Iterable[str]) -> int:
    """Return the column in which explanations begin."""
    return min(_MAX_LABEL_WIDTH, max(text_width(name) for name in names)) + _INDENT


def _render_row(left: str, right: str, ink: Emphasis, column: int) -> Iterator[str]:
    lines = wrap_text(right, prose_width() - column - _INDENT)
    label = " " * _INDENT + ink.command(left)
    if text_width(left) > column - _INDENT:
        yield label
        yield from (" " * (column + _INDENT) + line for line in lines if line)
        return
    yield from _hang_lines(label + " " * (column - text_width(left)), lines, at=column + _INDENT)


def _hang_lines(first: str, lines: Iterable[str], at: int | None = None) -> Iterator[str]:
    """Yield lines under one another, the first one behind its label."""
    margin = " " * (len(first) if at is None else at)
    for number, line in enumerate(lines):
        yield ((margin if number else first) + line).rstrip()
