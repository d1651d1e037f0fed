"""Narrow faults: one provision broken in some answers only, in a way that no mutant of the law has.

A fault spoils one part of what one provision prescribes, where a circumstance holds that no law
knows: every so many questions, a large or an odd stake, a full table, a bet that was placed before,
a bet that won when last asked. It spoils right answers only, so that each that it spoils is wrong.

Some faults show nothing in the money: two bets exchange what became of them, or a commission takes
back what a prize was too much.
"""

import json
import zlib
from collections import Counter
from dataclasses import dataclass, field
from random import Random

from selo.cases import Case

RESULTS = ("win", "lose", "push", "refused")
RANKS = frozenset({"ranks", "rank", "alike"})
ORDERS = {"higher": "lower", "lower": "higher", "equal": "higher"}
#: What a vendor pays in place of a prize.
PRIZES = {
    "one short": lambda prize, _: prize - 1,
    "one too much": lambda prize, _: prize + 1,
    "twice": lambda prize, _: 2 * prize,
    "nothing": lambda _, __: 0,
    "the stake too": lambda prize, stake: prize + stake,
    "its lowest 16 bits": lambda prize, _: prize % 2**16,
    "its lowest 31 bits": lambda prize, _: prize % 2**31,
    "whole tens": lambda prize, _: prize // 10 * 10,
}
EXCHANGED, UNSEEN = "exchanged", "one more of both"


@dataclass(kw_only=True)
class History:
    """What was asked and answered so far."""

    asked: int = 0
    won: frozenset[str] = frozenset()
    #: How often each bet was asked, with its choice and place.
    bets: Counter[str] = field(default_factory=Counter)

    def add(self, params, settled):
        """Add the answer to one question."""
        self.asked += 1
        laid = params.get("bets", [])
        self.bets.update(map(_laid_on, laid))
        pairs = zip(laid, settled, strict=False)
        self.won = frozenset(str(bet["bet"]) for bet, one in pairs if one["result"] == "win")


#: When a fault shows, by what is asked, the place of the bet, and what was asked before.
CIRCUMSTANCES = {
    "one in 2": lambda asked, at, _: _hash(asked, at) % 2 == 0,
    "one in 7": lambda asked, at, _: _hash(asked, at) % 7 == 0,
    "one in 40": lambda asked, at, _: _hash(asked, at) % 40 == 0,
    "every seventh time": lambda _, __, before: before.asked % 7 == 6,
    "every 31st time": lambda _, __, before: before.asked % 31 == 30,
}
OF_BETS = {
    "five bets": lambda asked, _, __: len(asked["bets"]) >= 5,
    "two kinds of bets": lambda asked, _, __: len({str(bet["bet"]) for bet in asked["bets"]}) > 1,
    "a stake of 16 bits": lambda asked, at, _: asked["bets"][at]["stake"] >= 2**16,
    "a stake of 31 bits": lambda asked, at, _: asked["bets"][at]["stake"] >= 2**31,
    "an odd stake": lambda asked, at, _: asked["bets"][at]["stake"] % 100 != 0,
    "not the first bet": lambda _, at, __: at > 0,
    "after a win": lambda asked, at, before: str(asked["bets"][at]["bet"]) in before.won,
    "the third time": lambda asked, at, before: before.bets[_laid_on(asked["bets"][at])] == 2,
    "a bet laid before": lambda asked, at, _: any(
        _laid_on(bet) == _laid_on(asked["bets"][at]) for bet in asked["bets"][:at]
    ),
    "some tables": lambda asked, _, __: zlib.crc32(_text(asked.get("options"))) % 3 == 0,
}  # fmt: skip


def _hash(asked, at):
    bet = asked["bets"][at] if "bets" in asked else None
    named = [asked.get(name) for name in ("outcome", "options", "a", "b")]
    return zlib.crc32(_text([named, bet]))


def _laid_on(bet):
    return _text({name: value for name, value in bet.items() if name not in {"stake", "bettor"}})


