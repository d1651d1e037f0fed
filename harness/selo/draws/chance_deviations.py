"""Power against named deviations, and the sample size that follows from a wanted power.

1. A deviation shifts the probabilities of one test. The noncentrality of its chi-square grows with
   the sample: noncentrality = outcomes * rate.
2. The level of a test is the level of doubt divided by the number of tests (Bonferroni), a lower
   bound of what Holm's method reaches.
3. A source that deviates passes if the first look finds it fair, or if it is left in doubt and the
   second look, on a sample of its own, finds it fair. The power is the product of both looks, a
   lower bound.
4. A short period is seen for certain once the sample is longer than it, a repeated seed once two
   processes were asked, a wrong pack once a whole one was seen.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

import msgspec
import numpy as np

from selo.draws.chi_square import (
    LEAST_EXPECTED,
    least_noncentrality,
    power_at,
    stretch_length,
)
from selo.draws.dice_draws import DiceSource
from selo.law.files.chance_file import DeviationModel
from selo.rules.equipment.pack_and_dice import PACK

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from selo.draws.card_draws import CardSource
    from selo.draws.draw_verdict import FamilyLevels
    from selo.draws.random_equipment import Equipment
    from selo.draws.two_hand_draws import TwoHandSource
    from selo.draws.whole_packs import WholePackSource
    from selo.law.files.chance_file import NamedDeviation

    CardEquipment = CardSource | TwoHandSource | WholePackSource

#: More outcomes than this are never drawn: the power is then stated as what it is.
_MOST_OUTCOMES: Final = 10**15
#: Packs of a shoe where neither an option nor the deviation says how many.
_ONE_PACK: Final = 1


class DeviationPower(msgspec.Struct, frozen=True, kw_only=True):
    """How surely one deviation of one source would have been noticed."""

    deviation: str
    game: str
    options: dict[str, str | int]
    provisions: list[str]
    #: ``draw``, ``table`` or ``pack``, and the test that notices it.
    outcomes: str
    test: str
    sample: int
    #: With six digits; `risk` is that of passing although it deviates.
    power: str
    risk: str
    #: The power that a certificate needs, and the outcomes that give it; none if it needs none.
    wanted: str | None
    needed: int | None

    @property
    def falls_short(self) -> bool:
        """Whether a certificate needs more."""
        return self.wanted is not None and float(self.power) < float(Fraction(self.wanted))


@dataclass(frozen=True, kw_only=True, slots=True)
class DeviationEffect:
    """What a deviation does to the test that notices it."""

    test: str
    freedom: int = 1
    #: Noncentrality for each outcome of the sample.
    rate: float = 0.0
    #: Of fewer outcomes categories are pooled, and no power is stated.
    least: int = 0
    #: A sample of this many outcomes shows it for certain, and no smaller one; none by chance only.
    certain_from: int | None = None

    def power(self, outcomes: int, level: float) -> float:
        """Return the power of one look at this many outcomes."""
        if self.certain_from is not None:
            return float(outcomes >= self.certain_from)
        if outcomes < self.least:
            return 0.0
        return power_at(self.freedom, level, outcomes * self.rate)


def find_effect(equipment: Equipment, deviation: NamedDeviation) -> DeviationEffect | None:
    """Return what a deviation does to samples of an equipment; nothing if it cannot have it."""
    model = deviation.model
    if model is DeviationModel.PERIOD:
        period = deviation.period or 0
        length = stretch_length(equipment.likeliest, 2 * max(1, period))
        return DeviationEffect(test="repetition", certain_from=period + length)
    if model is DeviationModel.CORRELATION:
        return DeviationEffect(test="correlation", rate=float(deviation.size) ** 2)
    if isinstance(equipment, DiceSource):
        return _dice_effect(equipment, deviation)
    return _card_effect(equipment, deviation)


def _dice_effect(equipment: DiceSource, deviation: NamedDeviation) -> DeviationEffect | None:
    faces = len(equipment.faces)
    if deviation.model is DeviationModel.CATEGORY:
        # One face of one die; the others are less likely alike.
        rate = float(deviation.size) ** 2 / (faces - 1)
        least = faces * LEAST_EXPECTED
        return DeviationEffect(test="face", freedom=faces - 1, rate=rate, least=least)
    if deviation.model is DeviationModel.MODULO:
        fair = np.full(faces, 1 / faces)
        rate = _distance(remainders(faces, deviation.bits or 0), fair) * equipment.dice
        least = faces * LEAST_EXPECTED
        test = "faces" if equipment.dice > 1 else "face"
        return DeviationEffect(test=test, freedom=faces - 1, rate=rate, least=least)
    return None


def _card_effect(equipment: CardEquipment, deviation: NamedDeviation) -> DeviationEffect | None:
    size, dealt = len(PACK), equipment.dealt
    packs = getattr(equipment, "copies", None) or deviation.packs or _ONE_PACK
    fair = np.full(size, 1 / size)
    if deviation.model is DeviationModel.CATEGORY:
        distance = float(deviation.size) ** 2 / (size - 1)
    elif deviation.model in {DeviationModel.MISSING, DeviationModel.DOUBLE}:
        copies = np.full(size, float(packs))
        copies[0] += 1 if deviation.model is DeviationModel.DOUBLE else -1
        distance = _distance(copies / copies.sum(), fair)
    elif deviation.model is DeviationModel.MODULO:
        distance = _distance(deal_by_remainders(size, packs, dealt, deviation.bits or 0), fair)
    else:
        return None
    least = -(-size * LEAST_EXPECTED // dealt)
    rate = distance * dealt / float(equipment.shrink)
    return DeviationEffect(test="cards", freedom=size - 1, rate=rate, least=least)


def _distance(shifted: NDArray[np.float64], fair: NDArray[np.float64]) -> float:
    """Return the noncentrality of one trial."""
    return float((((shifted - fair) ** 2) / fair).sum())


def remainders(count: int, bits: int) -> NDArray[np.float64]:
    """Return how likely each remainder is if a number of this many bits is divided by a count."""
    whole, rest = divmod(2**bits, count)
    return np.array([(whole + (at < rest)) / 2**bits for at in range(count)])


def deal_by_remainders(size: int, packs: int, dealt: int, bits: int) -> NDArray[np.float64]:
    """Return how likely each card is among those dealt from new packs by remainders.

    Each time a number of this many bits is divided by how many cards are left, and the remainder
    says which of them is dealt; the others keep their order.
    """
    cards = size * packs
    #: The probability that each card, by row, is the so-manyth of those that are left, by column.
    places = np.eye(cards)
    seen = np.zeros(cards)
    for gone in range(dealt):
        chosen = np.zeros(cards)
        chosen[: cards - gone] = remainders(cards - gone, bits)
        seen += places @ chosen
        before = np.concatenate([[0.0], np.cumsum(chosen)[:-1]])
        moved = places * before
        places = places * (1 - chosen - before)
        places[:, :-1] += moved[:, 1:]
    shares: NDArray[np.float64] = seen.reshape(packs, size).sum(axis=0) / dealt
    return shares


def power_over_looks(
    effect: DeviationEffect, outcomes: int, tests: int, levels: FamilyLevels
) -> float:
    """Return the power of a first look at this many outcomes and a second at more."""
    level = float(levels.doubted) / max(1, tests)
    power = effect.power(outcomes, level)
    return power * effect.power(outcomes * levels.factor, level) if levels.looks > 1 else power


def outcomes_needed(
    effect: DeviationEffect, wanted: Fraction, tests: int, levels: FamilyLevels
) -> int | None:
    """Return the least sample of a first look that has the wanted power; nothing if none has."""
    if effect.certain_from is not None:
        return effect.certain_from
    if not effect.rate:
        return None
    level = float(levels.doubted) / max(1, tests)
    # The first look alone needs no more than both together: begin there.
    low = int(least_noncentrality(effect.freedom, level, float(wanted)) / effect.rate)
    if low > _MOST_OUTCOMES:
        return None
    high = max(2, low)
    while power_over_looks(effect, high, tests, levels) < wanted:
        low, high = high, 2 * high
        if high > _MOST_OUTCOMES:
            return None
    while high - low > max(1, low // 10_000):
        middle = (low + high) // 2
        if power_over_looks(effect, middle, tests, levels) < wanted:
            low = middle
        else:
            high = middle
    return high


def format_power(power: float) -> tuple[str, str]:
    """Return a power and the risk that remains, with six digits."""
    whole = min(1.0, max(0.0, power if math.isfinite(power) else 0.0))
    return f"{whole:.6g}", f"{1 - whole:.6g}"
