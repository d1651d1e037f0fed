"""What the tests of signing share: a document, an authority, a time authority, outside tools."""

import datetime as dt
import functools
import http.server
import io
import json
import os
import re
import subprocess
import threading
from unittest import mock

import pytest
import weasyprint
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from pyhanko.pdf_utils.reader import PdfFileReader

from selo.signing.keys import demo_authority as made
from selo.signing.keys import demo_mark
from selo.signing.keys.certificates import load_certificates, load_revocations
from selo.signing.keys.demo_tsa import DemoTimeAuthority
from selo.signing.keys.pkcs12_keys import load_pkcs12
from selo.signing.keys.timestamps import TimestampClient, ask_over_http
from selo.signing.sign.document_signing import SignatureRequest, sign_document
from selo.signing.sign.signature_fields import add_signature_fields, box_at_anchor
from selo.signing.signing_enums import Capacity, Level
from selo.text.multilingual import Words

PASSPHRASE = "for tests only"  # noqa: S105 - opens keys that live as long as the tests
SAYS = Words(pt="director técnico", zh="技術總監", en="technical director")
HTML = """
<html lang="pt"><head><title>Relatório de teste</title><style>
@font-face {{ font-family: T; src: url({latin}) }}
@font-face {{ font-family: H; src: url({han}) }}
@page {{ size: A4; margin: 20mm }} body {{ font: 10pt T, H }} section {{ break-after: page }}
.box {{ width: 80mm; height: 30mm }}
</style></head><body>
<section><h1>Relatório <span lang="zh-Hant">檢測報告</span></h1>
<p>Assinaturas: <a href="#laboratory">laboratório</a>, <a href="#bureau">entidade</a></p>
<div class="box" id="laboratory"></div><div class="box" id="bureau"></div></section>
{pages}
</body></html>
"""
PAGE = """<section><h2>Artigo {number}.º</h2><p>Um texto que se lê.</p>
<table><tr><th>a</th><th>b</th></tr>{rows}</table></section>"""
ROW = "<tr><td>{row}</td><td lang='zh-Hant'>第{row}條</td></tr>"


def laid_out(fonts, *, pages=1, rows=3, variant="pdf/ua-1", demonstration=True, kind="test-report"):
    """Return a tagged document as it comes from the printer, before any box."""
    body = "".join(
        PAGE.format(number=page, rows="".join(ROW.format(row=row) for row in range(rows)))
        for page in range(1, pages + 1)
    )
    report = {
        "kind": kind,
        "demonstration": demonstration,
        "signatories": [
            {
                "name": "DEMONSTRATION",
                "role": "laboratory",
                "capacity": {"pt": SAYS.pt, "zh": SAYS.zh, "en": SAYS.en},
            }
        ],
    }
    attached = weasyprint.Attachment(
        string=json.dumps(report), name="report.json", relationship="Data"
    )
    html = HTML.format(latin=fonts[0].as_uri(), han=fonts[1].as_uri(), pages=body)
    return weasyprint.HTML(string=html).write_pdf(pdf_variant=variant, attachments=[attached])


def boxed(printed):
    """Return the document with a box for each capacity."""
    places = [
        box_at_anchor(printed, capacity.value, capacity, width=226, height=85)
        for capacity in Capacity
    ]
    return add_signature_fields(printed, places)


@pytest.fixture(scope="session")
def fonts(small_fonts):
    return small_fonts


@pytest.fixture(scope="session")
def printed(fonts):
    return laid_out(fonts)


@pytest.fixture(scope="session")
def paper(printed):
    """Return a prepared document that says it is a demonstration."""
    return boxed(printed)


@pytest.fixture(scope="session")
def authority():
    return made.make_demo_authority()


