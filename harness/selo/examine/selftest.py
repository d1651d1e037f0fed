"""Does Selo find what it should? Vendors with one known fault each, and what is made of them.

A fault is *killed* if the examination finds it and blames the provision that it breaks, *survived*
if nothing is found, and *misjudged* if another provision is blamed. Faults are planted by hand in
the reference vendors, and generated from the law files by changing one rule at a time.
"""

from __future__ import annotations

import enum
import importlib.util
import sys
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo import locator
from selo.adapters.inside import Inside
from selo.adapters.limits import DEFAULT
from selo.adapters.reading import Reply
from selo.adapters.session import Session
from selo.cases.expectation import Oracle, back
from selo.cases.scope import everything
from selo.cases.stream import stream
from selo.errors import SeloError
from selo.examine.causes import causes
from selo.examine.declared import judged
from selo.examine.drawing import draw_all
from selo.examine.drawn import Drawn, blank, everything_of, tested
from selo.examine.findings import Origin
from selo.examine.tally import Tally
from selo.examine.unfair import found_in_draws
from selo.protocol import messages as m
from selo.rounds.judged import Judge
from selo.rounds.player import play
from selo.rounds.script import Script
from selo.rules.readings import Readings
from selo.rules.standing import Standing
from selo.rules.variants import Variant, variants

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from selo.cases.case import Case
    from selo.law.reader import Law

    #: Answers a case as a vendor would.
    Vendor = Callable[[Case], Reply]

#: One right case in so many is kept, so that a supposed cause must leave it right.
_EVERY: Final = 37
_RIGHT: Final = 40
#: So many cases that show a fault are enough to tell its cause.
_ENOUGH: Final = 400


class State(enum.StrEnum):
    """What became of a fault."""

    KILLED = "killed"
    SURVIVED = "survived"
    MISJUDGED = "misjudged"


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """One fault, and what the examination made of it."""

    game: str
    fault: str
    provision: str
    state: State
    #: Cases or rounds in which it showed.
    seen: int
    blamed: list[str]


class Suspect:
    """A way of misreading one provision, compiled when it is first suspected."""

    def __init__(self, variant: Variant) -> None:
        self._variant = variant
        self.provision, self.name = variant.provision, variant.name

    @cached_property
    def _bets(self) -> frozenset[str]:
        return self._variant.bets()

    @cached_property
    def _game(self) -> Any:
        try:
            return self._variant.compile()
        except SeloError as error:
            return error

    def bets(self) -> frozenset[str]:
        """Return the bets that can feel it."""
        return self._bets

    def compile(self) -> Any:
        """Return the game, or raise if it is none."""
        if isinstance(self._game, SeloError):
            raise self._game
        return self._game


class Examiner:
    """What is needed to examine many faulty vendors of one game."""

    def __init__(self, law: Law, game: str) -> None:
        self.law, self.game = law, game
        self.oracle = Oracle(law)
        self.cases = list(stream(law, everything(law, [game]), budget="quick"))
        self._judge = Judge(law)
        self.suspects = [Suspect(one) for one in variants(law, game, Readings(law))]

    def judged(self, vendor: Vendor) -> tuple[int, list[tuple[str, ...]], set[str]]:
        """Return in how many cases a fault showed, what was blamed, and which points are open."""
        tally = Tally(self.oracle)
        right: list[tuple[Case, Any, int | None]] = []
        for number, case in enumerate(self.cases):
            reply = vendor(case)
            before = len(tally.differences), sum(tally.times.values())
            tally.take(case, reply)
            if (len(tally.differences), sum(tally.times.values())) == before:
                if number % _EVERY == 0 and len(right) < _RIGHT and reply.result is not None:
                    right.append((case, _answer(case, reply), None))
            elif sum(tally.times.values()) > _ENOUGH:
                break
        found = causes(tally, self.suspects, right)
        points = {point for one in tally.differences.values() for point, _ in one.readings}
        seen = sum(tally.times.values()) + len(tally.faults)
        return seen, [one.provisions for one in found], points

    def score(self, fault: str, provision: str, vendor: Vendor, point: str = "") -> Score:
        """Return what an examination makes of a vendor that breaks `provision`."""
        seen, blamed, points = self.judged(vendor)
        names = list(dict.fromkeys(name for one in blamed for name in one))
        if not seen:
            state = State.SURVIVED
        elif blamed:
            right = all(_holds(one, provision) for one in blamed)
            state = State.KILLED if right else State.MISJUDGED
        else:
            # Nothing but open points: then it must be the one that the fault is about.
            state = State.KILLED if point in points else State.MISJUDGED
        return Score(
            game=self.game, fault=fault, provision=provision, state=state, seen=seen, blamed=names
        )

    def played(self, name: str, fault: Any, vendor: Any) -> Score:
        """Return what the judge of rounds makes of a vendor that breaks a provision live."""
        script = Script(game=self.game, acts=[dict(act) for act in fault.shows],
                        options=dict(fault.options))  # fmt: skip
        session = Session(Inside(name, given=vendor), DEFAULT)
        differences = [
            one for one in self._judge.judge(script, play(session, script)) if not one.consequence
        ]
        blamed = list(dict.fromkeys(name for one in differences for name in one.provisions))
        points = {point for one in differences for point, _ in one.readings}
        if not differences:
            state = State.SURVIVED
        elif _holds(blamed, fault.provision) or fault.point in points:
            state = State.KILLED
        else:
            state = State.MISJUDGED
        return Score(
            game=self.game, fault=name, provision=fault.provision, state=state,
            seen=len(differences), blamed=blamed,
        )  # fmt: skip

    def drawn(self, name: str, fault: Any, vendor: Any) -> Score:
        """Return what the tests of draws make of a vendor that breaks a provision by chance."""
        terms = everything_of(self.law, self.game)
        drawn = Drawn(taken=blank(self.law, terms))
        session = Session(Inside(name, given=vendor), DEFAULT)
        for one in drawn.taken:
            draw_all(session, self.law, one)
        tested(drawn, None)
        origin = Origin(selo="", spec_digest="", rulings={})
        found = list(found_in_draws(self.law, terms, drawn, origin))
        blamed = list(dict.fromkeys(name for one in found for name in one.provisions))
        points = {point for one in found for point, _ in one.readings}
        if not found:
            state = State.SURVIVED
        else:
            right = blamed == [fault.provision] and points == {fault.point} - {""}
            state = State.KILLED if right else State.MISJUDGED
        return Score(
            game=self.game, fault=name, provision=fault.provision, state=state,
            seen=sum(one.times for one in found), blamed=blamed,
        )  # fmt: skip

    def declared(self, name: str, fault: Any, vendor: Any) -> Score:
        """Return what is made of a vendor whose declarations break a provision."""
        description = msgspec.convert(vendor.describe({}), m.Description)
        offer = next(one for one in description.games if one.game == self.game)
        found = judged(self.law, offer, {})
        broken = [one.key for one in found.now if one.standing is Standing.BROKEN]
        blamed = list(dict.fromkeys(provision for provision, _ in broken))
        points = {point for key in broken for point, _ in found.readings(key)}
        # Only a fault that is lawful under another reading may be open, and only on that point.
        right = blamed == [fault.provision] and points == {fault.point} - {""}
        state = State.KILLED if right else State.MISJUDGED if broken else State.SURVIVED
        return Score(
            game=self.game, fault=name, provision=fault.provision, state=state,
            seen=len(broken), blamed=blamed,
        )  # fmt: skip


