"""Tools for adapter authors: smoke test and templates."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.examine.adapter_tools.adapter_template import LANGUAGES, write_adapter
    from selo.examine.adapter_tools.exchange_record import (
        JudgedAnswer,
        judge_message,
        parse_message,
    )
    from selo.examine.adapter_tools.smoke_test import (
        SmokeCheck,
        SmokeState,
        lacks_protection,
        run_smoke_checks,
    )
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "LANGUAGES",
    "JudgedAnswer",
    "SmokeCheck",
    "SmokeState",
    "exchange_record",
    "judge_message",
    "lacks_protection",
    "parse_message",
    "run_smoke_checks",
    "write_adapter",
]
