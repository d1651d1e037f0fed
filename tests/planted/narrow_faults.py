"""Narrow faults: one provision broken in some answers only, in a way that no mutant of the law has.

A fault spoils one part of what one provision prescribes, where a circumstance holds that no law
knows: every so many questions, a large or an odd stake, a full table, a bet that was placed before,
a bet that won when last asked. It spoils right answers only, so that each that it spoils is wrong.
"""

import json
import zlib
from collections import Counter
from dataclasses import dataclass, field
from random import Random

from selo.cases import Case

RESULTS = ("win", "lose", "push")
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
    "whole tens": lambda prize, _: prize // 10 * 10,
}
#: When a fault shows: what is asked, the place of the bet, how often was asked, and what won last.
CIRCUMSTANCES = {
    "one in 2": lambda asked, at, _, __: _hash(asked, at) % 2 == 0,
    "one in 7": lambda asked, at, _, __: _hash(asked, at) % 7 == 0,
    "one in 40": lambda asked, at, _, __: _hash(asked, at) % 40 == 0,
    "every seventh time": lambda _, __, times, ___: times % 7 == 0,
    "every 31st time": lambda _, __, times, ___: times % 31 == 0,
}
OF_BETS = {
    "five bets": lambda asked, _, __, ___: len(asked["bets"]) >= 5,
    "a stake of 16 bits": lambda asked, at, _, __: asked["bets"][at]["stake"] >= 2**16,
    "an odd stake": lambda asked, at, _, __: asked["bets"][at]["stake"] % 100 != 0,
    "not the first bet": lambda _, at, __, ___: at > 0,
    "after a win": lambda asked, at, _, won: asked["bets"][at]["bet"] in won,
}


def _hash(asked, at):
    bet = asked["bets"][at] if "bets" in asked else None
    named = [asked.get(name) for name in ("outcome", "options", "a", "b")]
    return zlib.crc32(json.dumps([named, bet], sort_keys=True).encode())


@dataclass(kw_only=True)
class NarrowFault:
    """One provision that is broken in some answers, and how often it was."""

    provision: str
    part: str
    change: str
    when: str
    times: int = field(default=0, init=False)

    def __str__(self):
        return f"{self.provision}: {self.part} {self.change}, {self.when}"


class NarrowVendor:
    """A vendor with a narrow fault besides its others."""

    def __init__(self, vendor, oracle, game, fault):
        self._vendor, self._oracle, self._game, self._fault = vendor, oracle, game, fault
        self._asked, self._won = 0, frozenset()

    def __getattr__(self, name):
        return getattr(self._vendor, name)

    def compare(self, params):
        """Compare two hands, some of them wrongly."""
        answer = self._vendor.compare(params)
        self._asked += 1
        case = self._case("compare", params)
        if self._fault.part != "order" or answer["order"] != self._oracle.compare(case):
            return answer
        roles = {(step.provision, step.role) for step in self._oracle.derivation_of(case)}
        ranks = {provision for provision, role in roles if role in RANKS}
        if self._fault.provision not in ranks or not self._shows(params, 0):
            return answer
        self._fault.times += 1
        return {**answer, "order": ORDERS[answer["order"]]}

    def settle(self, params):
        """Settle bets, some of them wrongly."""
        answer = self._vendor.settle(params)
        self._asked += 1
        settled = answer.get("settlements", [])
        spoilt = [self._spoil(params, at, one) for at, one in enumerate(settled)]
        pairs = zip(params.get("bets", []), settled, strict=False)
        self._won = frozenset(bet["bet"] for bet, one in pairs if one["result"] == "win")
        return {**answer, "settlements": spoilt} if settled else answer

    def _spoil(self, params, at, one):
        fault, stake = self._fault, params["bets"][at]["stake"]
        other = spoilt_settlement(fault.part, fault.change, one, stake)
        if other == one or not self._shows(params, at):
            return one
        case = self._case("settle", params)
        lawful = self._oracle.answer(case)[at]
        if any(getattr(lawful, part) != one[part] for part in one if hasattr(lawful, part)):
            return one
        if fault.provision not in prescribing(
            fault.part, self._oracle.derivation_of(case, at), one
        ):
            return one
        fault.times += 1
        return other

    def _shows(self, params, at):
        shows = (CIRCUMSTANCES | OF_BETS)[self._fault.when]
        return shows(params, at, self._asked, self._won)

    def _case(self, method, params):
        asked = {name: value for name, value in params.items() if name != "game"}
        return Case(game=self._game, method=method, group="-", **asked)


def spoilt_settlement(part, change, one, stake):
    """Return a settlement with another value of a part, or the same where that says nothing."""
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
            # How odds are counted says what becomes of a winner's stake.
            parts = ("prize", "commission", "result", *(("stake",) if one.result != "win" else ()))
            for part in parts:
                named = prescribing(part, oracle.derivation_of(case, at), told)
                result = one.result if part in {"result", "stake"} else ""
                breakable.setdefault((part, result), Counter()).update(named)
    return {key: sorted(named) for key, named in sorted(breakable.items()) if named}


def draw_narrow_fault(breakable, random: Random):
    """Return any narrow fault."""
    part, result = random.choice(sorted(breakable))
    circumstances = CIRCUMSTANCES if part == "order" else CIRCUMSTANCES | OF_BETS
    changes = {
        "prize": [*PRIZES], "commission": ["one too much"], "stake": [result], "order": ["turned"],
        "result": [f"{result}>{other}" for other in RESULTS if other != result],
    }  # fmt: skip
    return NarrowFault(
        provision=random.choice(breakable[part, result]), part=part,
        change=random.choice(changes[part]), when=random.choice([*circumstances]),
    )  # fmt: skip
