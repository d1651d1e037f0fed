"""Completion script for zsh, with a line about each command and option."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from selo.cli.completion.completion_values import name_long_lists

if TYPE_CHECKING:
    from collections.abc import Iterable

    from selo.cli.completion.completion_values import CompletionOffer, CompletionPlace

_HEAD = """\
#compdef selo
# Completion of selo for zsh. Load it with: source <(selo completion zsh)
_selo() {
  local at='' word i
  local -a offered
  for ((i = 2; i < CURRENT; i++)); do
    word=${words[i]}
    case "${at:+$at }$word" in
"""
_MIDDLE = """\
    esac
  done
  case "$at:${words[CURRENT-1]}" in
"""
_OPTIONS = """\
  esac
  if [[ $PREFIX == -* ]]; then
    case "$at" in
"""
_REST = """\
    esac
    _describe -o option offered
    return
  fi
  case "$at" in
"""
_TAIL = """\
  esac
}
(( $+functions[compdef] )) && compdef _selo selo
"""


def render_zsh_script(places: list[CompletionPlace]) -> str:
    """Return the script."""
    names = name_long_lists(places)
    first, rest = _HEAD.split("\n", 1)
    lines = [f"{first}\n"]
    lines += [f"typeset -ga {name}=({_quote_values(values)})\n" for values, name in names.items()]
    lines.append(rest)
    paths = "|".join(_pattern(place.words) for place in places if place.words)
    lines.append(f'      {paths}) at="${{at:+$at }}$word" ;;\n')
    lines.append(_MIDDLE)
    for place in places:
        lines += [
            f"    {_pattern(f'{place.words}:{offer.name}')}) {_reply(offer, names)}; return ;;\n"
            for offer in place.options
            if offer.takes_value
        ]
    lines.append(_OPTIONS)
    for place in places:
        offered = _quote_descriptions((offer.name, offer.description) for offer in place.options)
        lines.append(f"      {_pattern(place.words)}) offered=({offered}) ;;\n")
    lines.append(_REST)
    for place in places:
        if place.commands:
            reply = f"offered=({_quote_descriptions(place.commands)}); _describe command offered"
        else:
            reply = "; ".join(_reply(offer, names) for offer in place.arguments) or ":"
        lines.append(f"    {_pattern(place.words)}) {reply} ;;\n")
    lines.append(_TAIL)
    return "".join(lines)


def _pattern(words: str) -> str:
    return f"'{words}'"


def _quote_descriptions(pairs: Iterable[tuple[str, str]]) -> str:
    return " ".join(
        shlex.quote(f"{name}:{text}".replace("\n", " ") if text else name) for name, text in pairs
    )


def _quote_values(values: Iterable[str]) -> str:
    return " ".join(shlex.quote(value) for value in values)


def _reply(offer: CompletionOffer, names: dict[tuple[str, ...], str]) -> str:
    if offer.values:
        name = names.get(offer.values)
        return f"compadd -- {f'${name}' if name else _quote_values(offer.values)}"
    return "_files" if offer.path else ":"
