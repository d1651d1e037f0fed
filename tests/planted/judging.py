"""Holds a vendor with a planted fault against the law: what it settles, and the rounds it plays."""

import functools
import importlib
import sys
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from types import SimpleNamespace

from selo.cases.generate.case_stream import stream_cases
from selo.cases.oracle.case_oracle import Oracle
from selo.cases.scope import offer_everything
from selo.rounds.judge.table_log import TableLog
from selo.rounds.judge.winning_sections import WinningSections
from selo.rules.clauses.clause_reader import read_clauses
from selo.rules.procedure.procedure_rules import compile_procedure
from selo.rules.procedure.step_reader import find_events_file
from selo.rules.readings.reading_choice import Readings

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
#: How a provision is verified when it can be seen in what software does.
SEEN = {"examination", "procedure"}
#: So many differences are looked at in a quick test, and the first so many of them closely.
SOME, FEW = 60, 12


@dataclass(frozen=True, kw_only=True)
class Difference:
    """A bet that is not settled as the law asks, or two hands that do not compare so."""

    case: object
    bet: int | None
    answer: object


def modules(game):
    """Return the program that serves planted vendors, and the faults of a game."""
    folder = str(FIXTURES)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    return (
        importlib.import_module("planted.vendor"),
        importlib.import_module(f"planted.{game.replace('-', '_')}"),
    )


class Judge:
    """The law of one game, and vendors of it."""

    def __init__(self, law, game):
        self.law, self.game = law, game
        self.serving, self.module = modules(game)
        self.oracle = Oracle(law)
        self._compiled = {}

    @functools.cached_property
    def cases(self):
        # In the order of their keys, which mixes the groups, few cases must be tried.
        cases = stream_cases(self.law, offer_everything(self.law, [self.game]))
        return sorted(cases, key=lambda case: case.key)

    @functools.cached_property
    def lawful(self):
        return [_answer(self._lawful_vendor, case) for case in self.cases]

    @functools.cached_property
    def _lawful_vendor(self):
        return self.serving.load(self.game)

    def provisions(self):
        """Return the provisions that software obeys or breaks, and those with rules it declares."""
        return {
            held.id
            for held in self.law.provisions.values()
            if held.instrument.game == self.game
            and (
                SEEN & {held.provision.verified_by, *held.provision.also}
                or (held.provision.verified_by == "configuration" and held.provision.rule)
            )
        }

    def differences(self, fault, more=(), methods=("settle", "compare")):
        """Yield what a fault answers otherwise than the lawful vendor, in quick cases and more."""
        vendor = self.serving.load(self.game, fault)
        quick = zip(self.cases, self.lawful, strict=True)
        for case, law in chain(self._answered(more), quick):
            answer = _answer(vendor, case) if case.method in methods else law
            if answer == law:
                continue
            if case.method == "compare":
                yield Difference(case=case, bet=None, answer=answer)
                continue
            for at, (one, other) in enumerate(zip(answer, law, strict=True)):
                if one != other:
                    yield Difference(case=case, bet=at, answer=[_read(each) for each in answer])

    def _answered(self, cases):
        return [(case, _answer(self._lawful_vendor, case)) for case in cases]

    def names(self, difference, provision):
        """Return whether the law derives what it asks from a provision."""
        reasons = self.oracle.derivation_of(difference.case, difference.bet or 0)
        return provision in {one.provision for one in reasons}

    def is_seen(self, differences, fault):
        """Return whether differences follow from the provision, and one from no other reading.

        The first few must all follow from it; of the rest only so many are looked at until one is
        lawful under no reading, save that of the point which the fault tells.
        """
        found = False
        for count, one in enumerate(islice(differences, SOME), 1):
            if count <= FEW and not self.names(one, fault.provision):
                return False
            found = found or self.readings(one) <= {fault.point}
            if found and count >= FEW:
                break
        return found

    def readings(self, difference):
        """Return the open points of which another reading would make an answer lawful."""
        found = self.oracle.lawful_readings(difference.case, difference.answer, difference.bet)
        return {point for point, _ in found}

    def log(self, fault, name=None):
        """Play the round of a fault, with a vendor that has it or another, and return its log."""
        vendor = self.serving.load(self.game, name) if name else self._lawful_vendor
        fields = self._fields()
        log = TableLog()
        opened = vendor.table_open({"table": "t", "game": self.game, "options": fault.options})
        log.add(-1, *opened["events"])
        for at, act in enumerate(fault.shows):
            result = vendor.table_act({"table": "t", "act": act})
            if act["act"] in fields:
                known = {key: act[key] for key in act if key in fields[act["act"]]}
                log.add(at, {"event": act["act"], **known, "answer": result["answer"]})
            log.add(at, *result["events"])
        log.add(len(fault.shows), *vendor.table_close({"table": "t"})["events"])
        self._sections.complete(SimpleNamespace(acts=fault.shows), log)
        return log.events

    def broken(self, fault, log, rulings=None):
        """Return the provisions that a log breaks, or leaves undone."""
        procedure = self._procedure(fault, rulings)
        found = [*procedure.judge(log), *procedure.find_missing(log)]
        return {one.provision or one.required for one in found}

    def lawful_readings(self, fault, log):
        """Return the open points of which another reading leaves the provision whole."""
        found = set()
        followed = Readings(self.law)
        points = {one.id: [each.id for each in one.readings] for one in self.law.divergences}
        for point in self._points(fault.provision):
            for reading in points[point]:
                others = {} if reading == followed.of(point) else {point: reading}
                if others and fault.provision not in self.broken(fault, log, others):
                    found.add(point)
        return found

    def _points(self, provision):
        """Return the open points on which what a provision asks depends."""
        written = read_clauses(self.law, self.game)
        return {point for one in written if one.held.id == provision for point in one.clause.under}

    @functools.cached_property
    def _sections(self):
        file = find_events_file(self.law, self.game)
        return WinningSections(self.law, self.game, Readings(self.law), file)

    def _fields(self):
        events = find_events_file(self.law, self.game).events
        return {one.id: {*one.fields, *one.optional} for one in events if one.by == "act"}

    def _procedure(self, fault, rulings):
        known = {one.id for one in find_events_file(self.law, self.game).options}
        declared = {key: value for key, value in fault.options.items() if key in known}
        at = repr((declared, rulings))
        if at not in self._compiled:
            readings = Readings(self.law, rulings)
            self._compiled[at] = compile_procedure(self.law, self.game, readings, declared)
        return self._compiled[at]


def _answer(vendor, case):
    if case.method == "compare":
        return vendor.compare(case.params())["order"]
    return vendor.settle(case.params())["settlements"]


def _read(settlement):
    return SimpleNamespace(**settlement)
