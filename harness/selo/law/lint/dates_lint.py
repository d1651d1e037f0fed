"""Lint of the days of an instrument and of the acts that change it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from selo.law.files.provision_file import Effect

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.errors import Problem
    from selo.law.files.provision_file import Day
    from selo.law.loader import InstrumentFolder

#: An act in the chain that reaches the whole text.
_ALL: Final = "all"


def check_dates(folder: InstrumentFolder) -> Iterator[Problem]:
    """Yield days that cannot be, and acts that change what the instrument does not have."""
    instrument, document = folder.instrument, folder.document
    dates = instrument.dates
    days: list[tuple[tuple[str, str | int], Day]] = [
        (("dates", "signed"), dates.signed),
        (("dates", "published"), dates.published),
        (("dates", "in_force"), dates.in_force),
        *((("chain", at), link.day) for at, link in enumerate(instrument.chain)),
    ]
    for place, day in days:
        if day.not_before > day.not_after:
            yield document.problem(
                *place,
                problem=f"{day.not_before} to {day.not_after} is not a valid period",
                hint="not_before is the first possible day, not_after the last.",
            )
    order = [("published", dates.signed, dates.published), ("in_force", dates.published,
             dates.in_force)]  # fmt: skip
    for name, earlier, later in order:
        if later.not_after < earlier.not_before:
            yield document.problem(
                "dates",
                name,
                problem=f"{later.not_after} is before {earlier.not_before}",
                hint="An act is signed, then published, then in force.",
            )
    if instrument.known_until is not None and instrument.known_until < dates.published.not_before:
        yield document.problem(
            "known_until",
            problem=f"{instrument.known_until} is before the instrument was published",
            hint="Write the last day up to which later acts were looked for.",
        )
    yield from _check_chain(folder)


def _check_chain(folder: InstrumentFolder) -> Iterator[Problem]:
    """Yield later acts that come before the instrument or change no article of it."""
    instrument, document = folder.instrument, folder.document
    held = {file.article.article for file in folder.articles}
    known = {_ALL, *held, *(name for part in instrument.not_held for name in part.articles)}
    for at, link in enumerate(instrument.chain):
        if link.effect is Effect.CHANGES:
            continue
        if link.day.not_after < instrument.dates.published.not_before:
            yield document.problem(
                "chain",
                at,
                problem=f"{link.act.pt} is earlier than the instrument that it changes",
                hint="Only an earlier act that this instrument changes has the effect `changes`.",
            )
        for name in sorted({*link.articles} - known):
            yield document.problem(
                "chain",
                at,
                "articles",
                problem=f"{link.act.pt} changes an article '{name}' that is not there",
                hint="Name articles of the instrument, those under not_held, or all.",
            )
