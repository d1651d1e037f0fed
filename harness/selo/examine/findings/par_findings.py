"""Findings of PAR sheets: figures that a vendor declares of its bets and that are not exact.

No article is broken by a wrong figure, so such a finding accuses no provision; the document that
states the figure is wrong, and the whole result is left open.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from selo.cases import AnswerPart
from selo.cases.case_numbers import NO_CASES
from selo.examine.findings.finding import Finding
from selo.rules.odds import OddsCatalogue, check_par_sheet
from selo.rules.readings import Readings
from selo.text import Words, say, user_error

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from selo.examine.findings.finding import FindingOrigin
    from selo.law import Law
    from selo.rules.odds.par_sheet import ParCheck, ParSheet

#: The method of findings about a PAR sheet; nothing is asked of the vendor.
PAR: Final = "par"
#: How the codes of causes begin that are wrong figures of a PAR sheet.
_PAR_CODES: Final = "par:"


def check_sheets(
    law: Law, sheets: Sequence[ParSheet], rulings: dict[str, str]
) -> Iterator[tuple[ParSheet, ParCheck]]:
    """Yield every declared figure beside the exact one; raise where a sheet names no known bet."""
    catalogue, readings = OddsCatalogue(law), Readings(law, rulings)
    for sheet in sheets:
        if sheet.game not in catalogue.games():
            known = ", ".join(catalogue.games())
            raise user_error("game-with-bets", name=sheet.game, known=known)
        figures = catalogue.figures(sheet.game, readings, wanted=sheet.packs)
        for check in check_par_sheet(Path(sheet.game), sheet, figures):
            yield sheet, check


def collect_par_findings(
    law: Law, sheets: Sequence[ParSheet], origin: FindingOrigin
) -> Iterator[Finding]:
    """Yield a finding for each declared figure that is not the exact one."""
    for sheet, check in check_sheets(law, sheets, origin.rulings):
        if not check.right:
            yield _build_finding(sheet, check, origin)


def _build_finding(sheet: ParSheet, check: ParCheck, origin: FindingOrigin) -> Finding:
    named = " ".join(filter(None, (check.bet, check.choice, check.manner)))
    code = f"{_PAR_CODES}{'.'.join([check.figure, *named.split()])}"
    return Finding(
        id="",
        verdict="protocol",
        game=sheet.game,
        provisions=[],
        cause="",
        cause_code=code,
        times=1,
        ways=1,
        first=0,
        method=PAR,
        params={
            "game": sheet.game,
            "bet": check.bet,
            **({} if check.choice is None else {"choice": check.choice}),
            **({} if check.manner is None else {"manner": check.manner}),
        },
        bet=None,
        expected={"exact": check.exact, "percent": check.percent},
        observed={"par": check.declared},
        money=None,
        law=[],
        readings=[],
        origin=origin,
        required=Words(
            **{
                language: say(
                    "par.required",
                    language,
                    bet=named,
                    declared=say(f"odds.par.{check.figure}", language),
                    exact=check.exact,
                    percent=check.percent,
                )
                for language in Words.__struct_fields__
            }
        ),
        parts=[AnswerPart.DECLARATION],
        differences={code: NO_CASES},
    )
