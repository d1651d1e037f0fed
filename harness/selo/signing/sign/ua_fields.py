"""Signature fields in the structure tree of a tagged PDF (PDF/UA), in reading order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pikepdf
from pikepdf import Array, Dictionary, Name

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Elements that may contain a form field; tables and lists may contain only their own parts.
_GROUPING_ELEMENTS: Final = frozenset({"/Document", "/Part", "/Art", "/Sect", "/Div", "/NonStruct"})


def tag_field(pdf: pikepdf.Pdf, page: pikepdf.Page, field: pikepdf.Object) -> None:
    """Add `field` in a ``Form`` element after everything else on `page`, if the PDF is tagged."""
    if Name.StructTreeRoot not in pdf.Root:
        return
    tree = pdf.Root.StructTreeRoot
    parent, position = _insertion_point(_root_element(tree), page, page_numbers(pdf))
    element = pdf.make_indirect(
        Dictionary(
            Type=Name.StructElem,
            S=Name.Form,
            P=parent,
            Pg=page.obj,
            K=Dictionary(Type=Name.OBJR, Obj=field, Pg=page.obj),
        )
    )
    children = list(_children_of(parent))
    children.insert(position, element)
    parent.K = Array(children)
    parents = pikepdf.NumberTree(tree.ParentTree)
    key = max(parents.keys(), default=-1) + 1
    parents[key] = element
    tree.ParentTreeNextKey = key + 1
    field.StructParent = key


def page_numbers(pdf: pikepdf.Pdf) -> dict[tuple[int, int], int]:
    """Return the index of each page by its object id."""
    return {page.obj.objgen: index for index, page in enumerate(pdf.pages)}


def _root_element(tree: pikepdf.Object) -> pikepdf.Object:
    """Return the top element of the structure tree."""
    return next(_children_of(tree))


def _children_of(element: pikepdf.Object) -> Iterator[pikepdf.Object]:
    kids = element.get(Name.K)
    if isinstance(kids, Array):
        yield from kids
    elif kids is not None:
        yield kids


def _insertion_point(
    element: pikepdf.Object, page: pikepdf.Page, order: dict[tuple[int, int], int]
) -> tuple[pikepdf.Object, int]:
    """Return the parent of a new element and its index there, after the content of `page`."""
    page_index = order[page.obj.objgen]
    while True:
        position = 0
        split_child = None
        for index, child in enumerate(_children_of(element)):
            pages = set(_pages_of(child, order))
            if pages and min(pages) <= page_index:
                position = index + 1
                split_child = child if max(pages) > page_index else None
        if split_child is None or str(split_child.get(Name.S)) not in _GROUPING_ELEMENTS:
            return element, position
        element = split_child


def _pages_of(element: pikepdf.Object, order: dict[tuple[int, int], int]) -> Iterator[int]:
    """Yield the pages on which `element` and its descendants stand."""
    stack = [element]
    while stack:
        node = stack.pop()
        if not isinstance(node, Dictionary):
            continue
        page = node.get(Name.Pg)
        if page is not None and page.objgen in order:
            yield order[page.objgen]
        stack.extend(_children_of(node))
