"""Akoma Ntoso 3.0: the law of a result, a file for each instrument and language.

The words are those of the law files and nothing else: joined, the paragraphs of a provision are its
text. Units that Akoma Ntoso does not name are ``hcontainer`` with the name of the unit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from xml.etree import ElementTree as ET

from selo.law import compute_spec_digest
from selo.law.files.provision_file import MatterKind, Unit
from selo.text import LAW_LANGUAGES, user_error

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from selo.law import Law
    from selo.law.files.provision_file import Article, Day, Instrument, Matter, Provision
    from selo.law.loader import InstrumentFolder
    from selo.report.model.report_model import Report
    from selo.text import Text

NAMESPACE: Final = "http://docs.oasis-open.org/legaldocml/ns/akn/3.0"
_COUNTRY: Final = "mo"
_LANGUAGES: Final = {"pt": "por", "zh": "zho"}
#: The elements of Akoma Ntoso for units that it knows.
_ELEMENTS: Final = {
    Unit.ARTICLE: "article",
    Unit.SOLE_ARTICLE: "article",
    Unit.NUMBER: "paragraph",
    Unit.ALINEA: "point",
    Unit.SUBALINEA: "indent",
}
_CONTAINER: Final = "hcontainer"
#: Where the words around the articles stand.
_PREFACE: Final = frozenset({MatterKind.ISSUER, MatterKind.TITLE, MatterKind.DATE})
_PREAMBLE: Final = frozenset({MatterKind.RECITAL, MatterKind.ENACTING})


def render(report: Report, law: Law) -> Iterator[tuple[str, bytes]]:
    """Yield the instruments of a report; the law at hand must be that of the report."""
    if compute_spec_digest(law) != report.method.spec_digest:
        raise user_error("export-law", edition=report.method.spec_digest)
    in_scope = {norm.instrument for norm in report.norms}
    for folder in law.folders:
        if folder.instrument.id in in_scope:
            for language in LAW_LANGUAGES:
                if language in folder.instrument.languages.published:
                    name = f"{folder.instrument.id}.{_LANGUAGES[language]}.akn.xml"
                    yield name, _encode(_act(folder, language, report))


def _encode(root: ET.Element) -> bytes:
    ET.register_namespace("", NAMESPACE)
    encoded: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return encoded + b"\n"


def _add(parent: ET.Element, tag: str, text: str | None = None, **attributes: str) -> ET.Element:
    element = ET.SubElement(parent, f"{{{NAMESPACE}}}{tag}", attributes)
    element.text = text
    return element


def _act(folder: InstrumentFolder, language: str, report: Report) -> ET.Element:
    root = ET.Element(f"{{{NAMESPACE}}}akomaNtoso")
    act = _add(root, "act", name="act")
    _add_meta(act, folder.instrument, language, report)
    matter = [one for one in folder.matter.matter if _words(one.text, language)]
    _add_matter(act, "preface", [one for one in matter if one.kind in _PREFACE], language)
    _add_matter(act, "preamble", [one for one in matter if one.kind in _PREAMBLE], language)
    body = _add(act, "body")
    for file in folder.articles:
        _add_article(body, file.article, language)
    rest = [one for one in matter if one.kind not in _PREFACE | _PREAMBLE]
    _add_matter(act, "conclusions", rest, language)
    return root


def _add_meta(act: ET.Element, instrument: Instrument, language: str, report: Report) -> None:
    identification = _add(_add(act, "meta"), "identification", source="#selo")
    work = f"/akn/{_COUNTRY}/act/{instrument.dates.signed.not_before.year}/{instrument.number}"
    expression = f"{work}/{_LANGUAGES[language]}@"
    for part, uri in (
        ("FRBRWork", work),
        ("FRBRExpression", expression),
        ("FRBRManifestation", f"{expression}.xml"),
    ):
        element = _add(identification, part)
        _add(element, "FRBRthis", value=f"{uri}/!main")
        _add(element, "FRBRuri", value=uri)
        if part == "FRBRManifestation":
            _add(element, "FRBRdate", date=report.method.as_of.isoformat(), name="as-of")
            _add(element, "FRBRauthor", href="#selo")
            continue
        _add_day(element, instrument.dates.signed, "signed")
        _add(element, "FRBRauthor", href="#gazette")
        if part == "FRBRWork":
            _add(element, "FRBRcountry", value=_COUNTRY)
        else:
            _add(element, "FRBRlanguage", language=_LANGUAGES[language])
    meta = act[0]
    gazette = instrument.gazette.pt if language == "pt" else instrument.gazette.zh
    published = instrument.dates.published.not_before.isoformat()
    _insert_publication(meta, published, gazette)
    references = _add(meta, "references", source="#selo")
    for name, shown in (("selo", "Selo"), ("gazette", gazette)):
        href = f"/akn/ontology/organization/{name}"
        _add(references, "TLCOrganization", eId=name, href=href, showAs=shown)


def _insert_publication(meta: ET.Element, day: str, gazette: str) -> None:
    _add(meta, "publication", date=day, name="gazette", showAs=gazette)


def _add_day(parent: ET.Element, day: Day, name: str) -> None:
    """Add a day; one that is not known exactly is named as the earliest that it can be."""
    known = name if day.not_before == day.not_after else f"{name}-not-before"
    _add(parent, "FRBRdate", date=day.not_before.isoformat(), name=known)


def _add_matter(act: ET.Element, tag: str, matter: Sequence[Matter], language: str) -> None:
    if matter:
        element = _add(act, tag)
        for one in matter:
            _add_paragraphs(element, _words(one.text, language), kind=one.kind)


def _add_article(body: ET.Element, article: Article, language: str) -> None:
    """Add an article and everything below it, each unit under the nearest that contains it."""
    whole = next((one for one in article.provisions if one.id == article.article), None)
    name = _ELEMENTS.get(whole.unit if whole else Unit.ARTICLE, _CONTAINER)
    named = {} if name != _CONTAINER else {"name": "article" if whole is None else whole.unit}
    element = _add(body, name, eId=_identify(article.article), **named)
    if article.label is not None and (label := _words(article.label, language)):
        _add(element, "num", label)
    if article.heading is not None and (heading := _words(article.heading, language)):
        _add(element, "heading", heading)
    _fill(element, whole, article.provisions, article.article, language)


def _fill(
    element: ET.Element,
    own: Provision | None,
    provisions: Sequence[Provision],
    path: str,
    language: str,
) -> None:
    known = {one.id for one in provisions}
    parts = [
        one
        for one in provisions
        if one.id != path
        and _parent(one.id, known) == (path if own or path in known else None)
        and _has_words(one, provisions, language)
    ]
    text = "" if own is None else _words(own.text, language)
    if own is not None and own.label is not None and element.find(f"{{{NAMESPACE}}}num") is None:
        label = _words(own.label, language)
        if label and text.startswith(label):
            _add(element, "num", label)
            text = text[len(label) :].lstrip()
    if not parts:
        _add_paragraphs(_add(element, "content"), text)
        return
    if text:
        _add_paragraphs(_add(element, "intro"), text)
    for one in parts:
        name = _ELEMENTS.get(one.unit, _CONTAINER)
        named = {"name": one.unit} if name == _CONTAINER else {}
        child = _add(element, name, eId=_identify(one.id), **named)
        _fill(child, one, provisions, one.id, language)


def _parent(provision: str, known: set[str]) -> str | None:
    """Return the nearest unit that contains a provision."""
    steps = provision.split("/")
    paths = ("/".join(steps[:depth]) for depth in range(len(steps) - 1, 0, -1))
    return next((path for path in paths if path in known), None)


def _has_words(provision: Provision, provisions: Sequence[Provision], language: str) -> bool:
    return any(
        _words(one.text, language)
        for one in provisions
        if one.id == provision.id or one.id.startswith(f"{provision.id}/")
    )


def _add_paragraphs(parent: ET.Element, text: str, kind: str | None = None) -> None:
    for line in text.split("\n"):
        _add(parent, "p", line, **({} if kind is None else {"class": kind}))


def _identify(provision: str) -> str:
    return f"provision_{provision.replace('/', '__')}"


def _words(text: Text, language: str) -> str:
    return getattr(text, language) or ""
