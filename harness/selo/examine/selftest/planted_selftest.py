"""Does Selo find what it should? Vendors with one known fault each, and what is made of them.

A fault is *killed* if the verdict on the provision that it breaks is that it is broken, and on no
other provision; *survived* if nothing is found; *misjudged* if anything else is said. Every fault
is examined as a certificate is made, with the defaults of the register adopted, and once more
without any ruling. What another reading would allow is broken only in the first way; in the second
the provision must be left open. Faults are planted by hand in the reference vendors, and generated
from the law files by changing one rule at a time, as
`mutant_selftest` says. The lawful vendor is examined as well: whatever is found in it is misjudged.
"""

from __future__ import annotations

import enum
import importlib.util
import sys
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo import data_files
from selo.verdict import Result

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from selo.examine.findings import Finding
    from selo.examine.selftest.in_process_examiner import Examined, Examiner

#: The vendor without a fault.
LAWFUL: Final = "lawful"
_OPEN: Final = "open"
_VIOLATES: Final = "violates"


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


def scored(  # noqa: PLR0913 - a fault, and what was made of it
    game: str,
    fault: str,
    provision: str,
    ruled: Examined,
    unruled: Examined | None = None,
    *,
    point: str = "",
    about: AbstractSet[str] = frozenset(),
) -> Score:
    """Return what was made of a fault that breaks a provision, with rulings and without.

    `point` is the open point, if there is one, of which another reading makes it lawful. `about`
    are provisions that are rightly blamed besides: what the point is about, and what says the same.
    """
    # A note is a part of what it explains: blaming that is right as well.
    own = {provision, provision.removesuffix("/note")}
    mine = own | about
    right = _breaks(ruled, mine)
    if unruled is not None:
        # Of what a point is about besides, much is kept: that may conform.
        right = right and (_leaves_open(unruled, own, point) or _breaks(unruled, mine, point))
    every = [ruled] if unruled is None else [ruled, unruled]
    nothing = not any(one.findings or one.broken for one in every)
    state = State.SURVIVED if nothing else State.KILLED if right else State.MISJUDGED
    found = [one for one in every if one.findings]
    return Score(
        game=game,
        fault=fault,
        provision=provision,
        state=state,
        seen=sum(finding.times for finding in found[0].findings) if found else 0,
        blamed=list(dict.fromkeys(name for one in every for name in one.broken)),
    )


def _breaks(seen: Examined, provisions: AbstractSet[str], point: str = "") -> bool:
    """Return whether just these provisions are said to be broken; part of it may be left open.

    What is lawful under a reading of a `point` on which nobody has ruled is not broken.
    """
    blamed = {*seen.broken}
    plain = all(
        finding.verdict == _VIOLATES
        or (finding.verdict == _OPEN and provisions & {*finding.provisions})
        for finding in seen.findings
    )
    return not point and bool(blamed) and blamed <= provisions and plain


def _leaves_open(seen: Examined, provisions: AbstractSet[str], point: str) -> bool:
    """Return whether nothing is broken, and a provision is left open for just this point."""
    if not point or seen.broken or not seen.findings:
        return False
    named = all(
        finding.verdict == _OPEN and point in {name for name, _ in finding.readings}
        for finding in seen.findings
    )
    said = {seen.verdicts.get(name) for name in provisions}
    return named and not said & {Result.CONFORMS, Result.VIOLATES}


def lawful(examiner: Examiner) -> list[Finding]:
    """Return what is found in the reference vendor of a game, which must be nothing at all."""
    vendor = _vendors().load(examiner.game)
    return [*examiner.vendor(vendor).findings, *examiner.draws(vendor).findings]


def accusations(examiner: Examiner) -> list[Score]:
    """Return the score of the vendor without a fault, if it is accused of anything."""
    found = lawful(examiner)
    blamed = list(dict.fromkeys(name for one in found for name in one.provisions))
    score = Score(
        game=examiner.game, fault=LAWFUL, provision="", state=State.MISJUDGED,
        seen=sum(one.times for one in found), blamed=blamed,
    )  # fmt: skip
    return [score] if found else []


def planted(
    ruled: Examiner, unruled: Examiner, wanted: Sequence[str] | None = None
) -> Iterator[Score]:
    """Yield the score of the faults planted in the reference vendor of a game."""
    module = _vendors()
    points = {divergence.id: {*divergence.provisions} for divergence in ruled.law.divergences}
    for name, fault in module.faults(ruled.game).items():
        if wanted is None or name in wanted:
            seen = [
                one.draws(vendor) if fault.drawn else one.vendor(vendor)
                for one in (ruled, unruled)
                for vendor in [module.load(ruled.game, name)]
            ]
            yield scored(
                ruled.game, name, fault.provision, *seen, point=fault.point,
                about=points.get(fault.point, set()) | _twins(ruled, fault.provision),
            )  # fmt: skip


def _twins(examiner: Examiner, provision: str) -> set[str]:
    """Return the provisions that say just the same as a provision, in the same words.

    Where two say the same, whoever breaks the one breaks the other.
    """
    said: dict[str, set[str]] = {}
    for suspect in examiner.suspects:
        said.setdefault(suspect.provision, set()).add(suspect.name)
    own = said.get(provision)
    return {other for other, names in said.items() if names == own}


def _vendors() -> Any:
    """Return the module that makes vendors with planted faults."""
    path = data_files.folder("fixtures") / "planted" / "vendor.py"
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
    for score in scores:
        counts[score.state] += 1
    return counts
