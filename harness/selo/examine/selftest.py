"""Does Selo find what it should? Vendors with one known fault each, and what is made of them.

A fault is *killed* if the examination finds it and blames the provision that it breaks, *survived*
if nothing is found, and *misjudged* if another provision is blamed. Faults are planted by hand in
the reference vendors, and generated from the law files by changing one rule at a time, as
`selo.examine.generated` says. The lawful vendor is examined as well: whatever is found in it is
misjudged.
"""

from __future__ import annotations

import enum
import importlib.util
import sys
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo import locator

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from selo.examine.examiner import Examiner
    from selo.examine.findings import Finding

#: The vendor without a fault.
LAWFUL: Final = "lawful"


class State(enum.StrEnum):
    """What became of a fault."""

    KILLED = "killed"
    SURVIVED = "survived"
    MISJUDGED = "misjudged"
    #: A change of a rule that no case can show.
    EQUIVALENT = "equivalent"
    #: A change after which the rules are none that could be followed.
    NO_RULE = "no-rule"


#: What may not become of a fault.
FAULTY: Final = frozenset({State.SURVIVED, State.MISJUDGED})


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """One fault, and what the examination made of it."""

    game: str
    fault: str
    provision: str
    state: State
    #: Cases, rounds or tests in which it showed.
    seen: int
    blamed: list[str]


def scored(
    game: str, fault: str, provision: str, findings: Sequence[Finding], point: str = ""
) -> Score:
    """Return what was made of a fault that breaks a provision.

    `point` is the open point, if there is one, of which another reading makes it lawful.
    """
    right = all(_blames(one, provision, point) for one in findings)
    state = State.SURVIVED if not findings else State.KILLED if right else State.MISJUDGED
    return Score(
        game=game,
        fault=fault,
        provision=provision,
        state=state,
        seen=sum(one.times for one in findings),
        blamed=list(dict.fromkeys(name for one in findings for name in one.provisions)),
    )


def _blames(found: Finding, provision: str, point: str) -> bool:
    """Return whether a finding is about a provision, or leaves open just what the fault is about.

    A note is a part of what it explains: blaming that is right as well.
    """
    if found.verdict == "open":
        points = {name for name, _ in found.readings}
        return point in points if point else provision in found.provisions
    named = {provision, provision.removesuffix("/note")}
    return found.verdict == "violates" and not named.isdisjoint(found.provisions)


def lawful(examiner: Examiner) -> list[Finding]:
    """Return what is found in the reference vendor of a game, which must be nothing at all."""
    vendor = _vendors().load(examiner.game)
    return [*examiner.vendor(vendor), *examiner.draws(vendor)]


def planted(examiner: Examiner, wanted: Sequence[str] | None = None) -> Iterator[Score]:
    """Yield the score of the faults planted in the reference vendor of a game."""
    module = _vendors()
    for name, fault in module.faults(examiner.game).items():
        if wanted is None or name in wanted:
            vendor = module.load(examiner.game, name)
            findings = examiner.draws(vendor) if fault.drawn else examiner.vendor(vendor)
            yield scored(examiner.game, name, fault.provision, findings, fault.point)


def _vendors() -> Any:
    """Return the module that makes vendors with planted faults."""
    path = locator.folder("fixtures") / "planted" / "vendor.py"
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


def summed(scores: Iterable[Score]) -> dict[State, int]:
    """Return how many faults ended in each way."""
    counts = dict.fromkeys(State, 0)
    for one in scores:
        counts[one.state] += 1
    return counts
