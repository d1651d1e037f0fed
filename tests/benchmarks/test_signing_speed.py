"""What signing and inspecting forty tagged pages cost, beside pyHanko's own comparison."""

import functools
import io
import resource
import time

import pikepdf
import pytest
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation import validate_pdf_signature
from tests.signing import conftest as shared

from selo.signing.keys.certificates import load_certificates, load_revocations
from selo.signing.keys.demo_authority import make_demo_authority
from selo.signing.keys.demo_tsa import DemoTimeAuthority
from selo.signing.keys.pkcs12_keys import load_pkcs12
from selo.signing.keys.timestamps import TimestampClient
from selo.signing.sign.document_signing import SignatureRequest, sign_document
from selo.signing.signing_enums import Capacity, Level
from selo.signing.verify.certificate_chain import validation_context
from selo.signing.verify.document_inspection import inspect_signatures

pytestmark = pytest.mark.bench

PAGES, ROWS = 40, 30
FONTS = ("SourceSerif4-Regular.ttf", "NotoSerifTC-Regular.ttf")
PASSPHRASE = "for the benchmark"  # noqa: S105 - of keys that are thrown away
#: In the processor's seconds, on the machines of 2026.
MOST_TO_SIGN, MOST_TO_INSPECT = 4.0, 2.0


def spent(work):
    """Return the processor's seconds, which do not count who else is at work, and the result."""
    started = time.process_time()
    result = work()
    return time.process_time() - started, result


def test_forty_pages_are_signed_twice_and_inspected_in_seconds(root, tmp_path):
    for name, content in make_demo_authority().files(PASSPHRASE).items():
        (tmp_path / name).write_bytes(content)
    fonts = tuple(root / "reports" / "fonts" / name for name in FONTS)
    trust = tuple(load_certificates(tmp_path / "root.pem"))
    lists = tuple(load_revocations(tmp_path / f"{name}.crl") for name in ("root", "issuing"))
    clock = DemoTimeAuthority(load_pkcs12(tmp_path / "tsa.p12", PASSPHRASE))
    printed = shared.laid_out(fonts, pages=PAGES, rows=ROWS)

    preparing, document = spent(lambda: shared.boxed(printed))
    objects = len(PdfFileReader(io.BytesIO(document)).xrefs.explicit_refs_in_revision(0))
    signing = []
    for capacity in Capacity:
        key = load_pkcs12(tmp_path / f"{capacity.value}.p12", PASSPHRASE)
        wanted = SignatureRequest(
            capacity=capacity,
            capacity_text=shared.SAYS,
            level=Level.LTA,
            demonstration=True,
            fonts=fonts,
            stamper=TimestampClient(clock.answer, "here"),
            trust=trust,
            revocations=lists,
        )
        seconds, made = spent(functools.partial(sign_document, document, key, wanted))
        signing.append(seconds)
        document = made.document
    inspecting, found = spent(lambda: inspect_signatures(document, trust))
    comparing, statuses = spent(
        lambda: [
            validate_pdf_signature(one, validation_context(trust))
            for one in PdfFileReader(io.BytesIO(document)).embedded_regular_signatures
        ]
    )

    print(
        f"\n{PAGES} pages, {objects} objects, {len(document)} bytes, two signers at B-LTA:"
        f"  prepare {preparing:.2f} s  sign {signing[0]:.2f} s and {signing[1]:.2f} s"
        f"  inspect {inspecting:.2f} s  pyHanko's comparison {comparing:.2f} s"
        f"{comparing / inspecting:>7.1f} × ours"
    )
    assert found.good
    assert all(status.bottom_line for status in statuses)
    assert max(signing) < MOST_TO_SIGN
    assert inspecting < MOST_TO_INSPECT
    assert inspecting < comparing


#: Four times as many objects may cost at most this many times as much to sign: linear, with room.
MOST_GROWTH = 6.0


def test_signing_grows_no_faster_than_the_document(root, tmp_path):
    """A finding is some forty tagged objects, so these are about 500 and 2,000 findings."""
    for name, content in make_demo_authority().files(PASSPHRASE).items():
        (tmp_path / name).write_bytes(content)
    fonts = tuple(root / "reports" / "fonts" / name for name in FONTS)
    key = load_pkcs12(tmp_path / "laboratory.p12", PASSPHRASE)
    printed = shared.laid_out(fonts, pages=2, rows=ROWS)
    wanted = SignatureRequest(
        capacity=Capacity.LABORATORY, capacity_text=shared.SAYS, level=Level.B,
        demonstration=True, fonts=fonts,
    )  # fmt: skip

    def cost(objects):
        document = shared.boxed(with_objects(printed, objects))
        children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        own, _ = spent(lambda: sign_document(document, key, wanted))
        return own + resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - children

    cost(100)
    fewer, more = cost(20_000), cost(80_000)

    print(f"\n20,000 objects {fewer:.2f} s  80,000 objects {more:.2f} s  {more / fewer:.1f} ×")
    assert more / fewer < MOST_GROWTH


def with_objects(document, count):
    """Return a document with so many more tagged objects."""
    pdf = pikepdf.open(io.BytesIO(document))
    tree = pdf.Root.StructTreeRoot
    section = pdf.make_indirect(
        pikepdf.Dictionary(Type=pikepdf.Name.StructElem, S=pikepdf.Name.Sect, P=tree)
    )
    section.K = pikepdf.Array(
        [
            pdf.make_indirect(
                pikepdf.Dictionary(Type=pikepdf.Name.StructElem, S=pikepdf.Name.P, P=section)
            )
            for _ in range(count)
        ]
    )
    kept = tree.K if isinstance(tree.K, pikepdf.Array) else pikepdf.Array([tree.K])
    kept.append(section)
    tree.K = kept
    out = io.BytesIO()
    pdf.save(out)
    return out.getvalue()
