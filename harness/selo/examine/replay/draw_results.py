"""What the book of draws says: outcomes read back, tested, and judged look by look.

Nothing here asks a vendor. Whoever holds the book and the edition of the law files comes to the
same figures.
"""

from __future__ import annotations

import gc
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from selo.cases import everything
from selo.draws import equipment
from selo.draws.draw_verdict import Judged, Source, Statistic, enough, judged, least, worst
from selo.evidence.evidence_errors import Sign, Tampered
from selo.evidence.evidence_reader import Reader
from selo.evidence.run_files import DRAWS, known_roots
from selo.examine.plan import terms_of
from selo.examine.plan.draw_plan import Sample, drawable, samples
from selo.rules.readings import Readings

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from concurrent.futures import Future
    from pathlib import Path

    from numpy.typing import NDArray

    from selo.draws import Cards, Dice
    from selo.examine.plan import Terms
    from selo.law.loader import Law


@dataclass(kw_only=True)
class Taken:
    """What was drawn for one sample."""

    sample: Sample
    equipment: Dice | Cards
    batches: list[NDArray[np.int16]] = field(default_factory=list)
    #: The first line of the sample in the book.
    first: int = 0
    #: Why nothing more was drawn, where the adapter failed.
    fault: dict[str, str] | None = None

    @property
    def whole(self) -> bool:
        """Whether everything of the first look is there."""
        return self.fault is None and len(self.batches) >= self.sample.batches

    @property
    def drawn(self) -> bool:
        """Whether there is nothing more to draw for the first look."""
        return self.fault is not None or len(self.batches) >= self.sample.batches

    def rows(self, look: int) -> NDArray[np.int16]:
        """Return the outcomes of one look, those of the second apart from those of the first."""
        many = self.sample.batches
        return np.concatenate(self.batches[:many] if look == 1 else self.batches[many:])

    def source(self) -> Source:
        """Return where these come from."""
        one = self.sample
        return Source(game=one.game, options=one.options, provisions=one.provisions)

    def take(self, line: dict[str, Any]) -> None:
        """Take what a line of the book says."""
        if not self.batches:
            self.first = line["n"]
        if "answer" in line:
            self.add(line["answer"]["outcomes"])
        else:
            self.fault = line["fault"]

    def add(self, outcomes: list[dict[str, Any]]) -> None:
        """Take outcomes; raise if they are none of this game."""
        self.batches.append(self.equipment.rows(outcomes))


@dataclass(kw_only=True)
class Drawn:
    """All draws of a run, and what the tests say."""

    root: str | None = None
    taken: list[Taken] = field(default_factory=list)
    statistics: list[Statistic] = field(default_factory=list)

    def deciding(self, one: Taken) -> list[Statistic]:
        """Return the tests that decide on a sample: of the second look, if there was one."""
        mine = [
            test
            for test in self.statistics
            if (test.game, test.options) == (one.sample.game, one.sample.options)
        ]
        second = [test for test in mine if test.look > 1]
        return second or mine

    def verdict(self, one: Taken) -> Judged:
        """Return what is said of a sample; without tests, or with too few draws, it is in doubt."""
        tests = self.deciding(one)
        said = worst(tests)
        return Judged.DOUBTFUL if said is Judged.FAIR and not enough(tests) else said


def blank(law: Law, terms: Terms) -> list[Taken]:
    """Return every sample of a plan, nothing of it drawn yet."""
    readings = Readings(law, terms.rulings)
    return [
        Taken(sample=sample, equipment=equipment(law, sample.game, readings, sample.options))
        for sample in samples(law, terms)
    ]


class Foreseen(msgspec.Struct, frozen=True, kw_only=True):
    """A sample of a plan, and what its tests will be able to show."""

    sample: Sample
    tests: int
    #: The least bias of a single face or card that is noticed surely.
    notices: str


def foreseen(law: Law, terms: Terms) -> list[Foreseen]:
    """Return every sample of a plan with the tests that will be made of it."""
    planned = [(one, one.equipment.tests()) for one in blank(law, terms)]
    family = sum(tests for _, tests in planned)
    return [
        Foreseen(
            sample=one.sample,
            tests=tests,
            notices=least(one.equipment.foreseen(one.sample.outcomes), family),
        )
        for one, tests in planned
    ]


