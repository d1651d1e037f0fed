"""The engine number: which judging, making of plans and format of the law a document was made by.

It changes only when one of these can change: a verdict of an older document may then be computed
otherwise, or its plan be made otherwise. Words, layout, new readings and the version of the program
do not change it. ``tests/engine`` holds a digest of everything judging depends on, which has to be
acknowledged together with the number (``make engine``).
"""

import datetime as dt
from typing import Final

#: The engine of this program.
ENGINE: Final = 3
#: What documents carry that were made before engines had numbers.
UNNUMBERED: Final = 0
#: The first engine whose editions tell what the program knew before (`selo.edition_completion`).
FIRST_TOLD_BY_LAW: Final = 2


#: Engines whose plans this one does not make, with the moment at which the next engine replaced
#: them. Evidence of them is compared with the questions that it records (`selo.examine.plan`): a
#: moment that lies ahead would let whoever has trusted keys leave questions out until then.
RETIRED_PLANS: Final[tuple[tuple[int, dt.datetime], ...]] = (
    (1, dt.datetime(2026, 11, 19, 6, 10, tzinfo=dt.UTC)),
)
#: Engines that made the plans of this one and judged an answer otherwise, with the same moment.
JUDGED_OTHERWISE: Final[tuple[tuple[int, dt.datetime], ...]] = (
    (2, dt.datetime(2026, 11, 20, tzinfo=dt.UTC)),
)


def plan_retired_at(engine: int) -> dt.datetime | None:
    """Return since when the plans of an engine are not made again; None if they are.

    An engine is listed only where a test shows a plan that is made otherwise.
    """
    return dict(RETIRED_PLANS).get(engine)


def judging_retired_at(engine: int) -> dt.datetime | None:
    """Return since when nobody judges as an engine did; None if this program does.

    An engine is listed only where a test shows an answer that is judged otherwise.
    """
    return dict(RETIRED_PLANS + JUDGED_OTHERWISE).get(engine)


def can_judge(engine: int) -> bool:
    """Return whether this program computes verdicts of documents of an engine.

    An engine is left out here only where a test shows a case that is judged otherwise.
    """
    return UNNUMBERED <= engine <= ENGINE
