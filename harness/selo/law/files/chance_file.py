"""Model of ``chance.yaml``: what is asked of tests of a game's chance, article by article.

It holds the levels of error, the number of looks, the deviations of which the power is stated, and
the least power that a certificate needs. None of it is law; all of it decides verdicts.
"""

from __future__ import annotations

import enum
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from selo import data_files
from selo.law.files.provision_file import ClosedRecord
from selo.yaml_file import read_yaml

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

#: The file of an instrument.
CHANCE_FILE: Final = "chance.yaml"


class DeviationModel(enum.StrEnum):
    """What is wrong with a source that deviates."""

    #: One face or card is likelier, or less likely, by a part of its probability.
    CATEGORY = "category"
    #: One card of the packs is missing, or there once more.
    MISSING = "missing"
    DOUBLE = "double"
    #: A number of this many bits is divided, and the remainder taken.
    MODULO = "modulo"
    #: The source begins anew after this many outcomes.
    PERIOD = "period"
    #: Two processes begin with the same seed.
    SEED = "seed"
    #: Each outcome is correlated with the one before.
    CORRELATION = "correlation"
    #: Bets at live tables win more or less often by a part of their probability.
    BETS = "bets"


#: Deviations by a part of a probability, and those of a number that is stated.
_SIZED: Final = frozenset(
    {DeviationModel.CATEGORY, DeviationModel.CORRELATION, DeviationModel.BETS}
)
_COUNTED: Final = {DeviationModel.MODULO: "bits", DeviationModel.PERIOD: "period"}


class OutcomesFrom(enum.StrEnum):
    """Where the outcomes come from that show a deviation."""

    DRAW = "draw"
    TABLE = "table"
    #: Whole packs.
    PACK = "pack"


class NamedDeviation(ClosedRecord, frozen=True, kw_only=True):
    """One deviation, and the least power against it that a certificate needs."""

    id: str
    model: DeviationModel
    outcomes: OutcomesFrom = OutcomesFrom.DRAW
    by: str | None = None
    bits: int | None = None
    #: The number of outcomes of a period.
    period: int | None = None
    #: The number of packs, where no option of the table says it.
    packs: int | None = None
    #: A certificate needs so much power; without it, the power is only stated.
    certificate: str | None = None

    @property
    def size(self) -> Fraction:
        """By what part something deviates."""
        return Fraction(self.by or 0)

    @property
    def wanted(self) -> Fraction | None:
        """The power that a certificate needs, if it needs any."""
        return None if self.certificate is None else Fraction(self.certificate)


class ErrorLevels(ClosedRecord, frozen=True, kw_only=True):
    """How often a fair source may be accused, or drawn from again, over all tests of a run."""

    accused: str
    doubted: str


class LookLimits(ClosedRecord, frozen=True, kw_only=True):
    """How often a source is checked, and how many times as much the second look draws."""

    count: int
    factor: int


class StatedPower(ClosedRecord, frozen=True, kw_only=True):
    """A bias and the probability with which it is noticed."""

    bias: str
    power: str


class ArticleChance(ClosedRecord, frozen=True, kw_only=True):
    """What is stated of samples that test the same provisions; of none, it is a measurement."""

    provisions: list[str] = []
    deviations: list[NamedDeviation]
    #: How many rounds at live tables a certificate needs.
    certificate_rounds: int = 0


class ChanceFile(ClosedRecord, frozen=True, kw_only=True):
    """What is asked of the tests of one game."""

    game: str
    levels: ErrorLevels
    looks: LookLimits
    #: The bias whose power every test states.
    stated: StatedPower
    #: A sample that does not notice this is too small for any verdict.
    enough: StatedPower
    articles: list[ArticleChance]
    #: How many packs a shoe has, where no option of a table says it.
    packs: int | None = None

    def for_provisions(self, provisions: list[str]) -> ArticleChance | None:
        """Return what is stated of a sample for these provisions."""
        for article in self.articles:
            if set(provisions) <= set(article.provisions) and bool(provisions) is bool(
                article.provisions
            ):
                return article
        return None


def find_wrong_numbers(chance: ChanceFile) -> Iterator[str]:
    """Yield each number of a file that no test could use, by its name."""
    parts: dict[str, str | None] = {
        "levels.accused": chance.levels.accused,
        "levels.doubted": chance.levels.doubted,
        "stated.bias": chance.stated.bias,
        "stated.power": chance.stated.power,
        "enough.bias": chance.enough.bias,
        "enough.power": chance.enough.power,
    }
    counts: dict[str, int | None] = {
        "looks.count": chance.looks.count,
        "looks.factor": chance.looks.factor,
    }
    for article in chance.articles:
        if article.certificate_rounds < 0:
            yield f"certificate_rounds: {article.certificate_rounds}"
        for deviation in article.deviations:
            parts |= {
                f"{deviation.id}.{name}": value
                for name, value in (("by", deviation.by), ("certificate", deviation.certificate))
                if value is not None or (name == "by" and deviation.model in _SIZED)
            }
            if deviation.model in _COUNTED:
                name = _COUNTED[deviation.model]
                counts[f"{deviation.id}.{name}"] = getattr(deviation, name)
    yield from (f"{name}: {value}" for name, value in parts.items() if not _is_part(value))
    yield from (f"{name}: {count}" for name, count in counts.items() if (count or 0) < 1)


def _is_part(written: str | None) -> bool:
    above, slash, below = (written or "").partition("/")
    return above.isdecimal() and below.isdecimal() and 0 < int(above) < int(below) and bool(slash)


def read_chance(game: str, *, specs: Path | None = None) -> ChanceFile | None:
    """Return what is asked of the tests of `game`; nothing if the edition has no such file."""
    path = data_files.game_file(game, CHANCE_FILE, specs=specs)
    return None if path is None else read_yaml(path).convert(ChanceFile)
