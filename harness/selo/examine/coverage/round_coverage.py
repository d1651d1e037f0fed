"""Round coverage: which provisions the written rounds decide, played at the reference vendor.

A round decides a provision if its judgement changes under a mutant of one of the provision's steps
(`selo.rounds.analysis.step_coverage`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from selo import data_files
from selo.rounds import play_scripts
from selo.rounds.analysis import measure_step_coverage
from selo.rounds.generate import read_written_scripts
from selo.rounds.judge import RoundJudge
from selo.rules.procedure.step_reader import list_step_games, read_constraints
from selo.vendors.vendor_address import connect

if TYPE_CHECKING:
    from selo.law import Law
    from selo.rounds import Script
    from selo.rounds.analysis import StepCoverage
    from selo.rounds.judge import TableLog
    from selo.rules.readings import Readings

_REFERENCE_VENDOR: Final = ("adapters", "python", "reference.py")
#: Beside ``specs``, in a law folder of an editor: a lawful vendor of the games that were added.
_OWN_REFERENCE_VENDOR: Final = "reference.py"


@dataclass(frozen=True, kw_only=True, slots=True)
class RoundCoverage:
    """The keys of a game's rounds, by the provisions they are about and those they decide."""

    rounds: int = 0
    about: dict[str, frozenset[str]]
    decisive: dict[str, frozenset[str]]
    #: The steps that some round decides.
    steps: frozenset[str] = frozenset()


def measure_round_coverage(
    law: Law, game: str, readings: Readings, most: int | None = None
) -> RoundCoverage:
    """Play the written rounds of a game at the reference vendor and return what they decide.

    Rounds that decide a step are counted up to `most`.
    """
    about: dict[str, set[str]] = {}
    decided: dict[str, set[str]] = {}
    played = _play_written_rounds(law, game, judge := RoundJudge(law, readings))
    for script, _ in played:
        for name in script.provisions:
            about.setdefault(name, set()).add(script.key)
    steps = measure_step_coverage(judge, game, played, enough=most) if played else []
    for step in steps:
        decided.setdefault(step.provision, set()).update(step.scripts)
    return RoundCoverage(
        rounds=len(played),
        about={name: frozenset(keys) for name, keys in about.items()},
        decisive={name: frozenset(keys) for name, keys in decided.items()},
        steps=frozenset(step.constraint for step in steps if step.scripts),
    )


def deciding_rounds(law: Law, game: str, readings: Readings) -> list[StepCoverage]:
    """Return the steps of a game with all written rounds that decide each of them."""
    played = _play_written_rounds(law, game, judge := RoundJudge(law, readings))
    return measure_step_coverage(judge, game, played) if played else []


def provisions_without_steps(law: Law, game: str, readings: Readings) -> frozenset[str]:
    """Return the provisions none of whose steps has an effect under the readings followed.

    Such steps belong to other readings, or define a name that no effective step mentions.
    """
    steps = read_constraints(law, game) if game in list_step_games(law) else []
    left = [step for step in steps if readings.allows(step.under)]
    effective: set[str] = set()
    mentioned: frozenset[str] = frozenset()
    while live := [step for step in left if step.called is None or step.called in mentioned]:
        left = [step for step in left if step not in live]
        effective.update(step.provision for step in live)
        mentioned = mentioned.union(*(step.mentioned for step in live))
    return frozenset(step.provision for step in steps) - effective


def _play_written_rounds(law: Law, game: str, judge: RoundJudge) -> list[tuple[Script, TableLog]]:
    scripts = read_written_scripts(law, game)
    if not scripts:
        return []
    shipped = data_files.data_folder("fixtures").joinpath(*_REFERENCE_VENDOR)
    own = law.specs.parent / _OWN_REFERENCE_VENDOR
    for path in (shipped, own) if own.is_file() else (shipped,):
        session = connect(f"{path}:vendor")
        try:
            if any(offer.game == game for offer in session.ask("describe", {}).games):
                return [
                    (script, judge.log(script, played))
                    for script, played in play_scripts(session, scripts)
                ]
        finally:
            session.kill()
    # A game that no reference vendor has.
    return []
