"""Which written rounds decide which provisions: played at the lawful vendor that ships.

A round decides a provision if its judgement would differ were one of the provision's steps
otherwise (`selo.rounds.analysis.step_coverage`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from selo import data_files
from selo.rounds import play_all
from selo.rounds.analysis import decisive
from selo.rounds.generate import SKETCHES, written
from selo.rounds.judge import Judge
from selo.rules.procedure.step_reader import constraints, step_games
from selo.vendors.vendor_address import connect

if TYPE_CHECKING:
    from selo.law.loader import Law
    from selo.rounds import Script
    from selo.rounds.judge import Log
    from selo.rules.readings import Readings

_VENDOR: Final = ("adapters", "python", "reference.py")


@dataclass(frozen=True, kw_only=True, slots=True)
class Rehearsed:
    """The rounds of one game, by the provisions they are about and those they decide."""

    rounds: int = 0
    about: dict[str, frozenset[str]]
    decisive: dict[str, frozenset[str]]
    #: The steps that some round decides.
    steps: frozenset[str] = frozenset()


def rehearsed(law: Law, game: str, readings: Readings, most: int | None = None) -> Rehearsed:
    """Play the written rounds of a game lawfully, and return what they decide.

    With `most`, steps that so many rounds decide are looked at no longer.
    """
    about: dict[str, set[str]] = {}
    decided: dict[str, set[str]] = {}
    played = _played(law, game, judge := Judge(law, readings))
    for script, _ in played:
        for name in script.provisions:
            about.setdefault(name, set()).add(script.key)
    steps = decisive(judge, game, played, enough=most) if played else []
    for step in steps:
        decided.setdefault(step.provision, set()).update(step.scripts)
    return Rehearsed(
        rounds=len(played),
        about={name: frozenset(keys) for name, keys in about.items()},
        decisive={name: frozenset(keys) for name, keys in decided.items()},
        steps=frozenset(step.constraint for step in steps if step.scripts),
    )


def steps_elsewhere(law: Law, game: str, readings: Readings) -> frozenset[str]:
    """Return the provisions of whose steps none does anything under the readings followed.

    They belong to other readings, or give a name of which no step speaks that is followed.
    """
    steps = constraints(law, game) if game in step_games(law) else []
    left = [step for step in steps if readings.allow(step.under)]
    done: set[str] = set()
    spoken: frozenset[str] = frozenset()
    while live := [one for one in left if one.called is None or one.called in spoken]:
        left = [one for one in left if one not in live]
        done.update(one.provision for one in live)
        spoken = spoken.union(*(one.mentioned for one in live))
    return frozenset(step.provision for step in steps) - done


def _played(law: Law, game: str, judge: Judge) -> list[tuple[Script, Log]]:
    scripts = written(law, game) if game in SKETCHES else []
    if not scripts:
        return []
    path = data_files.folder("fixtures").joinpath(*_VENDOR)
    session = connect(f"{path}:vendor")
    try:
        return [(script, judge.log(script, one)) for script, one in play_all(session, scripts)]
    finally:
        session.kill()
