"""The two languages, and the rule, say the same numbers, ratios, ranges, percentages and names.

A quantity that stands in one language only must be explained by a divergence, and an explanation
that explains nothing is as wrong as a difference without one.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any

from selo.gazette.quantities import QuantityReader, comparable_quantities, numbers_in
from selo.law.files.provision_file import Unit
from selo.text.multilingual import LAW_LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.errors import Problem
    from selo.law.loader import Law, LocatedProvision


#: Parts of a clause that name provisions and readings, and count nothing.
_REFERENCES = frozenset({"over", "under"})
_ODDS = "odds"


def check(law: Law) -> Iterator[Problem]:
    """Yield every provision whose two texts, or whose rule, disagree."""
    reader = QuantityReader(law.vocabulary)
    explained = _explained_quantities(law)
    for held in law.provisions.values():
        counted = {
            language: reader.count(without_label(held, language), language)
            for language in held.provision.text.languages()
        }
        if len(counted) == len(LAW_LANGUAGES):
            for language, unmatched in _unmatched(counted).items():
                yield from _difference(held, language, unmatched, explained)
        yield from _rule(held, counted)


def difference(reader: QuantityReader, held: LocatedProvision) -> dict[str, Counter[str]]:
    """Return, per language, the quantities that the other language lacks."""
    return _unmatched(
        {
            language: reader.count(without_label(held, language), language)
            for language in LAW_LANGUAGES
        }
    )


def _unmatched(counted: dict[str, Counter[str]]) -> dict[str, Counter[str]]:
    pt, zh = (comparable_quantities(counted[language]) for language in LAW_LANGUAGES)
    return {"pt": pt - zh, "zh": zh - pt}


def without_label(held: LocatedProvision, language: str) -> str:
    """Return the text of `held` after its enumeration mark, which counts nothing but ranks."""
    if held.provision.unit is Unit.RANK:
        return held.provision.text.get(language) or ""
    label = held.provision.label.get(language) if held.provision.label else None
    return (held.provision.text.get(language) or "").removeprefix(label or "")


def _explained_quantities(law: Law) -> dict[tuple[str, str], Counter[str]]:
    explained: dict[tuple[str, str], Counter[str]] = {}
    for divergence in law.divergences:
        for explain in divergence.explains:
            explained.setdefault((explain.provision, "pt"), Counter()).update(explain.pt)
            explained.setdefault((explain.provision, "zh"), Counter()).update(explain.zh)
    return explained


def _difference(
    held: LocatedProvision,
    language: str,
    unmatched: Counter[str],
    explained: dict[tuple[str, str], Counter[str]],
) -> Iterator[Problem]:
    known = explained.get((held.id, language), Counter())
    surplus, stale = unmatched - known, known - unmatched
    other = "zh" if language == "pt" else "pt"
    if surplus:
        yield held.problem(
            "text",
            language,
            problem=f"the {language} text says {_list_quantities(surplus)}, the {other} text does not",
            hint="Correct the text, or record the difference with explains: in the register.",
            code="concordance",
        )
    if stale:
        yield held.problem(
            "text",
            language,
            problem=f"the register explains {_list_quantities(stale)} in {language}, but there is "
            "nothing to explain",
            hint="Remove it from explains: in the register.",
            code="concordance",
        )


def _rule(held: LocatedProvision, counted: dict[str, Counter[str]]) -> Iterator[Problem]:
    if held.provision.rule is None:
        return
    used = {number for scalar in _scalars(held.provision.rule) for number in _digits(scalar)}
    for language, quantities in counted.items():
        strange = sorted(used - numbers_in(quantities))
        if strange:
            yield held.problem(
                "rule",
                problem=f"the rule uses {', '.join(map(str, strange))}, which the {language} "
                "text does not say",
                hint="A number of a rule is a number of its text, in every language.",
                code="concordance",
            )


def _scalars(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, below in value.items():
            if key == _ODDS and isinstance(below, str):
                # «Dobro» and «9 vezes» are to one without saying so.
                yield below.removesuffix(":1")
            elif key not in _REFERENCES:
                yield from _scalars(below)
    elif isinstance(value, list):
        for below in value:
            yield from _scalars(below)
    else:
        yield str(value)


def _digits(scalar: str) -> list[int]:
    return [int(digits) for digits in re.findall(r"(?<![\w-])\d+(?![\w-])", scalar)]


def _list_quantities(quantities: Counter[str]) -> str:
    return ", ".join(
        one if times == 1 else f"{one} ({times} times)" for one, times in quantities.items()
    )
