"""How a text stands on a day, for output as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.law import on
from selo.report.phrases import NAMES, standing_of, told

if TYPE_CHECKING:
    import datetime as dt

    from selo.law.files.provision_file import Instrument

__all__ = ["as_record", "told"]


def as_record(
    instrument: Instrument, day: dt.date, article: str | None = None
) -> dict[str, object]:
    """Return the status for JSON output."""
    status = on(instrument, day, article=article)
    return {
        "as_of": day,
        "standing": NAMES[status.standing],
        "certain": status.certain,
        "stored_text_is_law": status.is_law,
        "by": None if status.by is None else status.by.act,
        "told": standing_of(status, day),
    }
