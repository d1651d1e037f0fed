"""Boxes in the tagged structure of a document, where a screen reader meets them in order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pikepdf
from pikepdf import Array, Dictionary, Name

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Elements into which a box may be put; a table or a list may hold only parts of its own.
_GROUPS: Final = frozenset({"/Document", "/Part", "/Art", "/Sect", "/Div", "/NonStruct"})


def tag_field(pdf: pikepdf.Pdf, page: pikepdf.Page, field: pikepdf.Object) -> None:
    """Put `field` into a ``Form`` element after everything else on `page`, if there are tags."""
    if Name.StructTreeRoot not in pdf.Root:
        return
    tree = pdf.Root.StructTreeRoot
    parent, place = _after(_top(tree), page, page_numbers(pdf))
    element = pdf.make_indirect(
        Dictionary(
            Type=Name.StructElem,
            S=Name.Form,
            P=parent,
            Pg=page.obj,
            K=Dictionary(Type=Name.OBJR, Obj=field, Pg=page.obj),
        )
    )
    children = list(_children(parent))
    children.insert(place, element)
    parent.K = Array(children)
    parents = pikepdf.NumberTree(tree.ParentTree)
    key = max(parents.keys(), default=-1) + 1
    parents[key] = element
    tree.ParentTreeNextKey = key + 1
    field.StructParent = key


def page_numbers(pdf: pikepdf.Pdf) -> dict[tuple[int, int], int]:
    """Return the place of each page, by its object."""
    return {page.obj.objgen: index for index, page in enumerate(pdf.pages)}


def _top(tree: pikepdf.Object) -> pikepdf.Object:
    """Return the element that holds all others."""
    return next(_children(tree))


def _children(element: pikepdf.Object) -> Iterator[pikepdf.Object]:
    kids = element.get(Name.K)
    if isinstance(kids, Array):
        yield from kids
    elif kids is not None:
        yield kids


def _after(
    element: pikepdf.Object, page: pikepdf.Page, order: dict[tuple[int, int], int]
) -> tuple[pikepdf.Object, int]:
    """Return the parent of a new element, and its place there, after what is on `page`."""
    wanted = order[page.obj.objgen]
    while True:
        place = 0
        divided = None
        for index, child in enumerate(_children(element)):
            pages = set(_pages(child, order))
            if pages and min(pages) <= wanted:
                place = index + 1
                divided = child if max(pages) > wanted else None
        if divided is None or str(divided.get(Name.S)) not in _GROUPS:
            return element, place
        element = divided


def _pages(element: pikepdf.Object, order: dict[tuple[int, int], int]) -> Iterator[int]:
    """Yield the pages on which `element` and everything in it stands."""
    waiting = [element]
    while waiting:
        one = waiting.pop()
        if not isinstance(one, Dictionary):
            continue
        page = one.get(Name.Pg)
        if page is not None and page.objgen in order:
            yield order[page.objgen]
        waiting.extend(_children(one))