@pytest.fixture(scope="session")
def keys(authority, tmp_path_factory):
    """Return the folder that `selo keys demo` would have made."""
    folder = tmp_path_factory.mktemp("keys")
    for name, content in authority.files(PASSPHRASE).items():
        (folder / name).write_bytes(content)
    (folder / "passphrase").write_text(PASSPHRASE + "\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def key(keys):
    """Return a demonstration key by name: `key("laboratory")`."""
    return functools.cache(lambda name: load_pkcs12(keys / f"{name}.p12", PASSPHRASE))


@pytest.fixture(scope="session")
def roots(keys):
    return load_certificates(keys / "root.pem")


@pytest.fixture(scope="session")
def lists(keys):
    return (load_revocations(keys / "root.crl"), load_revocations(keys / "issuing.crl"))


@pytest.fixture(scope="session")
def clock(key):
    """Return the demonstration time authority."""
    return DemoTimeAuthority(key("tsa"))


@pytest.fixture(scope="session")
def wanted(fonts, clock, roots, lists):
    """Return what is asked of a signature: `wanted("b-lta", Capacity.BUREAU)`."""

    def ask(level="b-b", capacity=Capacity.LABORATORY, **other):
        level = Level(level)
        given = {
            "capacity": capacity,
            "capacity_text": SAYS,
            "level": level,
            "demonstration": True,
            "fonts": fonts,
            "stamper": TimestampClient(clock.answer, "here") if level is not Level.B else None,
            "trust": tuple(roots),
            "revocations": lists,
        }
        return SignatureRequest(**{**given, **other})

    return ask


@pytest.fixture(scope="session")
def signed(paper, key, wanted):
    """Return a document signed at a level: `signed("b-lta", 2)` for laboratory and bureau."""

    @functools.cache
    def make(level, signers=1):
        document = paper
        for capacity in list(Capacity)[:signers]:
            document = sign_document(
                document, key(capacity.value), wanted(level, capacity)
            ).document
        return document

    return make


def alone(key, name):
    """Return a root that `key` vouches for, without the mark of demonstrations."""
    asked = made.CertificateRequest(
        subject=name, use=made.CertificateUse.AUTHORITY, now=dt.datetime.now(dt.UTC), years=5
    )
    with mock.patch.object(demo_mark, "DEMONSTRATION_POLICY", "2.25.1"):
        return made.KeyHolder(key=key, certificate=made._build_certificate(asked, key, None))  # noqa: SLF001


def elliptic():
    """Return a key that is made at once."""
    return ec.generate_private_key(ec.SECP256R1())


@pytest.fixture(scope="session")
def stranger():
    """Return a root without the mark of demonstrations: a real one, or anybody's."""
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Anybody")])
    return alone(elliptic(), name)


@pytest.fixture
def issued(tmp_path):
    """Return the PKCS#12 file of a new key that `issuer` vouches for."""

    def make(
        issuer,
        *,
        use=made.CertificateUse.DOCUMENTS,
        now=None,
        years=1,
        marked=True,
        role="laboratory",
    ):
        now = now or dt.datetime.now(dt.UTC)
        asked = made.CertificateRequest(
            subject=made.subject_name(role), use=use, now=now, years=years
        )
        with mock.patch.object(
            demo_mark,
            "DEMONSTRATION_POLICY",
            demo_mark.DEMONSTRATION_POLICY if marked else "2.25.1",
        ):
            holder = issuer.issue(asked, elliptic())
        path = tmp_path / f"{role}-{use.name.lower()}.p12"
        path.write_bytes(holder.pkcs12(PASSPHRASE))
        return path

    return make


def asn1(certificate, path):
    """Return `certificate` as Selo reads it from a file."""
    path.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    return load_certificates(path)[0]


@pytest.fixture
def revoking(authority, lists, tmp_path):
    """Return the lists of an authority that revoked a certificate at some time."""

    def make(certificate, at):
        path = tmp_path / "new.crl"
        new = authority.issuing.make_revocation_list(now=at, revoked=[certificate])
        path.write_bytes(new.public_bytes(serialization.Encoding.DER))
        return (lists[0], load_revocations(path))

    return make


@pytest.fixture
def listening_at():
    """Serve an answer to POST on loopback: `listening_at(answer)` gives the address."""
    running = []

    def start(answer, *, status=200, sort="application/timestamp-reply"):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = answer(self.rfile.read(int(self.headers["Content-Length"])))
                self.send_response(status)
                self.send_header("Content-Type", sort)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *arguments):
                pass

        listening = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        thread = threading.Thread(target=listening.serve_forever)
        thread.start()
        running.append((listening, thread))
        return f"http://127.0.0.1:{listening.server_port}/"

    yield start
    for listening, thread in running:
        listening.shutdown()
        listening.server_close()
        thread.join()


def over_line(url, **settings):
    return TimestampClient(ask_over_http(url), url, **settings)


@pytest.fixture
def pdfsig(tmp_path):
    """Return what poppler says of each signature in a document."""

    def ask(document):
        path = tmp_path / "asked.pdf"
        path.write_bytes(document)
        said = subprocess.run(
            ["pdfsig", "-nocert", "-no-ocsp", str(path)],
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
            timeout=60,
            # Nobody's own certificates are looked at.
            env={**os.environ, "HOME": str(tmp_path)},
        ).stdout
        return [
            {"text": part, "field": re.search("Field Name: (.*)", part)[1]}
            for part in re.split(r"Signature #\d+:", said)[1:]
            if "Signed Ranges" in part
        ]

    return ask


def holes(document):
    """Return the hole of each signature, in order: what is signed around it, and what is in it."""
    found = []
    for one in PdfFileReader(io.BytesIO(document)).embedded_signatures:
        _, length, start, rest = (int(number) for number in one.byte_range)
        around = document[:length] + document[start : start + rest]
        inside = bytes.fromhex(document[length + 1 : start - 1].decode())
        found.append((around, inside, (length, start)))
    return found
