"""Verdicts on provisions, derived from observations of the program and of people."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.verdict.provision_verdict import ReadingVerdict, Verdict, judge_provision
    from selo.verdict.result_and_reason import Result, VerdictReason
    from selo.verdict.verdict_phrases import explain_verdict, missing_offer_phrase
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "ReadingVerdict",
    "Result",
    "Verdict",
    "VerdictReason",
    "explain_verdict",
    "judge_provision",
    "missing_offer_phrase",
    "observations",
    "overall",
    "rulings",
]
