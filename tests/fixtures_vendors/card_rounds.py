"""Follows a live table with cards: the log of its rounds, the law that watches, and the money."""

import importlib
import random
import sys
from pathlib import Path

from selo.rules.procedure.procedure_rules import ActRuling, compile_procedure
from selo.rules.readings.reading_choice import Readings

VENDORS = str(Path(__file__).resolve().parents[2] / "fixtures" / "vendors")
BACK = {"win", "push", "void", "refused"}


def repeatable(seed):
    return random.Random(seed)  # noqa: S311 - a round that failed must come again


class Play:
    """A table, the log of what happened at it, and what lies on it by our own count."""

    def __init__(self, table, settle, procedure, options):
        self.table, self.settle, self.procedure, self.options = table, settle, procedure, options
        self.log = list(table.opened())
        self.fields = {one.id: {*one.fields, *one.optional} for one in procedure.file.events}
        #: The bets by ticket, in the order in which they were accepted.
        self.lying = {}
        self.settled = []
        self.wrong = []
        #: Whether the law is asked before each act; `judge` finds a wrong answer afterwards too.
        self.asks_first = True

    def do(self, name, **fields):
        result = self.table.act({"act": name, **fields})
        if name in self.table.ACTS:
            self.log.append({**self.event(name, fields), "answer": result["answer"]})
        self.log += result["events"]
        if result["answer"] == "refused":
            assert result["events"] == []
            assert result.keys() == {"answer", "reason", "events"}
        self.settled += result.get("settlements", [])
        return result

    def event(self, name, fields):
        known = {key: value for key, value in fields.items() if key in self.fields[name]}
        return {"event": name, **known}

    def ask(self, name, **fields):
        """Ask for an act, and hold the answer against the law."""
        verdict = ActRuling.OPEN
        if self.asks_first:
            verdict = self.procedure.rule_on_act(self.log, self.event(name, fields))
        accepted = self.do(name, **fields)["answer"] == "accepted"
        if verdict is not ActRuling.OPEN and accepted is not (verdict is ActRuling.ACCEPT):
            self.wrong.append((len(self.log), name, fields, verdict))
        return accepted

    def happen(self, name, **fields):
        return self.do("happen", event={"event": name, **fields})

    def go_on(self, until=None):
        return self.do("go-on", **({"until": until} if until else {}))

    def breaches(self):
        """Return whatever the law has against the log, and against the answers to acts."""
        found = [
            (one.index, one.constraint.key if one.constraint else one.required)
            for one in self.procedure.judge(self.log)
        ]
        return found + self.wrong

    def lacks(self):
        return [one.constraint.key for one in self.procedure.find_missing(self.log)]

    def names(self):
        return [event["event"] for event in self.log]


def paid(settlements):
    """Return what became of each ticket: result, prize, commission, and what goes back."""
    return {
        one["ticket"]: (one["result"], one["prize"], one["commission"], one["stake"])
        for one in settlements
    }


def expected(settle, options, outcome, bets):
    """Return the same from `settle`, for all bets that lie there."""
    found = {}
    for (ticket, bet), one in zip(
        bets.items(), settle(options, outcome, list(bets.values())), strict=True
    ):
        back = bet["stake"] if one["result"] in BACK else 0
        found[ticket] = (one["result"], one["prize"], one["commission"], back)
    return found


def opener(law, game):
    """Return how a table of `game` is opened, under the law as it is read by default."""
    if VENDORS not in sys.path:
        sys.path.insert(0, VENDORS)
    name = game.replace("-", "_")
    module = importlib.import_module(f"tables.{name}")
    settle = importlib.import_module(name).settle
    readings, procedures = Readings(law), {}

    def opened(options=None, seed=1):
        options = options or {}
        known = {
            one.id
            for one in compile_procedure(law, game, readings).file.options
        } if options else set()  # fmt: skip
        declared = {key: value for key, value in options.items() if key in known}
        if repr(declared) not in procedures:
            procedures[repr(declared)] = compile_procedure(law, game, readings, declared)
        table = module.Table(options, repeatable(seed))
        return Play(table, settle, procedures[repr(declared)], options)

    return opened