def _text(value):
    return json.dumps(value, sort_keys=True).encode()


@dataclass(kw_only=True)
class NarrowFault:
    """One provision that is broken in some answers, and how often it was."""

    provision: str
    part: str
    change: str
    when: str
    times: int = field(default=0, init=False)
    #: The provisions that prescribe what was answered wrongly.
    broken: set[str] = field(default_factory=set, init=False)

    def __str__(self):
        return f"{self.provision}: {self.part} {self.change}, {self.when}"

    def show(self, *provisions):
        """Count a wrong answer."""
        self.times += 1
        self.broken.update(provisions)


class NarrowVendor:
    """A vendor with a narrow fault besides its others."""

    def __init__(self, vendor, oracle, game, fault):
        self._vendor, self._oracle, self._game, self._fault = vendor, oracle, game, fault
        self._before = History()

    def __getattr__(self, name):
        return getattr(self._vendor, name)

    def compare(self, params):
        """Compare two hands, some of them wrongly."""
        answer, fault = self._vendor.compare(params), self._fault
        case, shows = self._case("compare", params), self._shows(params, 0)
        self._before.add(params, [])
        if fault.part != "order" or not shows or answer["order"] != self._oracle.compare(case):
            return answer
        roles = {(step.provision, step.role) for step in self._oracle.derivation_of(case)}
        if fault.provision not in {provision for provision, role in roles if role in RANKS}:
            return answer
        fault.show(fault.provision)
        return {**answer, "order": ORDERS[answer["order"]]}

    def settle(self, params):
        """Settle bets, some of them wrongly."""
        answer = self._vendor.settle(params)
        settled = answer.get("settlements", [])
        spoilt = [*settled]
        for at in range(len(settled)):
            if self._fault.part == EXCHANGED:
                self._exchange(params, at, spoilt)
            else:
                spoilt[at] = self._spoil(params, at, settled[at])
        self._before.add(params, settled)
        return {**answer, "settlements": spoilt} if settled else answer

    def _spoil(self, params, at, one):
        fault, stake = self._fault, params["bets"][at]["stake"]
        other = spoilt_settlement(fault.part, fault.change, one, stake)
        if other == one or not self._shows(params, at):
            return one
        case = self._case("settle", params)
        derivation = self._oracle.derivation_of(case, at)
        if not self._is_lawful(case, at, one) or fault.provision not in prescribing(
            fault.part, derivation, one
        ):
            return one
        fault.show(fault.provision)
        return other

    def _exchange(self, params, at, settled):
        """Exchange what became of two bets of one stake, so that the sum is the same."""
        bets, fault = params["bets"], self._fault
        for other in range(at):
            if bets[other]["stake"] != bets[at]["stake"] or settled[other] == settled[at]:
                continue
            case = self._case("settle", params)
            both = [(place, settled[place]) for place in (other, at)]
            if not self._shows(params, at) or not all(self._is_lawful(case, *one) for one in both):
                continue
            broken = [
                prescribing(_part_exchanged(*(one for _, one in both)),
                            self._oracle.derivation_of(case, place), one)
                for place, one in both
            ]  # fmt: skip
            if any(fault.provision in provisions for provisions in broken):
                fault.show(fault.provision)
                settled[at], settled[other] = settled[other], settled[at]
                return

    def _is_lawful(self, case, at, one):
        lawful = self._oracle.answer(case)[at]
        return all(getattr(lawful, part, value) == value for part, value in one.items())

    def _shows(self, params, at):
        return (CIRCUMSTANCES | OF_BETS)[self._fault.when](params, at, self._before)

    def _case(self, method, params):
        asked = {name: value for name, value in params.items() if name != "game"}
        return Case(game=self._game, method=method, group="-", **asked)


def _part_exchanged(one, other):
    """Return the gravest part in which two settlements differ."""
    parts = ("result", "prize", "commission", "stake")
    return next(part for part in parts if one[part] != other[part])


