"""Tables simulated by a state machine of Hypothesis, which made those of engines 1 and 2.

Hypothesis chooses the next move and everything that a move leaves open, from a seeded generator.
"""

import random

from hypothesis import HealthCheck, Phase, Verbosity, settings
from hypothesis import strategies as st
from hypothesis.internal.conjecture.providers import AVAILABLE_PROVIDERS, PrimitiveProvider
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)

_BACKEND = "selo-seeded"
_STEPS_PER_TABLE = 24


class _SeededProvider(PrimitiveProvider):
    lifetime = "test_function"
    generator = random.Random(0)  # noqa: S311 - it repeats itself on purpose

    def draw_boolean(self, p=0.5):
        return self.generator.random() < p

    def draw_integer(
        self,
        min_value=None,
        max_value=None,
        *,
        weights=None,
        shrink_towards=0,
    ):
        del weights
        low = shrink_towards - 2**16 if min_value is None else min_value
        return self.generator.randint(low, low + 2**17 if max_value is None else max_value)

    def draw_float(self, **bounds):
        return float(min(max(self.generator.random(), bounds["min_value"]), bounds["max_value"]))

    def draw_string(self, intervals, *, min_size=0, max_size=0):
        del max_size
        return "".join(intervals.char_in_shrink_order(0) for _ in range(min_size))

    def draw_bytes(self, min_size=0, max_size=0):
        del max_size
        return bytes(min_size)


AVAILABLE_PROVIDERS[_BACKEND] = f"{__name__}._SeededProvider"


class _HypothesisChooser:
    def __init__(self, data):
        self._data = data

    def pick(self, options):
        return self._data.draw(st.sampled_from(list(options)))


def _rule_for(name):
    def make_move(self, data):
        self.possible[name](_HypothesisChooser(data))
        self.possible = self.model.moves()

    make_move.__name__ = name
    ruled = rule(data=st.data())(make_move)
    return precondition(lambda self: name in self.possible)(ruled)


class TableMachine(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        self.model = type(self).make()
        self.possible = {}

    @initialize(data=st.data())
    def prepare(self, data):
        self.model.prepare(_HypothesisChooser(data))
        self.possible = self.model.moves()

    open_round = _rule_for("open")
    # Twice, since betting is the most frequent move.
    bet = _rule_for("bet")
    another_bet = _rule_for("bet")
    strange = _rule_for("strange")
    change = _rule_for("change")
    add = _rule_for("add")
    decide = _rule_for("decide")
    happen = _rule_for("happen")
    stop = _rule_for("stop")
    go_on = _rule_for("on")

    @precondition(lambda self: not self.possible)
    @rule()
    def wait(self):
        pass

    def teardown(self):
        self.model.finish(_FirstChooser())
        self.finished.append(self.model)


def simulate_tables(make, seed, count):
    finished = []
    machine = type("Played", (TableMachine,), {"make": staticmethod(make), "finished": finished})
    _SeededProvider.generator = random.Random(seed)  # noqa: S311 - it repeats itself on purpose
    run_state_machine_as_test(
        machine,
        settings=settings(
            backend=_BACKEND,
            database=None,
            deadline=None,
            max_examples=count + 1,
            phases=[Phase.generate],
            stateful_step_count=_STEPS_PER_TABLE,
            suppress_health_check=list(HealthCheck),
            verbosity=Verbosity.quiet,
        ),
    )
    # The first is always the simplest one, whatever the seed.
    return finished[1:]


class _FirstChooser:
    def pick(self, options):
        return options[0]
