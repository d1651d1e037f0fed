"""The structure tree of the document for screen readers (PDF/UA).

WeasyPrint 70 puts no language on structure elements, tags running heads as text, and wraps every
line in elements of its own. Three steps correct that:

1. While the tree is built, each element gets the language of its box.
2. Content in the margins of a page becomes an artifact, which is not read aloud.
3. Elements without meaning are removed, because verifiers compare a signed document object by
   object.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import pydyf
from weasyprint.formatting_structure import boxes
from weasyprint.layout.absolute import AbsolutePlaceholder
from weasyprint.pdf import tags

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Elements that may contain text directly.
_HOLDS_WORDS: Final = frozenset(
    {"/P", "/H1", "/H2", "/H3", "/H4", "/Span", "/TD", "/TH", "/LBody", "/Lbl", "/Caption", "/Link"}
)
#: Elements without meaning of their own.
_MEANINGLESS: Final = frozenset({"/NonStruct", "/Span", "/Div"})


@dataclass(slots=True)
class TagNotes:
    """Notes taken while the tree is built."""

    #: Marked content in margins: the number of its page, and its own number there.
    margins: list[tuple[int, int]] = field(default_factory=list)


@contextmanager
def tag_languages(language: str) -> Iterator[TagNotes]:
    """Make WeasyPrint tag languages; `language` is that of the document."""
    learned = TagNotes()
    build_box_tree = tags._build_box_tree  # noqa: SLF001 - its only hook; the version is exact, a test looks
    language_stack = [language]

    def build(  # noqa: PLR0913, PLR0917 - as WeasyPrint calls it
        box: Any, parent: Any, pdf: Any, page: int, nums: Any, annotations: Any, marked: Any
    ) -> Iterator[Any]:
        inner = box._box if isinstance(box, AbsolutePlaceholder) else box  # noqa: SLF001 - the same
        if isinstance(inner, boxes.MarginBox):
            for text in _drawn_boxes(inner):
                number = marked.pop(text)["mcid"]
                nums[number] = "null"
                learned.margins.append((page, number))
            return
        own = inner.style["lang"] or language_stack[-1]
        differs = own != language_stack[-1]
        language_stack.append(own)
        quick = pdf if isinstance(pdf, _CachedPages) else _CachedPages(pdf)
        for element in build_box_tree(box, parent, quick, page, nums, annotations, marked):
            if differs:
                element["Lang"] = pydyf.String(own)
            yield element
        language_stack.pop()

    tags._build_box_tree = build  # noqa: SLF001 - put back below
    try:
        yield learned
    finally:
        tags._build_box_tree = build_box_tree  # noqa: SLF001 - the same


class _CachedPages:
    """The file while its tree is built; its pages are counted once and not for each element."""

    def __init__(self, pdf: Any) -> None:
        self.page_references = pdf.page_references
        self.add_object = pdf.add_object


def _drawn_boxes(box: Any) -> Iterator[Any]:
    """Yield the text and pictures of a box."""
    for child in box.children if isinstance(box, boxes.ParentBox) else ():
        inner = child._box if isinstance(child, AbsolutePlaceholder) else child  # noqa: SLF001
        if isinstance(inner, boxes.TextBox | boxes.ReplacedBox):
            yield inner
        else:
            yield from _drawn_boxes(inner)


def finish_tags(pdf: Any, learned: TagNotes) -> None:
    """Remove margins from the reading order, and elements without meaning from the tree."""
    _mark_artifacts(pdf, learned)
    _simplify_tree(pdf)


def _mark_artifacts(pdf: Any, learned: TagNotes) -> None:
    streams = [_resolve(pdf, _resolve(pdf, page)["Contents"]) for page in pdf.page_references]
    artifacts: dict[int, set[int]] = {}
    for page, number in learned.margins:
        artifacts.setdefault(page, set()).add(number)
    for page, numbers in artifacts.items():
        stream = streams[page].stream
        for at, operand in enumerate(stream):
            if isinstance(operand, pydyf.Dictionary) and operand.get("MCID") in numbers:
                stream[at - 1] = "/Artifact"
                stream[at] = pydyf.Dictionary({"Type": "/Pagination"})


def _simplify_tree(pdf: Any) -> None:
    """Replace every element without meaning by its kids."""
    root = _resolve(pdf, pdf.catalog["StructTreeRoot"])
    holder = _resolve(pdf, root["K"][0])
    owners: dict[bytes, bytes] = {}
    _simplify_element(pdf, holder, owners)
    numbers = _resolve(pdf, root["ParentTree"])["Nums"]
    for at in range(1, len(numbers), 2):
        entry = numbers[at]
        if isinstance(entry, list):
            numbers[at] = pydyf.Array([_final_owner(reference, owners) for reference in entry])
        else:
            numbers[at] = _final_owner(entry, owners)


def _final_owner(reference: Any, owners: dict[bytes, bytes]) -> Any:
    while reference in owners:
        reference = owners[reference]
    return reference


def _simplify_element(pdf: Any, element: Any, owners: dict[bytes, bytes]) -> None:
    kids = element["K"]
    kept_kids: list[Any] = []
    for kid in kids:
        if isinstance(kid, int):
            kept_kids.append(kid)
            continue
        child = _resolve(pdf, kid)
        if child.get("Type") != "/StructElem":
            kept_kids.append(kid)
            continue
        _simplify_element(pdf, child, owners)
        kept_kids += _replacement_of(pdf, element, child, owners)
    element["K"] = pydyf.Array(kept_kids)


def _replacement_of(pdf: Any, parent: Any, child: Any, owners: dict[bytes, bytes]) -> list[Any]:
    """Return what replaces `child` in its parent: itself, nothing, or its kids."""
    kids = child["K"]
    meaningless = child["S"] in _MEANINGLESS and not {"Lang", "A", "Alt", "ID"} & child.keys()
    if not kids and child["S"] in {"/NonStruct", "/Span", "/Div", "/P"}:
        child.free = "f"
        return []
    words = any(isinstance(kid, int) or _is_annotation_reference(pdf, kid) for kid in kids)
    if meaningless and (not words or parent["S"] in _HOLDS_WORDS):
        for kid in kids:
            if not isinstance(kid, int):
                _resolve(pdf, kid)["P"] = parent.reference
        owners[child.reference] = parent.reference
        child.free = "f"
        return list(kids)
    if words and child["S"] in _MEANINGLESS and parent["S"] not in _HOLDS_WORDS:
        # Text outside of a paragraph becomes a paragraph.
        child["S"] = "/P"
    return [child.reference]


def _is_annotation_reference(pdf: Any, kid: Any) -> bool:
    """Return whether a kid is a reference to an annotation."""
    return bool(_resolve(pdf, kid).get("Type") == "/OBJR")


def _resolve(pdf: Any, reference: Any) -> Any:
    return pdf.objects[int(reference.split()[0])]
