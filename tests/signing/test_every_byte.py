"""Byte by byte: nothing in a signed document can be changed without notice."""

import io
import random

import pytest
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation import validate_pdf_signature
from tests.tools import needs

from selo.signing.sign.document_signing import sign_document
from selo.signing.signing_enums import Capacity
from selo.signing.verify.certificate_chain import validation_context
from selo.signing.verify.document_inspection import inspect_signatures

from .conftest import boxed, holes, laid_out

pytestmark = pytest.mark.full


def spoilt(document, at, bit):
    changed = bytearray(document)
    changed[at] ^= 1 << bit
    return bytes(changed)


def unnoticed(document, roots, places):
    chance = random.Random(2)  # noqa: S311 - a sample, not a secret
    return [
        at
        for at in places
        if inspect_signatures(spoilt(document, at, chance.randrange(8)), roots).good
    ]


def test_two_thousand_changed_bytes_are_all_noticed(signed, roots):
    document = signed("b-lta", 2)
    sample = random.Random(1).sample(range(len(document)), 2000)  # noqa: S311 - the same

    assert unnoticed(document, roots, sample) == []


@pytest.mark.parametrize("level", ["b-b", "b-t", "b-lta"])
def test_bytes_that_no_signature_covers_are_noticed(signed, roots, level):
    """The container of the last signature, with the timestamp inside of it, and the padding."""
    document = signed(level)
    _, inside, (length, start) = holes(document)[-1]
    used = length + 2 + 2 * len(inside.rstrip(b"\0"))
    sample = random.Random(4).sample(range(length, used), 700)  # noqa: S311 - the same

    assert unnoticed(document, roots, [length, start - 1, *sample, *range(used, start, 97)]) == []


@needs("pdfsig")
def test_changed_bytes_in_the_signed_range_are_noticed_by_poppler(signed, pdfsig):
    document = signed("b-lt")
    ((_, _, (length, start)),) = holes(document)
    chance = random.Random(3)  # noqa: S311 - the same
    sample = chance.sample([*range(length), *range(start, len(document))], 2000)

    for at in sample:
        said = pdfsig(spoilt(document, at, chance.randrange(8)))
        assert not any("Signature is Valid" in one["text"] for one in said), at


def test_pyhanko_finds_nothing_that_we_let_pass(fonts, key, wanted, roots):
    """Its own comparison of revisions walks the whole document, and agrees with ours."""
    document = boxed(laid_out(fonts, pages=6, rows=30))
    for capacity in Capacity:
        document = sign_document(document, key(capacity.value), wanted("b-lta", capacity)).document

    reader = PdfFileReader(io.BytesIO(document))
    statuses = [
        validate_pdf_signature(one, validation_context(roots))
        for one in reader.embedded_regular_signatures
    ]
    assert inspect_signatures(document, roots).good
    assert [(status.bottom_line, status.docmdp_ok) for status in statuses] == [(True, True)] * 2
