"""The status of a legal text on a day, for JSON output."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.law.status import STANDING_NAMES, describe_status, status_on

if TYPE_CHECKING:
    import datetime as dt

    from selo.law.files.provision_file import Instrument


def record_law_status(
    instrument: Instrument, day: dt.date, article: str | None = None
) -> dict[str, object]:
    """Return the status for JSON output."""
    status = status_on(instrument, day, article=article)
    return {
        "as_of": day,
        "standing": STANDING_NAMES[status.standing],
        "certain": status.certain,
        "stored_text_is_law": status.is_law,
        "known_until": status.known_until,
        "by": None if status.by is None else status.by.act,
        "told": describe_status(status, day),
    }
