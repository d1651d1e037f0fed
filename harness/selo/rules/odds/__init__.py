"""Exact odds of every bet: nothing sampled, nothing rounded, every number from the law files."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.rules.odds.bet_odds import BetOdds, format_percentage
    from selo.rules.odds.game_odds import OddsCatalogue
    from selo.rules.odds.markov import EQUAL_STAKES, WITHIN_LIMIT
    from selo.rules.odds.par_sheet import check_par_sheet, read_par_sheet
    from selo.rules.odds.reading_odds import OddsChange, list_odds_changes
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "EQUAL_STAKES",
    "WITHIN_LIMIT",
    "BetOdds",
    "OddsCatalogue",
    "OddsChange",
    "check_par_sheet",
    "format_percentage",
    "list_odds_changes",
    "par_sheet",
    "read_par_sheet",
]
