"""Completion script for fish: one line for each offer and its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.cli.completion.completion_values import name_long_lists

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.cli.completion.completion_values import CompletionOffer, CompletionPlace

_HEAD = """\
# Completion of selo for fish. Load it with: selo completion fish | source
function __selo_at
    set -l at ''
    for word in (commandline -opc)[2..-1]
        set -l next (string trim -- "$at $word")
        if contains -- "$next" $__selo_places
            set at $next
        end
    end
    test "$at" = "$argv[1]"
end
"""


def render_fish_script(places: list[CompletionPlace]) -> str:
    """Return the script."""
    names = name_long_lists(places)
    paths = " ".join(_quote(place.words) for place in places if place.words)
    lines = [_HEAD, f"set -g __selo_places {paths}\n", "complete -c selo -f\n"]
    for values, name in names.items():
        lines.append(f"set -g {name} {' '.join(_quote(value) for value in values)}\n")
    for place in places:
        condition = _quote(f"__selo_at {_quote(place.words)}")
        lines += [
            f"complete -c selo -n {condition} -a {_quote(name)} -d {_quote(text)}\n"
            for name, text in place.commands
        ]
        for offer in place.options:
            lines.append(f"complete -c selo -n {condition} {' '.join(_option(offer, names))}\n")
        for offer in place.arguments:
            if offer.values:
                lines.append(f"complete -c selo -n {condition} -a {_values(offer, names)}\n")
            elif offer.path:
                lines.append(f"complete -c selo -n {condition} -F\n")
    return "".join(lines)


def _values(offer: CompletionOffer, names: dict[tuple[str, ...], str]) -> str:
    # A variable is looked up when something is completed.
    name = names.get(offer.values)
    return f"'${name}'" if name else _quote(" ".join(offer.values))


def _option(offer: CompletionOffer, names: dict[tuple[str, ...], str]) -> Iterator[str]:
    yield f"-l {offer.name.removeprefix('--')}"
    if offer.values:
        yield f"-x -a {_values(offer, names)}"
    elif offer.takes_value:
        yield "-r -F" if offer.path else "-x"
    yield f"-d {_quote(offer.description)}"


def _quote(words: str) -> str:
    escaped = words.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
