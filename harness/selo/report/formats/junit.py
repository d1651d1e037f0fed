"""JUnit XML: one suite for each instrument, one case for each provision and one for the whole.

What was found on the way, of provisions that nobody asked for, is in a group of its own, and a
property of the suite names each of them.
What conforms or was witnessed passes; what violates fails; what is inconclusive is an error; what
was not examined, or waits for a witness, is skipped. Whether the whole passes is told by the last
case of each suite, so that no file is green when the verdict is not.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from xml.etree import ElementTree as ET

from selo.text.sanitize import visible
from selo.verdict import Result
from selo.verdict.overall import Overall

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from selo.report.model.report_model import GameRecord, ProvisionRecord, Report, Sheet

#: The name of the last case of a suite, after its game.
CONCLUSION: Final = "conclusion"
#: The group and the property of what was not asked for.
OUTSIDE: Final = "outside"
_TAGS: Final[Mapping[str, str]] = {
    Result.VIOLATES: "failure",
    Result.INCONCLUSIVE: "error",
    Result.NOT_EXAMINED: "skipped",
    Result.TO_BE_WITNESSED: "skipped",
    Overall.NOT_FULLY_VERIFIED: "skipped",
}
#: What XML cannot hold and is not unseen.
_NOT_XML: Final = re.compile("[\ufffe\uffff]")


def as_junit(report: Report, language: str = "en") -> bytes:
    """Return `report` as JUnit XML in UTF-8."""
    sheets = {finding.id: finding for finding in report.findings}
    by_game: dict[str, list[ProvisionRecord]] = {}
    for provision in report.provisions:
        by_game.setdefault(provision.game, []).append(provision)
    suites = [
        _suite(report, game, by_game.get(game.game, []), sheets, language) for game in report.games
    ]
    top = ET.Element("testsuites", {"name": _safe(f"selo {report.kind} {report.number}")})
    for name in ("tests", "failures", "errors"):
        top.set(name, str(sum(int(suite.get(name, "0")) for suite in suites)))
    top.extend(suites)
    ET.indent(top)
    written: bytes = ET.tostring(top, encoding="utf-8", xml_declaration=True)
    return written + b"\n"


def _suite(
    report: Report,
    game: GameRecord,
    provisions: list[ProvisionRecord],
    sheets: Mapping[str, Sheet],
    language: str,
) -> ET.Element:
    apart = [] if report.outside is None else report.outside.provisions
    cases = [
        _case(provision, sheets, language, outside=provision.id in apart)
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
    for name, value in _properties(report, game):
        ET.SubElement(properties, "property", {"name": name, "value": _safe(value)})
    suite.extend(cases)
    return suite


def _properties(report: Report, game: GameRecord) -> Iterator[tuple[str, str]]:
    """Yield what identifies the document, the item and the law."""
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
    yield "spec_digest", report.method.spec_digest
    yield "plan", report.method.plan
    yield "seed", str(report.method.seed.number)
    yield "evidence_root", report.evidence.root
    if report.outside is not None:
        mine = {provision.id for provision in report.provisions if provision.game == game.game}
        yield from ((OUTSIDE, name) for name in report.outside.provisions if name in mine)
        sheets = [finding.id for finding in report.findings if finding.game == game.game]
        yield from ((OUTSIDE, name) for name in sheets if name in report.outside.findings)


def _case(
    one: ProvisionRecord, sheets: Mapping[str, Sheet], language: str, *, outside: bool
) -> ET.Element:
    case = ET.Element("testcase", {"classname": f"{one.instrument}.{one.article}", "name": one.id})
    if outside:
        case.set("group", OUTSIDE)
    tag = _TAGS.get(one.result)
    if tag is not None:
        told = ET.SubElement(case, tag, {"type": one.reason, "message": _message(one, language)})
        if tag != "skipped":
            told.text = _safe("\n".join(_body(one, sheets, language)), keep="\n")
    output = ET.SubElement(case, "system-out")
    output.text = f"{one.result} ({one.reason}): {one.cases} cases, {one.decisive} decisive"
    return case


def _conclusion(game: GameRecord) -> ET.Element:
    name = f"{game.game}/{CONCLUSION}"
    case = ET.Element("testcase", {"classname": game.instrument, "name": name})
    tag = _TAGS.get(game.overall)
    if tag is not None:
        ET.SubElement(case, tag, {"type": game.overall, "message": game.overall})
    return case


def _message(one: ProvisionRecord, language: str) -> str:
    return _safe(f"{one.citation.pt}: {one.because.get(language)}")


def _body(one: ProvisionRecord, sheets: Mapping[str, Sheet], language: str) -> Iterator[str]:
    """Yield the words of the law and what was seen."""
    for words in (one.text.pt, one.text.zh):
        if words is not None:
            yield words
    for name in one.findings:
        sheet = sheets[name]
        yield f"{sheet.id}: {sheet.title.get(language)}"
        yield f"  {sheet.required.get(language)}"
        yield f"  {sheet.seen.get(language)}"
        yield f"  {sheet.replay}"


def _safe(text: str, keep: str = "") -> str:
    """Return `text` with nothing in it that XML cannot hold or that nobody sees."""
    lines = text.split(keep) if keep else [text]
    return _NOT_XML.sub("\ufffd", (keep or " ").join(visible(line) for line in lines))
