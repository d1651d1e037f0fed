"""Says in words how a text stands on a day."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.law.status import Standing, on
from selo.words.messages import say

if TYPE_CHECKING:
    import datetime as dt

    from selo.law.model import Instrument
    from selo.law.status import Status

_KEYS = {
    Standing.IN_FORCE: "in-force",
    Standing.AMENDED: "amended",
    Standing.REVOKED: "revoked",
    Standing.NOT_YET: "not-yet",
}


def told(status: Status, day: dt.date, language: str) -> str:
    """Return one sentence about `status`."""
    key = f"law.status.{_KEYS[status.standing]}" + ("" if status.certain else ".perhaps")
    act = None if status.by is None else status.by.act.get("zh" if language == "zh" else "pt")
    return say(key, language, day=day.isoformat(), act=act)


def as_record(
    instrument: Instrument, day: dt.date, article: str | None = None
) -> dict[str, object]:
    """Return the status for JSON output."""
    status = on(instrument, day, article=article)
    return {
        "as_of": day,
        "standing": _KEYS[status.standing],
        "certain": status.certain,
        "stored_text_is_law": status.is_law,
        "by": None if status.by is None else status.by.act,
        "told": {language: told(status, day, language) for language in ("pt", "zh", "en")},
    }