def everything_of(law: Law, game: str, rulings: Mapping[str, str] | None = None) -> Terms:
    """Return the terms of a plan with a vendor that offers everything of a game, draws too."""
    return terms_of(
        law, drawable(law, everything(law, [game])), as_of="", rulings=dict(rulings or {}),
        budget="quick", seed=0, provisions=[],
    )  # fmt: skip


def deciding(law: Law, terms: Terms) -> dict[str, int]:
    """Return how many tests of draws decide each provision."""
    found: dict[str, int] = {}
    for one in blank(law, terms):
        for provision in one.sample.provisions:
            found[provision] = found.get(provision, 0) + one.equipment.tests()
    return found


class Places:
    """Sorts the lines of a book to their samples."""

    def __init__(self, taken: Iterable[Taken]) -> None:
        self._places = {_place(one.sample.game, one.sample.options): one for one in taken}

    def take(self, line: dict[str, Any]) -> None:
        """Take a line; the first and the last are about none of them."""
        if "params" in line:
            params = line["params"]
            self._places[_place(params["game"], params["options"])].take(line)


def _place(game: str, options: dict[str, str | int]) -> tuple[Any, ...]:
    return game, tuple(sorted(options.items()))


def look(taken: Iterable[Taken], number: int) -> list[Statistic]:
    """Return the tests of one look, all of them one family."""
    measured = []
    for one in taken:
        rows = one.rows(number)
        measured.append((one.source(), len(rows), list(one.equipment.measures(rows))))
    return judged(measured, number)


def doubtful(taken: Iterable[Taken], first: list[Statistic]) -> list[Taken]:
    """Return the samples that the first look leaves in doubt."""
    found = Drawn(statistics=first)
    return [one for one in taken if one.whole and worst(found.deciding(one)) is Judged.DOUBTFUL]


def drawn(folder: Path, law: Law, terms: Terms) -> Drawn:
    """Return what the book of draws in `folder` says; an empty one if nothing was to be drawn."""
    found = Drawn(taken=blank(law, terms))
    if not (folder / DRAWS.file).exists():
        if known_roots(folder, DRAWS):
            raise Tampered(path=folder / DRAWS.file, sign=Sign.CUT, what="there is no such file")
        return found
    reader = Reader(folder, book=DRAWS)
    # Each outcome is several objects; nothing that was there before is looked through for garbage.
    gc.freeze()
    try:
        whole = reader.read(take=Places(found.taken).take)
    except (LookupError, TypeError, ValueError) as error:
        raise Tampered(path=reader.path, sign=Sign.LINE, what=str(error)) from error
    finally:
        gc.unfreeze()
    if whole.header.get("plan") != terms.digest:
        raise Tampered(path=reader.path, sign=Sign.FRAME, what="it belongs to another plan")
    found.root = str(whole.root)
    tested(found, None)
    return found


class Book:
    """The book of draws of a run, read while other processes read its evidence."""

    def __init__(self, folder: Path, law: Law, terms: Terms) -> None:
        self._read = partial(drawn, folder, law, terms)
        self._reading: Future[Drawn] | None = None

    def begin(self) -> None:
        """Begin to read: only once all processes were forked, none of them beside a thread."""
        if self._reading is None:
            reader = ThreadPoolExecutor(max_workers=1)
            self._reading = reader.submit(self._read)
            reader.shutdown(wait=False)

    def drawn(self) -> Drawn:
        """Return what it says, or raise what is wrong with it."""
        return self._read() if self._reading is None else self._reading.result()


def tested(found: Drawn, first: list[Statistic] | None) -> None:
    """Test what was drawn: all of it, then again what was in doubt and drawn once more.

    The tests of the first look may be known already.
    """
    whole = [one for one in found.taken if one.whole]
    found.statistics = look(whole, 1) if first is None and whole else list(first or ())
    again = [
        one for one in doubtful(whole, found.statistics) if len(one.batches) > one.sample.batches
    ]
    if again:
        found.statistics += look(again, 2)
