"""Worked cases: what situations and declarations say of each reading, compared with the rules.

1. The point is one of the register, and the case says what follows under each of its readings.
2. Under each reading the rules give what was worked out by hand.
3. The register's own situation pays as much, or compares alike.
4. The lawful declaration breaks nothing under the defaults.
"""

from __future__ import annotations

import copy
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from selo import data_files
from selo.errors import SeloError
from selo.law.files import overlay_declarations, read_declarations
from selo.law.files.situation_file import read_situations
from selo.rules.declarations import Requirements
from selo.rules.declarations.declaration_models import RequirementStatus
from selo.rules.readings import Readings
from selo.yaml_file import YamlDocument, read_yaml

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from selo.errors import Problem
    from selo.law import Law
    from selo.law.files import DeclarationsFile
    from selo.law.files.divergence_register import Divergence
    from selo.law.files.situation_file import SituationCase

    #: Returns a game under some rulings.
    RulesUnder = Callable[[Mapping[str, str]], Any]

#: What a case that does not fit the rules may raise.
CASE_DEATHS: Final = (
    SeloError, ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError,
)  # fmt: skip
_NOT_REQUIRED: Final = "not-required"
_WIN: Final = "win"
_ALLOWED, _FORBIDDEN = "allowed", "forbidden"
#: How the register says what a declaration is.
_REGISTER_SAYS: Final = {"accepted": _ALLOWED, "refused": _FORBIDDEN}
_MAX_SHOWN: Final = 200


def check_worked_cases(law: Law, game: str, rules_under: RulesUnder) -> Iterator[Problem]:
    """Yield every worked case of `game` that says something else than the rules do."""
    points = {divergence.id: divergence for divergence in law.divergences}
    try:
        cases = read_situations(game, specs=law.specs)
        declared = read_declarations(game, specs=law.specs)
    except SeloError as error:
        yield from getattr(error, "problems", [])
        return
    if cases:
        document = _document(law, game, "situations.yaml")
        for name, case in cases.items():
            place = _WorkedPlace(document, (name,), points.get(name))
            yield from _check_case(place, rules_under, case)
    if declared is not None:
        yield from _check_declarations(
            _document(law, game, "declarations.yaml"), law, declared, points
        )


class _WorkedPlace:
    """Where a worked case stands, and the point of the register that it is about."""

    def __init__(
        self, document: YamlDocument, steps: tuple[str, ...], point: Divergence | None
    ) -> None:
        self._document, self._steps, self.point = document, steps, point

    def problem(self, *steps: str, problem: str) -> Problem:
        return self._document.problem(
            *self._steps,
            *steps,
            problem=f"{self._steps[-1]}: {problem}",
            hint="Correct the worked case, the rule or the register: the three must agree.",
        )

    def check_readings(self, expect: object) -> Iterator[Problem]:
        """Yield what is wrong with the readings of which the case speaks."""
        if self.point is None:
            yield self.problem(problem="there is no such point in the register")
            return
        given = set(expect) if isinstance(expect, dict) else set()
        for reading in sorted({one.id for one in self.point.readings} ^ given):
            known = reading not in given
            what = "has no result in this case" if known else "is no reading of this point"
            yield self.problem("expect", problem=f"'{reading}' {what}")


def _check_case(
    place: _WorkedPlace, rules_under: RulesUnder, case: SituationCase
) -> Iterator[Problem]:
    wrong = list(place.check_readings(case.expect))
    yield from wrong
    if wrong or place.point is None:
        return
    for reading, expected in case.expect.items():
        said: Any
        try:
            ruling = {} if reading == place.point.default else {place.point.id: reading}
            said = _settle(rules_under(ruling), case)
        except CASE_DEATHS as error:
            said = f"{type(error).__name__}: {error}"
        if said != expected:
            shown = f"the rules say {said}, the case {expected}"
            yield place.problem("expect", reading, problem=f"{reading}: {shown[:_MAX_SHOWN]}")
        elif not _register_agrees(place.point, case, reading):
            yield place.problem(
                "expect", reading, problem=f"{reading}: the situation of the register says another"
            )


def _settle(rules: Any, case: SituationCase) -> object:
    if case.compare is None:
        return rules.settle_plain(case.options, case.outcome, case.bets)
    hand, other = case.compare
    return rules.compare(hand, other) if rules.is_judged(hand, other) else _NOT_REQUIRED


def _register_agrees(point: Divergence, case: SituationCase, reading: str) -> bool:
    result = point.situation.results.get(reading)
    if result is None or case.own_case:
        return result is not None
    answers = case.expect[reading]
    if case.compare is not None:
        return bool(result.result == answers)
    if result.pays is None:
        return True
    asked = [answers[at] for at in (range(len(answers)) if case.asked is None else case.asked)]
    won = [one for one in asked if one["result"] == _WIN]
    return sum(_amount(one["prize"]) - _amount(one["commission"]) for one in won) == result.pays


def _amount(written: Any) -> Fraction:
    return Fraction(*written) if isinstance(written, list) else Fraction(written)


def _check_declarations(
    document: YamlDocument, law: Law, declared: DeclarationsFile, points: dict[str, Divergence]
) -> Iterator[Problem]:
    lawful = _broken(law, declared.game, declared.lawful, {})
    if lawful:
        yield document.problem(
            "lawful",
            problem=f"the lawful declaration does not keep {', '.join(sorted(lawful))}",
            hint="Correct the declaration or the rule.",
        )
    for name, case in declared.readings.items():
        place = _WorkedPlace(document, ("readings", name), points.get(name))
        wrong = list(place.check_readings(case.expect))
        yield from wrong
        if wrong or place.point is None:
            continue
        for reading, expected in case.expect.items():
            offer = overlay_declarations(copy.deepcopy(declared.lawful), case.given)
            broken = _broken(law, declared.game, offer, {name: reading})
            said = _FORBIDDEN if case.provision in broken else _ALLOWED
            result = place.point.situation.results[reading].result
            if said != expected or broken - {case.provision}:
                besides = f" and break {', '.join(sorted(broken))}" if broken else ""
                yield place.problem(
                    "expect", reading, problem=f"{reading}: the rules say {said}{besides}"
                )
            elif _REGISTER_SAYS.get(result, result) != expected:
                yield place.problem(
                    "expect", reading, problem=f"{reading}: the register says {result}"
                )


def _broken(law: Law, game: str, offer: Any, ruling: dict[str, str]) -> set[str]:
    """Return the provisions that an offer breaks, or why it cannot be judged."""
    try:
        judgements = Requirements(law, game, Readings(law, ruling)).judge(copy.deepcopy(offer))
    except CASE_DEATHS as error:
        return {f"{type(error).__name__}: {error}"}
    return {one.provision for one in judgements if one.status is RequirementStatus.BROKEN}


def _document(law: Law, game: str, name: str) -> YamlDocument:
    path = data_files.game_file(game, name, specs=law.specs)
    if path is None:
        raise FileNotFoundError(name)
    return read_yaml(path)
