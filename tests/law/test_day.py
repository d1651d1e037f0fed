"""The day is that of Macau, whatever the machine believes."""

import datetime as dt
import os
import subprocess
import sys

import pytest

from selo.law.status import macau_today


@pytest.mark.parametrize(
    ("moment", "day"),
    [
        # Midnight in Macau is four in the afternoon in Greenwich.
        ("2026-11-17T15:59:59+00:00", "2026-11-17"),
        ("2026-11-17T16:00:00+00:00", "2026-11-18"),
        ("2026-12-31T23:00:00+07:00", "2027-01-01"),
        ("2027-01-01T05:59:00+14:00", "2026-12-31"),
    ],
)
def test_the_day_begins_at_midnight_in_macau(moment, day):
    assert macau_today(dt.datetime.fromisoformat(moment)).isoformat() == day


def test_now_is_the_same_day_in_every_time_zone():
    # Twelve hours behind Greenwich and fourteen before it, it is never the same day.
    told = {
        subprocess.run(
            [sys.executable, "-c", "from selo.law.status import macau_today; print(macau_today())"],
            env={**os.environ, "TZ": zone}, capture_output=True, text=True, check=True,
        ).stdout
        for zone in ("Etc/GMT+12", "Etc/GMT-14")
    }  # fmt: skip

    assert len(told) == 1
