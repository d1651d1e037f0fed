"""Writes beside each step of an article what it requires, as ``selo steps`` says it.

The sentences stand in Portuguese and in Chinese, the languages of the article above them; English
is one command away (``selo steps GAME --lang en``). They are comments, so no digest is of them.

``make law-comments`` writes them; a test fails while they are stale.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, Final

from selo import data_files
from selo.law import load_law
from selo.rules.clauses.clause_models import raw_clauses_of
from selo.rules.procedure.step_reader import list_step_games, read_constraints
from selo.text import LAW_LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.law import Law
    from selo.text import Words

#: The columns of a line, of which a Chinese character takes two.
WIDTH: Final = 100
#: A line of a comment that was written here: a number, or what follows it.
_WRITTEN: Final = re.compile(r" *#(?: \d+\. |    )\S")
#: Where a line may end: after a space, and after a Chinese character that no mark follows.
_BREAK: Final = re.compile(
    r"(?<= )|(?<=[\u3000-\u9fff\uff00-\uffef])(?![」』）。，；：、])(?<![「『（])"
)


def columns(text: str) -> int:
    """Return how many columns `text` takes."""
    return sum(1 + (unicodedata.east_asian_width(sign) in "WF") for sign in text)


def comment(number: str, required: Words, indent: str) -> list[str]:
    """Return the lines that say what the step with `number` in its provision requires."""
    lines = []
    lead = f"{indent}# {number}. "
    for language in LAW_LANGUAGES:
        line = lead
        for part in _BREAK.split(required.get(language)):
            if columns((line + part).rstrip()) > WIDTH and line.strip(" #"):
                lines.append(line.rstrip())
                line = f"{indent}#    "
            line += part
        lines.append(line.rstrip())
        lead = f"{indent}#    "
    return lines


def articles(law: Law) -> Iterator[tuple[Path, str, str]]:
    """Yield each article with steps: its path, its text, and its text with fresh comments."""
    places: dict[Path, list[tuple[int, str, Words]]] = {}
    for game in list_step_games(law):
        for step in read_constraints(law, game):
            held = law.provisions[step.provision]
            number = step.key.rpartition("#")[2]
            indices = [index for index, plain in raw_clauses_of(held) if "step" in plain]
            document = held.article.document
            line = document.line("provisions", held.index, "rule", indices[int(number) - 1])
            places.setdefault(document.path, []).append((line, number, step.required))
    for path, steps in places.items():
        text = path.read_text(encoding="utf-8")
        yield path, text, _commented(text, steps)


def _commented(text: str, steps: list[tuple[int, str, Words]]) -> str:
    lines = text.split("\n")
    for line, number, required in sorted(steps, key=lambda one: one[0], reverse=True):
        first = last = line - 1
        while _WRITTEN.match(lines[first - 1]):
            first -= 1
        indent = lines[last][: len(lines[last]) - len(lines[last].lstrip())]
        lines[first:last] = comment(number, required, indent)
    return "\n".join(lines)


def main(specs: Path) -> None:
    """Write the comments of every article under `specs`."""
    for path, text, fresh in articles(load_law(specs=specs)):
        if fresh != text:
            path.write_text(fresh, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else data_files.data_folder("specs"))
