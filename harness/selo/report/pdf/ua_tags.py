"""The structure of the document for readers who hear it: languages, running heads, fewer elements.

WeasyPrint 70 puts no language on structure elements, reads running heads as text, and wraps every
line in elements of its own. Three things mend that:

1. While the tree is built, each element learns the language of its box.
2. What stands in a margin of the page becomes an artifact, which nobody reads aloud.
3. Elements that say nothing are taken out: a signed document is compared object by object.
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

#: Elements that may hold words themselves.
_HOLDS_WORDS: Final = frozenset(
    {"/P", "/H1", "/H2", "/H3", "/H4", "/Span", "/TD", "/TH", "/LBody", "/Lbl", "/Caption", "/Link"}
)
#: Elements that mean nothing by themselves.
_MEANINGLESS: Final = frozenset({"/NonStruct", "/Span", "/Div"})


@dataclass(slots=True)
class TagNotes:
    """What was learned while the tree was built."""

    #: Marked content in margins: the number of its page, and its own number there.
    margins: list[tuple[int, int]] = field(default_factory=list)


@contextmanager
def tag_languages(language: str) -> Iterator[TagNotes]:
    """Let WeasyPrint build its tree with languages; `language` is that of the whole."""
    learned = TagNotes()
    known = tags._build_box_tree  # noqa: SLF001 - its only hook; the version is exact, a test looks
    spoken = [language]

    def build(  # noqa: PLR0913, PLR0917 - as WeasyPrint calls it
        box: Any, parent: Any, pdf: Any, page: int, nums: Any, annotations: Any, marked: Any
    ) -> Iterator[Any]:
        shown = box._box if isinstance(box, AbsolutePlaceholder) else box  # noqa: SLF001 - the same
        if isinstance(shown, boxes.MarginBox):
            for text in _drawn_boxes(shown):
                number = marked.pop(text)["mcid"]
                nums[number] = "null"
                learned.margins.append((page, number))
            return
        own = shown.style["lang"] or spoken[-1]
        differs = own != spoken[-1]
        spoken.append(own)
        quick = pdf if isinstance(pdf, _CachedPages) else _CachedPages(pdf)
        for element in known(box, parent, quick, page, nums, annotations, marked):
            if differs:
                element["Lang"] = pydyf.String(own)
            yield element
        spoken.pop()

    tags._build_box_tree = build  # noqa: SLF001 - put back below
    try:
        yield learned
    finally:
        tags._build_box_tree = known  # noqa: SLF001 - the same


class _CachedPages:
    """The file while its tree is built, with its pages counted once and not for each element."""

    def __init__(self, pdf: Any) -> None:
        self.page_references = pdf.page_references
        self.add_object = pdf.add_object


def _drawn_boxes(box: Any) -> Iterator[Any]:
    """Yield what is drawn in a box: words and pictures."""
    for child in box.children if isinstance(box, boxes.ParentBox) else ():
        inner = child._box if isinstance(child, AbsolutePlaceholder) else child  # noqa: SLF001
        if isinstance(inner, boxes.TextBox | boxes.ReplacedBox):
            yield inner
        else:
            yield from _drawn_boxes(inner)


def finish_tags(pdf: Any, learned: TagNotes) -> None:
    """Take the margins out of the reading order, and the silent elements out of the tree."""
    _mark_artifacts(pdf, learned)
    _simplify_tree(pdf)


def _mark_artifacts(pdf: Any, learned: TagNotes) -> None:
    streams = [_resolve(pdf, _resolve(pdf, page)["Contents"]) for page in pdf.page_references]
    unread: dict[int, set[int]] = {}
    for page, number in learned.margins:
        unread.setdefault(page, set()).add(number)
    for page, numbers in unread.items():
        written = streams[page].stream
        for at, one in enumerate(written):
            if isinstance(one, pydyf.Dictionary) and one.get("MCID") in numbers:
                written[at - 1] = "/Artifact"
                written[at] = pydyf.Dictionary({"Type": "/Pagination"})


def _simplify_tree(pdf: Any) -> None:
    """Replace every element that says nothing by what stands in it."""
    root = _resolve(pdf, pdf.catalog["StructTreeRoot"])
    holder = _resolve(pdf, root["K"][0])
    owners: dict[bytes, bytes] = {}
    _simplify_element(pdf, holder, owners)
    numbers = _resolve(pdf, root["ParentTree"])["Nums"]
    for at in range(1, len(numbers), 2):
        kept = numbers[at]
        if isinstance(kept, list):
            numbers[at] = pydyf.Array([_final_owner(one, owners) for one in kept])
        else:
            numbers[at] = _final_owner(kept, owners)


def _final_owner(reference: Any, owners: dict[bytes, bytes]) -> Any:
    while reference in owners:
        reference = owners[reference]
    return reference


def _simplify_element(pdf: Any, element: Any, owners: dict[bytes, bytes]) -> None:
    kids = element["K"]
    found: list[Any] = []
    for kid in kids:
        if isinstance(kid, int):
            found.append(kid)
            continue
        child = _resolve(pdf, kid)
        if child.get("Type") != "/StructElem":
            found.append(kid)
            continue
        _simplify_element(pdf, child, owners)
        found += _replacement_of(pdf, element, child, owners)
    element["K"] = pydyf.Array(found)


def _replacement_of(pdf: Any, parent: Any, child: Any, owners: dict[bytes, bytes]) -> list[Any]:
    """Return what stands for `child` in its parent: itself, nothing, or what stands in it."""
    within = child["K"]
    silent = child["S"] in _MEANINGLESS and not {"Lang", "A", "Alt", "ID"} & child.keys()
    if not within and child["S"] in {"/NonStruct", "/Span", "/Div", "/P"}:
        child.free = "f"
        return []
    words = any(isinstance(one, int) or _is_annotation_reference(pdf, one) for one in within)
    if silent and (not words or parent["S"] in _HOLDS_WORDS):
        for one in within:
            if not isinstance(one, int):
                _resolve(pdf, one)["P"] = parent.reference
        owners[child.reference] = parent.reference
        child.free = "f"
        return list(within)
    if words and child["S"] in _MEANINGLESS and parent["S"] not in _HOLDS_WORDS:
        # Words that no paragraph holds are one.
        child["S"] = "/P"
    return [child.reference]


def _is_annotation_reference(pdf: Any, one: Any) -> bool:
    """Return whether a kid refers to an annotation, which belongs to its own element."""
    return bool(_resolve(pdf, one).get("Type") == "/OBJR")


def _resolve(pdf: Any, reference: Any) -> Any:
    return pdf.objects[int(reference.split()[0])]
