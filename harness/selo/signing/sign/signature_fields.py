"""The boxes in which signatures will appear, made before anyone signs.

A box that is made while signing stands outside the tagged structure of the page and breaks PDF/UA.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from selo.signing.sign.ua_fields import page_numbers, tag_field
from selo.signing.signing_errors import SigningRefused
from selo.text.message_catalogue import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selo.signing.signing_enums import Capacity

#: Print and Locked: PDF/A wants the first, and the second keeps the box where it is.
_FLAGS: Final = 4 | 128
#: The document holds signatures, and may only be appended to.
_SIGNATURES: Final = 1 | 2
#: PDF/UA wants fields that nobody sees off the page; PDF/A forbids to hide them otherwise.
_OFF_THE_PAGE: Final = (-9999, -9999, -9999, -9999)


@dataclass(frozen=True, kw_only=True, slots=True)
class SignatureBox:
    """Where on a page somebody signs, in points from its lower left corner."""

    capacity: Capacity
    #: Counted from nought.
    page: int
    left: float
    bottom: float
    right: float
    top: float

    @property
    def corners(self) -> tuple[float, float, float, float]:
        """The rectangle, as PDF writes it."""
        return self.left, self.bottom, self.right, self.top


def add_signature_fields(source: bytes, boxes: Sequence[SignatureBox]) -> bytes:
    """Return `source` with empty boxes, packed so that looking at signatures is quick.

    The same source and boxes give the same bytes.
    """
    with _open_pdf(source) as pdf:
        if Name.AcroForm in pdf.Root:
            raise SigningRefused("prepared")
        pdf.Root.AcroForm = pdf.make_indirect(Dictionary(Fields=Array(), SigFlags=_SIGNATURES))
        for box in boxes:
            _add(pdf, box)
        packed = io.BytesIO()
        # WeasyPrint puts every object into one stream; reading one of them then costs all of them.
        pdf.save(
            packed,
            object_stream_mode=pikepdf.ObjectStreamMode.generate,
            deterministic_id=True,
            linearize=False,
        )
    return packed.getvalue()


def box_at_anchor(
    source: bytes, anchor: str, capacity: Capacity, *, width: float, height: float
) -> SignatureBox:
    """Return a box whose upper left corner is the named destination `anchor`."""
    with _open_pdf(source) as pdf:
        found = (
            pikepdf.NameTree(pdf.Root.Names.Dests).get(anchor) if _named_destinations(pdf) else None
        )
        if found is None:
            raise SigningRefused("anchor", anchor=anchor)
        place = found.D if isinstance(found, Dictionary) else found
        page = page_numbers(pdf)[place[0].objgen]
        left, top = float(place[2]), float(place[3])
    return SignatureBox(
        capacity=capacity,
        page=page,
        left=left,
        bottom=top - height,
        right=left + width,
        top=top,
    )


def _named_destinations(pdf: pikepdf.Pdf) -> bool:
    return Name.Names in pdf.Root and Name.Dests in pdf.Root.Names


def _open_pdf(source: bytes) -> pikepdf.Pdf:
    try:
        return pikepdf.open(io.BytesIO(source))
    except pikepdf.PasswordError as error:
        raise SigningRefused("encrypted") from error
    except pikepdf.PdfError as error:
        raise SigningRefused("not-pdf") from error


def _add(pdf: pikepdf.Pdf, box: SignatureBox) -> None:
    if not 0 <= box.page < len(pdf.pages):
        raise SigningRefused("box-page", page=box.page + 1, pages=len(pdf.pages))
    page = pdf.pages[box.page]
    left, bottom, right, top = (float(number) for number in page.cropbox)
    if not (left <= box.left < box.right <= right and bottom <= box.bottom < box.top <= top):
        raise SigningRefused("box-place", page=box.page + 1)
    visible = _field(pdf, page, box.capacity.field, f"sign.box.{box.capacity}", box.corners)
    visible.AP = Dictionary(N=_empty(pdf, box.right - box.left, box.top - box.bottom))
    tag_field(pdf, page, visible)
    _field(pdf, page, box.capacity.timestamp_field, "sign.box.timestamp", _OFF_THE_PAGE)


def _field(
    pdf: pikepdf.Pdf, page: pikepdf.Page, name: str, says: str, corners: Sequence[float]
) -> pikepdf.Object:
    field = pdf.make_indirect(
        Dictionary(
            Type=Name.Annot,
            Subtype=Name.Widget,
            FT=Name.Sig,
            T=String(name),
            TU=String(f"{say(says, 'pt')} · {say(says, 'zh')}"),
            Rect=Array([round(number, 3) for number in corners]),
            F=_FLAGS,
            P=page.obj,
        )
    )
    if Name.Annots not in page.obj:
        page.obj.Annots = Array()
    page.obj.Annots.append(field)
    page.obj.Tabs = Name.S
    pdf.Root.AcroForm.Fields.append(field)
    return field


def _empty(pdf: pikepdf.Pdf, width: float, height: float) -> pikepdf.Object:
    """Return what an empty box shows: nothing, but PDF/A wants to be told so."""
    return pdf.make_stream(
        b"",
        Type=Name.XObject,
        Subtype=Name.Form,
        BBox=Array([0, 0, round(width, 3), round(height, 3)]),
        Resources=Dictionary(),
    )
