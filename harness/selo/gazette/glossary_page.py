"""Generates ``docs/glossary.md``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from selo import data_files
from selo.gazette.glossary import Glossary
from selo.yaml_file import read_yaml

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Terms of the program, not of the law.
_PROGRAM_TERMS = (
    ("instrument", "the legal act: number, gazette, date, authentic languages, what amends it"),
    ("provision", "the smallest citable unit; its id never changes: portaria-21-96-m/5/d"),
    ("rule", "the executable meaning of a provision"),
    ("divergence", "a point where languages or provisions disagree, or the law is silent"),
    ("reading", "one of several defensible rules; a ruling of the authority selects one"),
    ("derivation", "the chain of provisions from which an expected value follows"),
    ("vendor", "the game under examination, reached only through an adapter"),
    ("case", "options, bets and a forced outcome, with what the law expects"),
    ("round", "a script of acts at a live table"),
    ("plan", "the ordered cases of one examination, fully determined by its terms"),
    ("evidence", "every question and answer, in order, under one root"),
    ("finding", "an answer that breaks a provision, reduced to the smallest case"),
    ("decisive case", "one whose expectation would change if the provision were otherwise"),
    ("planted fault", "a vendor in which only one provision is broken, on purpose"),
    ("dossier", "what only people can say of an examination"),
    ("pre-check, test report, certificate", "the three kinds of document"),
    ("permission", "a signed file of the authority: options, amounts, rulings"),
    ("deviation", "a failure that a vendor knows of, with owner and expiry; hides nothing"),
)


def glossary_lines() -> Iterator[str]:
    """Yield the lines of the page."""
    yield "# Glossary"
    yield ""
    yield "Written by `make schemas` from `bilingual/glossary.yaml`; do not edit it here."
    yield ""
    yield "## Words of the program"
    yield ""
    yield "| word | meaning |"
    yield "|---|---|"
    for word, meaning in _PROGRAM_TERMS:
        yield f"| **{word}** | {meaning} |"
    yield ""
    yield "## Words of the law"
    yield ""
    yield "The usual term first, then each variant as it was printed."
    yield ""
    yield "| id | English | português | 中文 |"
    yield "|---|---|---|---|"
    terms = read_yaml(data_files.data_folder("bilingual") / "glossary.yaml").convert(Glossary).terms
    for term in sorted(terms, key=lambda term: term.id):
        yield f"| `{term.id}` | {term.en} | {', '.join(term.pt)} | {'、'.join(term.zh)} |"


if __name__ == "__main__":
    # Called by `make schemas`.
    sys.stdout.write("\n".join(glossary_lines()) + "\n")
