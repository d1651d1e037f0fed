"""Lint: both languages and the rule contain the same quantities and names.

A quantity in one language only must be explained by a divergence; an explanation without a
difference is a problem too.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any

from selo.gazette.quantities import QuantityReader, comparable_quantities, numbers_in
from selo.law.files.provision_file import Unit
from selo.text import LAW_LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.errors import Problem
    from selo.law.loader import Law, LocatedProvision


#: Keys of a clause that refer to provisions and readings; digits in them are not quantities.
_REFERENCE_KEYS = frozenset({"over", "under"})
_ODDS = "odds"
_EVEN = "1:1"
_STEP = "step"
_CONDITION_FIELDS = ("wins", "when", "means")
#: Functions of conditions that count pieces of equipment.
_COUNTING_FUNCTIONS = frozenset({"count", "times", "amount", "distinct", "most_alike"})
#: A name, perhaps with arguments, compared with a number.
_COMPARISON = re.compile(r"(\w+)(?:\([^()]*(?:\([^()]*\)[^()]*)*\))?\s*(?:==|!=|<=|>=|<|>)\s*(\d+)")
_MAX_QUOTED = 120


def check_concordance(law: Law) -> Iterator[Problem]:
    """Yield every provision whose two texts, or whose rule, disagree."""
    reader = QuantityReader(law.vocabulary)
    explained = _explained_quantities(law)
    for located in law.provisions.values():
        quantities = {
            language: reader.count(without_label(located, language), language)
            for language in located.provision.text.languages()
        }
        if len(quantities) == len(LAW_LANGUAGES):
            for language, unmatched in _unmatched(quantities).items():
                yield from _check_difference(located, language, unmatched, explained)
        yield from _check_rule(located, quantities)
        yield from _check_vouching(reader, law.vocabulary.counted, located, quantities)


def quantity_difference(
    reader: QuantityReader, located: LocatedProvision
) -> dict[str, Counter[str]]:
    """Return, per language, the quantities that the other language lacks."""
    return _unmatched(
        {
            language: reader.count(without_label(located, language), language)
            for language in LAW_LANGUAGES
        }
    )


def _unmatched(quantities: dict[str, Counter[str]]) -> dict[str, Counter[str]]:
    pt, zh = (comparable_quantities(quantities[language]) for language in LAW_LANGUAGES)
    return {"pt": pt - zh, "zh": zh - pt}


def without_label(located: LocatedProvision, language: str) -> str:
    """Return the text of `located` without its enumeration mark, unless it is a rank."""
    if located.provision.unit is Unit.RANK:
        return located.provision.text.get(language) or ""
    label = located.provision.label.get(language) if located.provision.label else None
    return (located.provision.text.get(language) or "").removeprefix(label or "")


def _explained_quantities(law: Law) -> dict[tuple[str, str], Counter[str]]:
    explained: dict[tuple[str, str], Counter[str]] = {}
    for divergence in law.divergences:
        for explain in divergence.explains:
            explained.setdefault((explain.provision, "pt"), Counter()).update(explain.pt)
            explained.setdefault((explain.provision, "zh"), Counter()).update(explain.zh)
    return explained


def _check_difference(
    located: LocatedProvision,
    language: str,
    unmatched: Counter[str],
    explained: dict[tuple[str, str], Counter[str]],
) -> Iterator[Problem]:
    accounted = explained.get((located.id, language), Counter())
    surplus, stale = unmatched - accounted, accounted - unmatched
    other = "zh" if language == "pt" else "pt"
    if surplus:
        yield located.problem(
            "text",
            language,
            problem=(
                f"the {language} text says {_list_quantities(surplus)}, the {other} text does not"
            ),
            hint="Correct the text, or record the difference with explains: in the register.",
            code="concordance",
        )
    if stale:
        yield located.problem(
            "text",
            language,
            problem=f"the register explains {_list_quantities(stale)} in {language}, but there is "
            "nothing to explain",
            hint="Remove it from explains: in the register.",
            code="concordance",
        )


def _check_rule(
    located: LocatedProvision, by_language: dict[str, Counter[str]]
) -> Iterator[Problem]:
    if located.provision.rule is None:
        return
    used = {
        number for scalar in _scalars_in(located.provision.rule) for number in _integers_in(scalar)
    }
    for language, quantities in by_language.items():
        unstated = sorted(used - numbers_in(quantities))
        if unstated:
            yield located.problem(
                "rule",
                problem=f"the rule uses {', '.join(map(str, unstated))}, which the {language} "
                "text does not say",
                hint="A number of a rule is a number of its text, in every language.",
                code="concordance",
            )


def _check_vouching(
    reader: QuantityReader,
    counted: dict[str, str],
    located: LocatedProvision,
    quantities: dict[str, Counter[str]],
) -> Iterator[Problem]:
    """Yield numbers of conditions and prizes that the text says only of something else.

    «Três dados» counts dice: it vouches for how many dice there are, and not for a total of three.
    """
    for index, clause in enumerate(_clauses_in(located.provision.rule)):
        compared = set(_compared_values(clause))
        odds = str(clause.get(_ODDS, ""))
        for language, stated in quantities.items():
            text = without_label(located, language)
            if language in counted:
                text = re.sub(counted[language], " ", text, flags=re.IGNORECASE)
            values = numbers_in(reader.count(text, language))
            borrowed = sorted((compared - values) & numbers_in(stated))
            ratios = {quantity for quantity in stated if ":" in quantity}
            if odds.endswith(":1") and odds != _EVEN and ratios and odds not in ratios:
                borrowed.append(int(odds.removesuffix(":1")))
            if borrowed:
                yield located.problem(
                    *(("rule", index) if isinstance(located.provision.rule, list) else ("rule",)),
                    problem=f"the rule uses {', '.join(map(str, borrowed))}, which the {language} "
                    f"text applies to something else: «{' '.join(text.split())[:_MAX_QUOTED]}»",
                    hint="A number supports only what it counts: dice, cards, a limit, a prize.",
                    code="concordance",
                )


def _clauses_in(rule: Any) -> list[dict[str, Any]]:
    if rule is None:
        return []
    return rule if isinstance(rule, list) else [rule]


def _compared_values(clause: dict[str, Any]) -> Iterator[int]:
    """Yield the numbers that conditions of settlement compare with a value, not with a count."""
    if _STEP in clause:
        return
    for field in _CONDITION_FIELDS:
        for name, number in _COMPARISON.findall(str(clause.get(field, ""))):
            if name not in _COUNTING_FUNCTIONS:
                yield int(number)


def _scalars_in(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, below in value.items():
            if key == _ODDS and isinstance(below, str):
                # «Dobro» and «9 vezes» imply "to one".
                yield below.removesuffix(":1")
            elif key not in _REFERENCE_KEYS:
                yield from _scalars_in(below)
    elif isinstance(value, list):
        for below in value:
            yield from _scalars_in(below)
    else:
        yield str(value)


def _integers_in(scalar: str) -> list[int]:
    return [int(digits) for digits in re.findall(r"(?<![\w-])\d+(?![\w-])", scalar)]


def _list_quantities(quantities: Counter[str]) -> str:
    return ", ".join(
        quantity if times == 1 else f"{quantity} ({times} times)"
        for quantity, times in quantities.items()
    )
