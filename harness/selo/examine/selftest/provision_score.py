"""The score by provision: what the examination makes of vendors whose faults are known.

1. A fault is *effective* in a vendor if some planned answer is wrong, and is another one without
   that fault. The provisions of effective faults are broken, whatever the analysis says.
2. A broken provision is *found* if it violates, *concealed* if it is left without a verdict, and
   *cleared wrongly* if it conforms.
3. A provision that no fault touches, and that conforms in the lawful vendor, is *accused wrongly*
   if it violates, and *hidden needlessly* if it no longer conforms.
"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Final

import msgspec

from selo.law.files.provision_file import Way
from selo.verdict import Result

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selo.verdict import Verdict

_GRAVEST_FIRST: Final = (
    Result.VIOLATES, Result.INCONCLUSIVE, Result.NOT_EXAMINED, Result.CONFORMS
)  # fmt: skip


class VendorKind(enum.StrEnum):
    """Which faults vendors have."""

    #: One fault planted by hand.
    PLANTED = "planted"
    #: One fault of a whole engine.
    ENGINE = "engine"
    #: One mutant of the law files.
    GENERATED = "generated"
    PAIRS = "pairs"
    TRIPLES = "triples"
    #: No fault: lawful under other readings than the defaults.
    READINGS = "readings"


class Misjudgement(enum.StrEnum):
    """In which way a provision is misjudged."""

    CLEARED = "cleared"
    ACCUSED = "accused"
    HIDDEN = "hidden"


class MisjudgedProvision(msgspec.Struct, frozen=True, kw_only=True):
    """A provision of a vendor with known faults that is judged wrongly."""

    game: str
    faults: list[str]
    provision: str
    judged: Misjudgement
    verdict: Result
    reason: str
    #: Whether some wrong answer follows from the provision under the law.
    derived: bool

    @property
    def is_defect(self) -> bool:
        """Whether it is a defect of Selo; a provision that is hidden needlessly is only a cost."""
        return self.judged is not Misjudgement.HIDDEN


class CombinationScore(msgspec.Struct, frozen=True, kw_only=True):
    """What the examination made of one vendor with known faults, by provision."""

    game: str
    faults: list[str]
    #: The provisions of the faults that have an effect.
    broken: list[str]
    #: How many broken provisions violate, are left without a verdict, and conform.
    found: int
    concealed: int
    cleared: int
    #: How many provisions no fault touches; how many of them violate, and how many are hidden.
    untouched: int
    accused: int
    hidden: int
    findings: int
    misjudged: list[MisjudgedProvision]
    #: Faults that have an effect, and answers that are other than those of the lawful vendor.
    effective: int = 0
    differing: int = 0


class ProvisionSums(msgspec.Struct, frozen=True, kw_only=True):
    """The sums over the vendors of one game and kind."""

    game: str
    kind: VendorKind
    #: The edition of law and faults for which they hold, and the seed of what was drawn.
    edition: str
    seed: int
    vendors: int
    #: Faults that have an effect, and findings about them.
    faults: int
    findings: int
    found: int
    concealed: int
    cleared: int
    untouched: int
    accused: int
    hidden: int
    #: How many vendors have a provision that is cleared or accused wrongly.
    clearing: int
    accusing: int


def add_scores(
    scores: Sequence[CombinationScore], *, game: str, kind: VendorKind, edition: str, seed: int
) -> ProvisionSums:
    """Return the sums over some scores."""
    names = ("findings", "found", "concealed", "cleared", "untouched", "accused", "hidden")
    return ProvisionSums(
        game=game,
        kind=kind,
        edition=edition,
        seed=seed,
        vendors=len(scores),
        faults=sum(score.effective for score in scores),
        clearing=sum(bool(score.cleared) for score in scores),
        accusing=sum(bool(score.accused) for score in scores),
        **{name: sum(getattr(score, name) for score in scores) for name in names},
    )


def program_result(verdict: Verdict) -> Result:
    """Return the gravest result of a provision in the ways that need no people."""
    results = {part.result for part in verdict.parts if part.way is not Way.INSPECTION}
    return next((result for result in _GRAVEST_FIRST if result in results), Result.NOT_EXAMINED)
