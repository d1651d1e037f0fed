"""Verdicts in words, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.text.message_catalogue import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.verdict.observations import MissingOffer
    from selo.verdict.overall import Overall
    from selo.verdict.rulings import Ruling
    from selo.verdict.truth_tables import Result, Verdict


def result_name(result: Result | Overall, language: str) -> str:
    """Return the name of a result."""
    return say(f"verdict.{result}", language)


def missing_offer_phrase(one: MissingOffer, language: str) -> str:
    """Return one thing that is not offered, by its name in the protocol."""
    name = f"{one.name}: {one.value}" if one.value else one.name
    return say(f"lacking.{one.kind}", language, name=name)


def explain_verdict(verdict: Verdict, language: str) -> Iterator[str]:
    """Yield why the verdict is what it is: the reason, the law file's words, the readings."""
    yield say(f"verdict.reason.{verdict.reason}", language)
    if verdict.not_offered:
        what = ", ".join(missing_offer_phrase(one, language) for one in verdict.not_offered)
        yield say("verdict.not-offered", language, what=what)
    if verdict.left_out is not None:
        yield verdict.left_out
    elif verdict.idle is not None:
        yield "=".join(verdict.idle)
    elif verdict.because is not None and not verdict.counts:
        yield verdict.because.get(language)
    for one in verdict.followed:
        yield say(
            "verdict.followed",
            language,
            divergence=one.divergence,
            reading=", ".join(one.readings) or "–",
            times=one.times,
            cases=one.cases,
        )


def ruling_phrase(ruling: Ruling, language: str) -> str:
    """Return which reading was adopted, by whom and when."""
    said = [ruling.by, "" if ruling.on is None else ruling.on.isoformat()]
    said.append(say(f"verdict.ruling.{ruling.source}", language))
    return f"{ruling.divergence}: {ruling.reading} ({', '.join(one for one in said if one)})"