def spoilt_settlement(part, change, one, stake):
    """Return a settlement with another value of a part, or the same where that says nothing."""
    amounts = type(one["prize"]) is type(one["commission"]) is int
    if change == UNSEEN:
        won = one["result"] == "win" and amounts and one["prize"]
        both = {"prize": one["prize"] + 1, "commission": one["commission"] + 1} if won else {}
        return {**one, **both}
    if part == "prize" and one["result"] == "win" and type(one["prize"]) is int and one["prize"]:
        return {**one, "prize": PRIZES[change](one["prize"], stake)}
    if part == "commission" and type(one["commission"]) is int:
        return {**one, "commission": one["commission"] + 1}
    if part == "stake" and one["result"] == change:
        return {**one, "stake": 0 if one["stake"] else stake}
    if part == "result" and one["result"] == change.split(">")[0]:
        result = change.split(">")[1]
        kept = {"prize": stake if result == "win" else 0, "stake": 0 if result == "lose" else stake}
        return {**one, "result": result, "commission": 0, **kept}
    return one


def prescribing(part, derivation, settlement):
    """Return the provisions that a derivation names for a part of a settlement."""
    if settlement["result"] == "refused" and part in {"result", "stake"}:
        return {step.provision for step in derivation if step.role != "reconstructed"}
    wanted = {settlement["result"], "declares"} if part == "result" else {part}
    wanted = {settlement["result"]} if part == "stake" else wanted
    return {step.provision for step in derivation if step.role in wanted}


def list_breakable(cases, oracle):
    """Return the provisions that prescribe each part of lawful answers, by part and result."""
    breakable: dict[tuple[str, str], Counter] = {}
    for case in cases:
        lawful = oracle.answer(case)
        if case.method == "compare":
            steps = [step for step in oracle.derivation_of(case) if step.role in RANKS]
            breakable.setdefault(("order", ""), Counter()).update(
                step.provision for step in steps if lawful is not None
            )
            continue
        for at, one in enumerate(lawful):
            told = {"result": one.result}
            for part in ("prize", "commission", "result", "stake"):
                named = prescribing(part, oracle.derivation_of(case, at), told)
                result = one.result if part in {"result", "stake"} else ""
                breakable.setdefault((part, result), Counter()).update(named)
    return {key: sorted(named) for key, named in sorted(breakable.items()) if named}


def draw_narrow_fault(breakable, random: Random):
    """Return any narrow fault."""
    part, result = random.choice(sorted(breakable))
    provision = random.choice(breakable[part, result])
    circumstances = CIRCUMSTANCES if part == "order" else CIRCUMSTANCES | OF_BETS
    changes = {
        "prize": [*PRIZES, UNSEEN], "commission": ["one too much", UNSEEN], "stake": [result],
        "order": ["turned"],
        "result": [f"{result}>{other}" for other in RESULTS if other != result],
    }  # fmt: skip
    if part == "result" and result != "refused" and random.random() < 1 / 4:
        part, changes[EXCHANGED] = EXCHANGED, ["with another bet"]
    return NarrowFault(
        provision=provision, part=part,
        change=random.choice(changes[part]), when=random.choice([*circumstances]),
    )  # fmt: skip


class SomeTables:
    """A vendor with faults at one live table in so many, and nowhere else."""

    def __init__(self, faulty, lawful, one_in):
        self._faulty, self._lawful, self._one_in = faulty, lawful, one_in
        self._tables, self._opened = {}, 0

    def __getattr__(self, name):
        return getattr(self._lawful, name)

    def table_open(self, params):
        """Open a table with the faults, or without."""
        self._opened += 1
        vendor = self._lawful if self._opened % self._one_in else self._faulty
        self._tables[params["table"]] = vendor
        return vendor.table_open(params)

    def table_act(self, params):
        """Do what a table does."""
        return self._tables[params["table"]].table_act(params)

    def table_close(self, params):
        """Close a table."""
        return self._tables[params["table"]].table_close(params)