def _holds(blamed: Iterable[str], provision: str) -> bool:
    """Return whether a provision is blamed, or the unit of which it is a note or a part."""
    return any(provision == one or provision.startswith(f"{one}/") for one in blamed)


def _answer(case: Case, reply: Reply) -> Any:
    return reply.result.settlements if case.method == "settle" else reply.result.order


def generated(examiner: Examiner, every: int = 1) -> Iterator[Score]:
    """Yield the score of faults that are generated from the law files: all, or one in so many.

    A change of a rule that no case can show is no fault; coverage asks whether each provision has
    changes that show.
    """
    for suspect in islice(examiner.suspects, 0, None, every):
        try:
            score = examiner.score(suspect.name, suspect.provision, _played_by(suspect.compile()))
        except (SeloError, ArithmeticError, LookupError, TypeError, ValueError):
            # Not every change of a rule makes a game that settles every case.
            continue
        if score.seen:
            yield score


def _played_by(game: Any) -> Vendor:
    """Return a vendor that settles and compares as a game does."""

    def answer(case: Case) -> Reply:
        if case.method == "compare":
            order = game.compare(sorted(case.a), sorted(case.b))
            return Reply(id="", result=m.Compared(order=order))
        plain = game.settle_plain(case.options, case.outcome, case.bets)
        settlements = [
            m.Settlement(**one, stake=back(one["result"], bet["stake"])[-1])
            for one, bet in zip(plain, case.bets, strict=True)
        ]
        return Reply(id="", result=m.Settled(settlements=settlements))

    return answer


# Faults that were planted by hand.


def planted(examiner: Examiner, wanted: Sequence[str] | None = None) -> Iterator[Score]:
    """Yield the score of the faults planted in the reference vendor of a game."""
    module = _vendors()
    for name, fault in module.faults(examiner.game).items():
        if wanted is not None and name not in wanted:
            continue
        vendor = module.load(examiner.game, name)
        if fault.drawn:
            yield examiner.drawn(name, fault, vendor)
        elif fault.declares:
            yield examiner.declared(name, fault, vendor)
        elif fault.shows:
            yield examiner.played(name, fault, vendor)
        else:
            yield examiner.score(name, fault.provision, _served_by(vendor), fault.point)


def _served_by(vendor: Any) -> Vendor:
    """Return a vendor that asks an object with the methods of the protocol."""

    def answer(case: Case) -> Reply:
        # Cases share their parts, which a vendor could change.
        params = msgspec.json.decode(msgspec.json.encode(case.params()))
        try:
            result = getattr(vendor, case.method)(params)
        except Exception as error:  # noqa: BLE001 - whatever a vendor raises is its answer
            code = getattr(error, "code", m.INTERNAL)
            return Reply(id="", error=m.Fault(code=code, message=str(error)))
        return Reply(id="", result=msgspec.convert(result, m.RESULTS[case.method]))

    return answer


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
