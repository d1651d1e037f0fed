"""Simulates tables with a Hypothesis state machine; imported only when scripts are generated.

Hypothesis chooses the next move and everything that a move leaves open. Its own provider of choices
depends on the modules that are loaded, so the same seed would give different scripts in different
programs. The provider here takes every choice from a seeded generator.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, Final, TypeVar

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

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from selo.rounds.generate.table_model import Chooser, TableModel

T = TypeVar("T")
_BACKEND: Final = "selo-seeded"
_STEPS_PER_TABLE: Final = 24


class _SeededProvider(PrimitiveProvider):
    """Choices from one seeded generator, the same in every process."""

    lifetime = "test_function"
    generator = random.Random(0)  # noqa: S311 - it repeats itself on purpose

    def draw_boolean(self, p: float = 0.5) -> bool:
        return self.generator.random() < p

    def draw_integer(
        self,
        min_value: int | None = None,
        max_value: int | None = None,
        *,
        weights: dict[int, float] | None = None,
        shrink_towards: int = 0,
    ) -> int:
        del weights
        low = shrink_towards - 2**16 if min_value is None else min_value
        return self.generator.randint(low, low + 2**17 if max_value is None else max_value)

    def draw_float(self, **bounds: Any) -> float:
        return float(min(max(self.generator.random(), bounds["min_value"]), bounds["max_value"]))

    def draw_string(self, intervals: Any, *, min_size: int = 0, max_size: int = 0) -> str:
        del max_size
        return "".join(intervals.char_in_shrink_order(0) for _ in range(min_size))

    def draw_bytes(self, min_size: int = 0, max_size: int = 0) -> bytes:
        del max_size
        return bytes(min_size)


AVAILABLE_PROVIDERS[_BACKEND] = f"{__name__}._SeededProvider"


class _HypothesisChooser:
    """Choices made by Hypothesis."""

    def __init__(self, data: Any) -> None:
        self._data = data

    def pick(self, options: Sequence[T]) -> T:
        """Return one of the options."""
        option: T = self._data.draw(st.sampled_from(list(options)))
        return option


def _rule_for(name: str) -> Any:
    """Return the rule that makes a move when it is possible."""

    def make_move(self: TableMachine, data: Any) -> None:
        self.possible[name](_HypothesisChooser(data))
        self.possible = self.model.moves()

    make_move.__name__ = name
    ruled = rule(data=st.data())(make_move)
    return precondition(lambda self: name in self.possible)(ruled)


class TableMachine(RuleBasedStateMachine):
    """A simulated table, move by move."""

    make: Callable[[], TableModel]
    finished: list[TableModel]

    def __init__(self) -> None:
        super().__init__()
        self.model = type(self).make()
        self.possible: dict[str, Callable[[Chooser], None]] = {}

    @initialize(data=st.data())
    def prepare(self, data: Any) -> None:
        """Open the table."""
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
    def wait(self) -> None:
        """Do nothing after the last round."""

    def teardown(self) -> None:
        """Finish the table after the last choice of Hypothesis."""
        self.model.finish(_FirstChooser())
        self.finished.append(self.model)


def simulate_tables(make: Callable[[], TableModel], seed: str, count: int) -> list[TableModel]:
    """Return `count` simulated tables, each played to its end."""
    finished: list[TableModel] = []
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
    """Always chooses the first option."""

    def pick(self, options: Sequence[T]) -> T:
        """Return the first of the options."""
        return options[0]
