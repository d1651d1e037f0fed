"""The day on which something happens: that of Macau, wherever the machine stands.

A law holds from a day on, and a day begins in Macau eight hours before it does in Greenwich. Two
machines that are asked at one moment must name the same law.
"""

from __future__ import annotations

import datetime as dt
from typing import Final

#: Macau changes no clocks, so no table of time zones is needed, which a small machine may not have.
MACAU: Final = dt.timezone(dt.timedelta(hours=8))


def macau_today(moment: dt.datetime | None = None) -> dt.date:
    """Return the day in Macau, now or at some moment."""
    return (moment or dt.datetime.now(dt.UTC)).astimezone(MACAU).date()
