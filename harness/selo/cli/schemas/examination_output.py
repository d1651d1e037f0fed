"""Types of the ``--json`` output of the commands on the examination."""

from __future__ import annotations

from typing import Any, Final

from selo.cli.schemas.output_model import OutputStruct
from selo.draws.draw_verdict import DrawStatistic
from selo.examine.conclusion import ExaminationResult
from selo.examine.coverage import Coverage
from selo.examine.coverage.plan_listing import (
    DrawForecast,
    FreeRoundForecast,
    PlannedGroup,
    PlannedRound,
)
from selo.examine.plan import Terms
from selo.examine.selftest import KillScore


class PlanListedOutput(OutputStruct, frozen=True):
    """``selo plan``."""

    #: The vendor whose plan it is; nothing for one that offers everything.
    vendor: str | None
    digest: str
    terms: Terms
    #: How many cases all groups have together.
    cases: int
    groups: list[PlannedGroup]
    #: What is asked of the declarations of each game; these are no cases.
    declarations: list[PlannedGroup]
    rounds: list[PlannedRound]
    #: Why some rounds are not played.
    rounds_left_out: list[str]
    #: Rounds at tables that draw their own outcomes, and what tests of these will show.
    free_rounds: list[FreeRoundForecast]
    draws: list[DrawForecast]
    #: Whether each provision in scope binds, forbids, permits, offers a choice or defines.
    force: dict[str, list[str]]
    #: Games that were asked for and that the vendor does not offer.
    not_offered: list[str]


class ReplayOutput(OutputStruct, frozen=True):
    """``selo replay``."""

    finding: str
    still: bool
    answer: Any
    #: What the law requires, and what the vendor answers now, of the bet or comparison judged.
    expected: dict[str, Any]
    observed: dict[str, Any]
    same_edition: bool


class DrawnAgainOutput(OutputStruct, frozen=True):
    """``selo replay`` of a finding that rests on draws."""

    finding: str
    still: bool
    #: What was wrong with the draws, if they were none.
    fault: dict[str, str] | None
    statistics: list[DrawStatistic]
    same_edition: bool


class ExchangeReplayOutput(OutputStruct, frozen=True):
    """``selo replay`` of an exchange that ``selo record`` kept."""

    exchange: str
    messages: int
    #: The numbers of the lines whose answers are others now.
    changed: list[int]


class ClusterStartedOutput(OutputStruct, frozen=True):
    """``selo cluster start``, once the scheduler listens."""

    address: str
    keys: str


class ClusterJoinedOutput(OutputStruct, frozen=True):
    """``selo cluster join``, once the workers are known to the scheduler."""

    address: str
    workers: int


OUTPUTS: Final[dict[str, Any]] = {
    "plan": PlanListedOutput,
    "examine": ExaminationResult,
    "resume": ExaminationResult,
    "cluster start": ClusterStartedOutput,
    "cluster join": ClusterJoinedOutput,
    "replay": (ReplayOutput, DrawnAgainOutput, ExchangeReplayOutput),
    "coverage": Coverage,
    "selftest": KillScore,
}
