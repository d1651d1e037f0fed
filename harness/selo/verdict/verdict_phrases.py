"""Verdicts, missing offers and rulings as sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.text import say
from selo.verdict.observations import NotOffered

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.verdict.observations import MissingOffer
    from selo.verdict.provision_verdict import Verdict
    from selo.verdict.rulings import Ruling


def missing_offer_phrase(offer: MissingOffer, language: str) -> str:
    """Return what is not offered, by its name in the protocol."""
    name = f"{offer.name}: {offer.value}" if offer.value else offer.name
    phrase = say(f"lacking.{offer.kind}", language, name=name)
    return f"{phrase} (`history`)" if offer.kind is NotOffered.HISTORY else phrase


def explain_verdict(verdict: Verdict, language: str) -> Iterator[str]:
    """Yield the explanation of a verdict: reason, missing offers, law file's words, readings."""
    yield say(f"verdict.reason.{verdict.reason}", language)
    if verdict.status is not None:
        yield verdict.status.get(language)
    if verdict.hidden:
        yield say("verdict.hidden", language, findings=", ".join(verdict.hidden))
    if verdict.not_offered:
        offers = ", ".join(missing_offer_phrase(offer, language) for offer in verdict.not_offered)
        yield say("verdict.not-offered", language, what=offers)
    if verdict.left_out is not None:
        yield verdict.left_out
    elif verdict.idle is not None:
        yield "=".join(verdict.idle)
    elif verdict.because is not None and not verdict.counts:
        yield verdict.because.get(language)
    for adherence in verdict.followed:
        yield say(
            "verdict.followed",
            language,
            divergence=adherence.divergence,
            reading=", ".join(adherence.readings) or "–",
            times=adherence.times,
            cases=adherence.cases,
        )


def ruling_phrase(ruling: Ruling, language: str) -> str:
    """Return the adopted reading, by whom and when."""
    details = [ruling.by, "" if ruling.on is None else ruling.on.isoformat()]
    details.append(say(f"verdict.ruling.{ruling.source}", language))
    known = ", ".join(detail for detail in details if detail)
    return f"{ruling.divergence}: {ruling.reading} ({known})"
