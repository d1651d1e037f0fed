"""Completion script for bash: one function that finds its place on the command line."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from selo.cli.completion.completion_values import name_long_lists

if TYPE_CHECKING:
    from selo.cli.completion.completion_values import CompletionOffer, CompletionPlace

_HEAD = """\
# Completion of selo for bash. Load it with: source <(selo completion bash)
_selo() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} at='' word i before=''
  COMPREPLY=()
  # bash cuts --option=value into three words, unless somebody told it not to.
  if [[ $cur == --*=* ]]; then before=${cur%%=*}= prev=${cur%%=*} cur=${cur#*=}
  elif [[ $cur == '=' ]]; then cur=''
  elif [[ $prev == '=' ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    case "${at:+$at }$word" in
"""
_MIDDLE = """\
    esac
  done
  case "$at:$prev" in
"""
_OPTIONS = """\
  esac
  if [[ $cur == -* ]]; then
    case "$at" in
"""
_REST = """\
    esac
    return
  fi
  case "$at" in
"""
_TAIL = """\
  esac
}
complete -F _selo selo
"""


def render_bash_script(places: list[CompletionPlace]) -> str:
    """Return the script."""
    names = name_long_lists(places)
    reply = _Reply(names)
    lines = [f"{name}={shlex.quote(' '.join(values))}\n" for values, name in names.items()]
    lines.append(_HEAD)
    paths = "|".join(shlex.quote(place.words) for place in places if place.words)
    lines.append(f'      {paths}) at="${{at:+$at }}$word" ;;\n')
    lines.append(_MIDDLE)
    for place in places:
        lines += [
            f"    {shlex.quote(f'{place.words}:{offer.name}')}) {reply.render(offer)} return ;;\n"
            for offer in place.options
            if offer.takes_value
        ]
    lines.append(_OPTIONS)
    for place in places:
        options = " ".join(offer.name for offer in place.options)
        lines.append(
            f"      {shlex.quote(place.words)}) {_reply_with_words(shlex.quote(options))} ;;\n"
        )
    lines.append(_REST)
    for place in places:
        if place.commands:
            done = _reply_with_words(shlex.quote(" ".join(name for name, _ in place.commands)))
        else:
            done = " ".join(reply.render(offer) for offer in place.arguments)
        lines.append(f"    {shlex.quote(place.words)}) {done or ':'} ;;\n")
    lines.append(_TAIL)
    return "".join(lines)


class _Reply:
    """Writes the commands that offer a value."""

    def __init__(self, names: dict[tuple[str, ...], str]) -> None:
        self._names = names

    def render(self, offer: CompletionOffer) -> str:
        """Return the command that offers the values."""
        if offer.values in self._names:
            return _reply_with_words(f'"${self._names[offer.values]}"')
        if offer.values:
            return _reply_with_words(shlex.quote(" ".join(offer.values)))
        if offer.path:
            return _reply_with("-f")
        return ":;"


def _reply_with_words(quoted: str) -> str:
    return _reply_with(f"-W {quoted}")


def _reply_with(what: str) -> str:
    words = f'compgen -P "$before" {what} -- "$cur"'
    return f'mapfile -t -O "${{#COMPREPLY[@]}}" COMPREPLY < <({words});'
