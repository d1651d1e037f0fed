"""Empty signature fields (boxes), added to a document before anyone signs.

A field that is created while signing stands outside the structure tree and breaks PDF/UA.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from selo.signing.sign.ua_fields import page_numbers, tag_field
from selo.signing.signing_errors import SigningRefused
from selo.text import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selo.signing.signing_enums import Capacity

#: Annotation flags: PDF/A requires Print; Locked keeps the box in place.
_PRINT_AND_LOCKED: Final = 4 | 128
#: Values of SigFlags (ISO 32000-1, 12.7.2).
_SIGNATURES_EXIST_APPEND_ONLY: Final = 1 | 2
#: PDF/UA requires invisible fields to lie off the page; PDF/A forbids any other way to hide them.
_OFF_THE_PAGE: Final = (-9999, -9999, -9999, -9999)


@dataclass(frozen=True, kw_only=True, slots=True)
class SignatureBox:
    """The rectangle of a signature on a page, in points from the lower left corner."""

    capacity: Capacity
    #: Zero-based.
    page: int
    left: float
    bottom: float
    right: float
    top: float

    @property
    def corners(self) -> tuple[float, float, float, float]:
        """The rectangle in the order of a PDF ``Rect``."""
        return self.left, self.bottom, self.right, self.top


def add_signature_fields(source: bytes, boxes: Sequence[SignatureBox]) -> bytes:
    """Return `source` with empty signature fields, saved so that validation is fast.

    The result is deterministic.
    """
    with _open_pdf(source) as pdf:
        if Name.AcroForm in pdf.Root:
            raise SigningRefused("prepared")
        pdf.Root.AcroForm = pdf.make_indirect(
            Dictionary(Fields=Array(), SigFlags=_SIGNATURES_EXIST_APPEND_ONLY)
        )
        for box in boxes:
            _add_box(pdf, box)
        packed = io.BytesIO()
        # WeasyPrint writes one object stream; reading one object then decodes all of them.
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
        destination = (
            pikepdf.NameTree(pdf.Root.Names.Dests).get(anchor)
            if _has_named_destinations(pdf)
            else None
        )
        if destination is None:
            raise SigningRefused("anchor", anchor=anchor)
        target = destination.D if isinstance(destination, Dictionary) else destination
        page = page_numbers(pdf)[target[0].objgen]
        left, top = float(target[2]), float(target[3])
    return SignatureBox(
        capacity=capacity,
        page=page,
        left=left,
        bottom=top - height,
        right=left + width,
        top=top,
    )


def _has_named_destinations(pdf: pikepdf.Pdf) -> bool:
    return Name.Names in pdf.Root and Name.Dests in pdf.Root.Names


def _open_pdf(source: bytes) -> pikepdf.Pdf:
    try:
        return pikepdf.open(io.BytesIO(source))
    except pikepdf.PasswordError as error:
        raise SigningRefused("encrypted") from error
    except pikepdf.PdfError as error:
        raise SigningRefused("not-pdf") from error


def _add_box(pdf: pikepdf.Pdf, box: SignatureBox) -> None:
    if not 0 <= box.page < len(pdf.pages):
        raise SigningRefused("box-page", page=box.page + 1, pages=len(pdf.pages))
    page = pdf.pages[box.page]
    left, bottom, right, top = (float(number) for number in page.cropbox)
    if not (left <= box.left < box.right <= right and bottom <= box.bottom < box.top <= top):
        raise SigningRefused("box-place", page=box.page + 1)
    visible = _add_field(pdf, page, box.capacity.field, f"sign.box.{box.capacity}", box.corners)
    visible.AP = Dictionary(N=_empty_appearance(pdf, box.right - box.left, box.top - box.bottom))
    tag_field(pdf, page, visible)
    _add_field(pdf, page, box.capacity.timestamp_field, "sign.box.timestamp", _OFF_THE_PAGE)


def _add_field(
    pdf: pikepdf.Pdf, page: pikepdf.Page, name: str, message: str, corners: Sequence[float]
) -> pikepdf.Object:
    field = pdf.make_indirect(
        Dictionary(
            Type=Name.Annot,
            Subtype=Name.Widget,
            FT=Name.Sig,
            T=String(name),
            TU=String(f"{say(message, 'pt')} · {say(message, 'zh')}"),
            Rect=Array([round(number, 3) for number in corners]),
            F=_PRINT_AND_LOCKED,
            P=page.obj,
        )
    )
    if Name.Annots not in page.obj:
        page.obj.Annots = Array()
    page.obj.Annots.append(field)
    page.obj.Tabs = Name.S
    pdf.Root.AcroForm.Fields.append(field)
    return field


def _empty_appearance(pdf: pikepdf.Pdf, width: float, height: float) -> pikepdf.Object:
    """Return the empty appearance stream that PDF/A requires of an empty box."""
    return pdf.make_stream(
        b"",
        Type=Name.XObject,
        Subtype=Name.Form,
        BBox=Array([0, 0, round(width, 3), round(height, 3)]),
        Resources=Dictionary(),
    )
