"""Says in all languages how a text stands on a day."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.law import Standing
from selo.text.message_catalogue import say
from selo.text.multilingual import Words

if TYPE_CHECKING:
    import datetime as dt

    from selo.law import Status

NAMES = {
    Standing.IN_FORCE: "in-force",
    Standing.AMENDED: "amended",
    Standing.REVOKED: "revoked",
    Standing.NOT_YET: "not-yet",
}


def told(status: Status, day: dt.date, language: str) -> str:
    """Return one sentence about `status`."""
    key = f"law.status.{NAMES[status.standing]}" + ("" if status.certain else ".perhaps")
    act = None if status.by is None else status.by.act.get("zh" if language == "zh" else "pt")
    return say(key, language, day=day.isoformat(), act=act)


def standing_of(status: Status, day: dt.date) -> Words:
    """Return the same sentence in every language."""
    return Words(pt=told(status, day, "pt"), zh=told(status, day, "zh"), en=told(status, day, "en"))
