"""What is concluded of what was seen, by the program and by people, for each provision."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.verdict.truth_tables import Result, Verdict, VerdictReason, judge_provision
    from selo.verdict.verdict_phrases import explain_verdict, missing_offer_phrase
else:
    __getattr__ = front_door(
        __name__,
        {
            "truth_tables": ["VerdictReason", "Result", "Verdict", "judge_provision"],
            "verdict_phrases": ["missing_offer_phrase", "explain_verdict"],
        },
    )

__all__ = [
    "VerdictReason",
    "Result",
    "Verdict",
    "missing_offer_phrase",
    "explain_verdict",
    "observations",
    "overall",
    "rulings",
    "judge_provision",
]
