"""Self-test by planted faults: examines vendors with one known fault each.

A fault is *killed* if just the provision that it breaks is found violated, *survived* if nothing
is found, and *misjudged* in all other cases. Each fault is examined with the defaults of the
register adopted, as for a certificate, and once more without any ruling. A fault that another
reading allows must be a violation in the first examination and left open in the second. Faults are
planted by hand in the reference vendors; `mutant_selftest` generates more. The lawful vendor is
examined too: any finding in it is misjudged.
"""

from __future__ import annotations

import enum
import importlib
import importlib.util
import sys
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo import data_files
from selo.verdict import Result

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from selo.examine.findings import Finding
    from selo.examine.selftest.in_process_examiner import Examiner, VendorVerdicts
    from selo.rules.mutants import Cause

#: The vendor without a fault.
LAWFUL: Final = "lawful"
_OPEN: Final = "open"
_VIOLATES: Final = "violates"


class FaultState(enum.StrEnum):
    """What became of a fault."""

    KILLED = "killed"
    SURVIVED = "survived"
    MISJUDGED = "misjudged"
    #: A mutant that no case can kill.
    EQUIVALENT = "equivalent"
    #: A mutant that is not a playable game.
    NO_RULE = "no-rule"


#: The states in which the self-test fails.
FAILED_STATES: Final = frozenset({FaultState.SURVIVED, FaultState.MISJUDGED})


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """One fault, and what the examination made of it."""

    game: str
    fault: str
    provision: str
    state: FaultState
    #: Cases, rounds or tests in which it showed.
    seen: int
    blamed: list[str]


def score_fault(  # noqa: PLR0913 - a fault and its two examinations
    game: str,
    fault: str,
    provision: str,
    with_rulings: VendorVerdicts,
    without_rulings: VendorVerdicts | None = None,
    *,
    point: str = "",
    about: AbstractSet[str] = frozenset(),
) -> Score:
    """Return the score of a fault in a provision, from examinations with and without rulings.

    `point` is the open point, if any, of which another reading makes the fault lawful. `about` are
    other provisions that are rightly blamed: those of the point, and those that say the same.
    """
    # A note is part of what it explains, which may be blamed as well.
    own = {provision, provision.removesuffix("/note")}
    blamable = own | about
    right = _is_rightly_blamed(with_rulings, blamable)
    if without_rulings is not None:
        # Other provisions of the point may be kept, and then conform.
        right = right and (
            _is_left_open(without_rulings, own, point)
            or _is_rightly_blamed(without_rulings, blamable, point)
        )
    examinations = [with_rulings] if without_rulings is None else [with_rulings, without_rulings]
    unnoticed = not any(examination.findings or examination.broken for examination in examinations)
    state = (
        FaultState.SURVIVED if unnoticed else FaultState.KILLED if right else FaultState.MISJUDGED
    )
    with_findings = [examination for examination in examinations if examination.findings]
    return Score(
        game=game,
        fault=fault,
        provision=provision,
        state=state,
        seen=sum(finding.times for finding in with_findings[0].findings) if with_findings else 0,
        blamed=list(
            dict.fromkeys(name for examination in examinations for name in examination.broken)
        ),
    )


def _is_rightly_blamed(
    verdicts: VendorVerdicts, provisions: AbstractSet[str], point: str = ""
) -> bool:
    """Return whether just these provisions are found violated; parts of them may be left open.

    With a `point`, the fault is lawful under a reading without a ruling, and no violation is right.
    """
    blamed = {*verdicts.broken}
    consistent = all(
        finding.verdict == _VIOLATES
        or (finding.verdict == _OPEN and provisions & {*finding.provisions})
        for finding in verdicts.findings
    )
    return not point and bool(blamed) and blamed <= provisions and consistent


def _is_left_open(verdicts: VendorVerdicts, provisions: AbstractSet[str], point: str) -> bool:
    """Return whether nothing is violated, and the provisions are left open for just this point."""
    if not point or verdicts.broken or not verdicts.findings:
        return False
    named = all(
        finding.verdict == _OPEN and point in {name for name, _ in finding.readings}
        for finding in verdicts.findings
    )
    results = {verdicts.verdicts.get(name) for name in provisions}
    return named and not results & {Result.CONFORMS, Result.VIOLATES}


def examine_lawful_vendor(examiner: Examiner) -> list[Finding]:
    """Return the findings in the reference vendor of a game, of which there must be none."""
    vendor = load_planted_vendors().load(examiner.game)
    return [*examiner.examine_vendor(vendor).findings, *examiner.examine_draws(vendor).findings]


def score_lawful_vendor(examiner: Examiner) -> list[Score]:
    """Return the score of the lawful vendor if it is accused of anything; an empty list if not."""
    findings = examine_lawful_vendor(examiner)
    blamed = list(dict.fromkeys(name for finding in findings for name in finding.provisions))
    score = Score(
        game=examiner.game, fault=LAWFUL, provision="", state=FaultState.MISJUDGED,
        seen=sum(finding.times for finding in findings), blamed=blamed,
    )  # fmt: skip
    return [score] if findings else []


def score_planted_faults(
    with_rulings: Examiner, without_rulings: Examiner, wanted: Sequence[str] | None = None
) -> Iterator[Score]:
    """Yield the score of the faults planted in the reference vendor of a game."""
    module = load_planted_vendors()
    points = {
        divergence.id: {*divergence.provisions} for divergence in with_rulings.law.divergences
    }
    same = provisions_saying_the_same(with_rulings)
    for name, fault in module.faults(with_rulings.game).items():
        if wanted is None or name in wanted:
            verdicts = [
                examiner.examine_draws(vendor) if fault.drawn else examiner.examine_vendor(vendor)
                for examiner in (with_rulings, without_rulings)
                for vendor in [module.load(with_rulings.game, name)]
            ]
            yield score_fault(
                with_rulings.game, name, fault.provision, *verdicts, point=fault.point,
                about=points.get(fault.point, set())
                | same.get(fault.provision, frozenset()),
            )  # fmt: skip


def provisions_saying_the_same(examiner: Examiner) -> dict[str, frozenset[str]]:
    """Return for each provision those with the same mutants as it, so that none breaks alone."""
    changes: dict[str, set[Cause]] = {}
    for mutant in examiner.mutants:
        change = msgspec.structs.replace(mutant.cause, provision="", mark="")
        changes.setdefault(mutant.provision, set()).add(change)
    alike: dict[frozenset[Cause], set[str]] = {}
    for provision, causes in changes.items():
        alike.setdefault(frozenset(causes), set()).add(provision)
    return {
        provision: frozenset(provisions)
        for provisions in alike.values()
        for provision in provisions
    }


def load_planted_vendors() -> Any:
    """Return the fixture module that builds vendors with planted faults."""
    path = data_files.data_folder("fixtures") / "planted" / "vendor.py"
    name = "selo_planted_vendors"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, path)
        if spec is None or spec.loader is None:
            msg = f"{path} cannot be loaded"
            raise ImportError(msg)
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    return sys.modules[name]


def load_engine_faults(game: str) -> Mapping[str, Any]:
    """Return the faults of a whole engine of a game, by name."""
    # The fixtures stand on the path once their vendors are loaded.
    load_planted_vendors()
    faults: Mapping[str, Any] = importlib.import_module("planted.engine_faults").FAULTS.get(
        game, {}
    )
    return faults


def count_states(scores: Iterable[Score]) -> dict[FaultState, int]:
    """Return how many faults are in each state."""
    counts = dict.fromkeys(FaultState, 0)
    for score in scores:
        counts[score.state] += 1
    return counts
