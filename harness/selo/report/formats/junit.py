"""JUnit XML: a suite for each instrument, a case for each provision, a last case for the verdict.

A provision that conforms or was witnessed passes; one that violates fails; an inconclusive one is
an error, and so is one whose text was not the law on the day asked for; one that was not examined,
or waits for a witness, is skipped. The last case of each
suite carries the overall verdict, so that no file is green when the verdict is not.
Findings on provisions that were not requested are in a group of their own, and a property of the
suite names each of them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from xml.etree import ElementTree as ET

from selo.report.formats.terminal_summary import render_bets
from selo.text import say
from selo.text.sanitize import escape_unseen
from selo.verdict import Result
from selo.verdict.overall import Overall

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from selo.report.model.report_model import CaseSheet, GameRecord, ProvisionRecord, Report

#: The name of the last case of a suite, after its game.
CONCLUSION: Final = "conclusion"
#: The group and the property of findings and provisions that were not requested.
OUTSIDE: Final = "outside"
#: The property of a ruling by which nothing was examined.
RECORDED: Final = "ruling-recorded-not-examined"
_TAGS: Final[Mapping[str, str]] = {
    Result.VIOLATES: "failure",
    Result.INCONCLUSIVE: "error",
    Result.NOT_LAW: "error",
    Result.NOT_EXAMINED: "skipped",
    Result.TO_BE_WITNESSED: "skipped",
    Overall.NOT_FULLY_VERIFIED: "skipped",
}
#: Visible characters that XML does not allow.
_NOT_XML: Final = re.compile("[\ufffe\uffff]")


def render_junit(report: Report, language: str = "en") -> bytes:
    """Return `report` as JUnit XML in UTF-8."""
    sheets = {finding.id: finding for finding in report.findings}
    by_game: dict[str, list[ProvisionRecord]] = {}
    for provision in report.provisions:
        by_game.setdefault(provision.game, []).append(provision)
    suites = [
        _suite(report, game, by_game.get(game.game, []), sheets, language) for game in report.games
    ]
    top = ET.Element("testsuites", {"name": _escape_for_xml(f"selo {report.kind} {report.number}")})
    for name in ("tests", "failures", "errors"):
        top.set(name, str(sum(int(suite.get(name, "0")) for suite in suites)))
    top.extend(suites)
    ET.indent(top)
    encoded: bytes = ET.tostring(top, encoding="utf-8", xml_declaration=True)
    return encoded + b"\n"


def _suite(
    report: Report,
    game: GameRecord,
    provisions: list[ProvisionRecord],
    sheets: Mapping[str, CaseSheet],
    language: str,
) -> ET.Element:
    outside = [] if report.outside is None else report.outside.provisions
    cases = [
        _case(provision, sheets, language, outside=provision.id in outside)
        for provision in provisions
    ]
    cases.append(_conclusion(game))
    tags = [child.tag for case in cases for child in case]
    suite = ET.Element(
        "testsuite",
        {
            "name": game.instrument,
            "tests": str(len(cases)),
            "failures": str(tags.count("failure")),
            "errors": str(tags.count("error")),
            "skipped": str(tags.count("skipped")),
        },
    )
    properties = ET.SubElement(suite, "properties")
    for name, value in _properties(report, game, language):
        ET.SubElement(properties, "property", {"name": name, "value": _escape_for_xml(value)})
    suite.extend(cases)
    return suite


def _properties(report: Report, game: GameRecord, language: str) -> Iterator[tuple[str, str]]:
    """Yield the properties that identify the document, the item and the law."""
    norm = next(norm for norm in report.norms if norm.instrument == game.instrument)
    yield "kind", report.kind
    yield "number", report.number
    yield "demonstration", str(report.demonstration).lower()
    yield "overall", report.overall
    yield "game", game.game
    yield "game.overall", game.overall
    yield "vendor", report.item.vendor
    yield "product", report.item.product
    yield "version", report.item.version
    yield "as_of", report.method.as_of.isoformat()
    yield "standing", norm.standing
    yield "is_law", str(norm.is_law).lower()
    yield "text_as_stored", str(report.method.text_as_stored).lower()
    yield "text", norm.status.en
    yield "spec_digest", report.method.spec_digest
    yield "plan", report.method.plan
    yield "seed", str(report.method.seed.number)
    yield "evidence_root", report.evidence.root
    for recorded in report.method.recorded:
        yield RECORDED, recorded.describe(language)
    if report.outside is not None:
        provisions = {
            provision.id for provision in report.provisions if provision.game == game.game
        }
        yield from ((OUTSIDE, name) for name in report.outside.provisions if name in provisions)
        sheets = [finding.id for finding in report.findings if finding.game == game.game]
        yield from ((OUTSIDE, name) for name in sheets if name in report.outside.findings)


def _case(
    provision: ProvisionRecord, sheets: Mapping[str, CaseSheet], language: str, *, outside: bool
) -> ET.Element:
    case = ET.Element(
        "testcase",
        {"classname": f"{provision.instrument}.{provision.article}", "name": provision.id},
    )
    if outside:
        case.set("group", OUTSIDE)
    tag = _TAGS.get(provision.result)
    if tag is not None:
        element = ET.SubElement(
            case, tag, {"type": provision.reason, "message": _message(provision, language)}
        )
        if tag != "skipped":
            element.text = _escape_for_xml(
                "\n".join(_body_lines(provision, sheets, language)), keep="\n"
            )
    output = ET.SubElement(case, "system-out")
    under = (
        f"\nunder {ruled.divergence} = {ruled.reading}: {ruled.result} ({ruled.reason})"
        for ruled in provision.under
    )
    output.text = (
        f"{provision.result} ({provision.reason}): {provision.cases} cases, "
        f"{provision.decisive} decisive{''.join(under)}"
    )
    return case


def _conclusion(game: GameRecord) -> ET.Element:
    name = f"{game.game}/{CONCLUSION}"
    case = ET.Element("testcase", {"classname": game.instrument, "name": name})
    tag = _TAGS.get(game.overall)
    if tag is not None:
        ET.SubElement(case, tag, {"type": game.overall, "message": game.overall})
    return case


def _message(provision: ProvisionRecord, language: str) -> str:
    return _escape_for_xml(f"{provision.citation.pt}: {provision.because.get(language)}")


def _body_lines(
    provision: ProvisionRecord, sheets: Mapping[str, CaseSheet], language: str
) -> Iterator[str]:
    """Yield the text of the law and the findings."""
    for text in (provision.text.pt, provision.text.zh):
        if text is not None:
            yield text
    for name in provision.findings:
        sheet = sheets[name]
        label = say(f"finding.{sheet.label}", language)
        yield f"{sheet.id}: {label}: {sheet.title.get(language)}"
        yield f"  {sheet.required.get(language)}"
        yield f"  {sheet.seen.get(language)}"
        yield from (f"  {line}" for line in render_bets(sheet, language))
        texts = (sheet.difference, sheet.edge, *sheet.notes, sheet.where)
        yield from (f"  {text.get(language)}" for text in texts if text is not None)
        yield f"  {sheet.replay}"


def _escape_for_xml(text: str, keep: str = "") -> str:
    """Return `text` without characters that are invisible or not allowed in XML."""
    lines = text.split(keep) if keep else [text]
    return _NOT_XML.sub("\ufffd", (keep or " ").join(escape_unseen(line) for line in lines))
