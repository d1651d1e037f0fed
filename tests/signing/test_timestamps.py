"""Time authorities, good and bad, asked over a line on this machine."""

import datetime as dt
import socket
import subprocess

import pytest
from asn1crypto import algos, tsp
from tests.tools import needs

from selo.signing.keys import demo_authority as made
from selo.signing.keys.demo_tsa import DemoTimeAuthority
from selo.signing.keys.pkcs12_keys import load_pkcs12
from selo.signing.keys.timestamps import TimestampClient, TimestampResponse, ask_over_http
from selo.signing.sign.document_signing import sign_document
from selo.signing.signing_enums import Level
from selo.signing.signing_errors import SigningRefused
from selo.signing.verify.document_inspection import inspect_signatures

from .conftest import PASSPHRASE

HOUR = dt.timedelta(hours=1)


class Late(DemoTimeAuthority):
    """A time authority whose clock is an hour behind."""

    def now(self):
        return super().now() - HOUR


def refusal(paper, key, wanted, stamper, level="b-t"):
    with pytest.raises(SigningRefused) as refused:
        sign_document(paper, key("laboratory"), wanted(level, stamper=stamper))
    return refused.value.reason


def asked(url, **settings):
    return TimestampClient(ask_over_http(url), url, **settings)


def question(**other):
    given = {
        "version": 1,
        "message_imprint": {
            "hash_algorithm": algos.DigestAlgorithm({"algorithm": "sha256"}),
            "hashed_message": bytes(32),
        },
        "nonce": 7,
        "cert_req": True,
    }
    return tsp.TimeStampReq({**given, **other}).dump()


def test_a_timestamp_comes_over_http(paper, key, wanted, clock, listening_at, roots):
    stamper = asked(listening_at(clock.answer))

    made_ = sign_document(paper, key("laboratory"), wanted("b-t", stamper=stamper))

    assert inspect_signatures(made_.document, roots).people[0].level is Level.T


@needs("openssl")
def test_openssl_verifies_what_the_demonstration_authority_answers(clock, keys, tmp_path):
    query, reply = tmp_path / "query", tmp_path / "reply"
    query.write_bytes(question())
    reply.write_bytes(clock.answer(question()))

    said = subprocess.run(
        ["openssl", "ts", "-verify", "-queryfile", query, "-in", reply,
         "-CAfile", keys / "root.pem", "-untrusted", keys / "issuing.pem"],
        capture_output=True, check=False, timeout=60,
    )  # fmt: skip

    assert b"Verification: OK" in said.stdout, said.stderr


@needs("openssl")
def test_the_demonstration_authority_answers_a_question_of_openssl(clock, tmp_path):
    query = tmp_path / "query"
    subprocess.run(
        ["openssl", "ts", "-query", "-digest", "00" * 32, "-sha256", "-cert", "-out", query],
        capture_output=True, check=True, timeout=60,
    )  # fmt: skip

    answer = tsp.TimeStampResp.load(clock.answer(query.read_bytes()))

    assert answer["status"]["status"].native == "granted"


@pytest.mark.parametrize("raw", [b"", b"nonsense", question()[:-3]])
def test_the_demonstration_authority_rejects_what_it_cannot_read(clock, raw):
    answer = TimestampResponse.load(clock.answer(raw))

    assert answer["status"]["status"].native == "rejection"


def test_only_a_demonstration_key_serves_as_an_authority_of_its_own(stranger, issued):
    real = load_pkcs12(issued(stranger, use=made.CertificateUse.TIME, marked=False), PASSPHRASE)

    with pytest.raises(SigningRefused, match="demonstration"):
        DemoTimeAuthority(real)


@pytest.mark.parametrize("url", ["nowhere", "ftp://127.0.0.1/", "http://", "http://127.0.0.1:x/"])
def test_an_address_that_is_none_is_refused(url):
    with pytest.raises(SigningRefused) as refused:
        ask_over_http(url)

    assert refused.value.reason == "tsa-url"


def test_an_authority_that_is_not_there_is_named(paper, key, wanted):
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        port = held.getsockname()[1]
        found = refusal(paper, key, wanted, asked(f"http://127.0.0.1:{port}/"))

    assert found == "tsa-unreachable"


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param({"status": 500}, id="a-failing-server"),
        pytest.param({"status": 302}, id="a-redirection"),
        pytest.param({"sort": "text/html"}, id="a-web-page"),
    ],
)
def test_a_server_that_is_no_authority_is_named(paper, key, wanted, clock, listening_at, wrong):
    assert refusal(paper, key, wanted, asked(listening_at(clock.answer, **wrong))) == "tsa-answer"


def other_nonce(clock):
    return lambda _: clock.answer(question(nonce=8))


def other_document(clock):
    def answer(raw):
        nonce = tsp.TimeStampReq.load(raw)["nonce"].native
        return clock.answer(question(nonce=nonce))

    return answer


def spoilt(clock):
    def answer(raw):
        found = bytearray(clock.answer(raw))
        found[-20] ^= 1
        return bytes(found)

    return answer


@pytest.mark.parametrize(
    ("answering", "reason"),
    [
        pytest.param(lambda _: lambda _: b"junk", "tsa-answer", id="junk"),
        pytest.param(lambda _: lambda _: b"", "tsa-answer", id="nothing"),
        pytest.param(lambda _: lambda _: b"0" * 300_000, "tsa-answer", id="without-end"),
        pytest.param(lambda clock: lambda raw: clock.answer(raw)[:-1], "tsa-answer", id="cut-off"),
        pytest.param(lambda clock: lambda _: clock.answer(b""), "tsa-refused", id="a-refusal"),
        pytest.param(other_nonce, "tsa-other", id="an-old-answer"),
        pytest.param(other_document, "tsa-other", id="for-another-document"),
        pytest.param(spoilt, "tsa-signature", id="spoilt-on-the-way"),
    ],
)
def test_an_answer_that_does_not_answer_is_refused(
    paper, key, wanted, clock, listening_at, answering, reason
):
    assert refusal(paper, key, wanted, asked(listening_at(answering(clock)))) == reason


def test_a_token_signed_with_a_key_for_documents_is_no_timestamp(paper, key, wanted):
    stamper = TimestampClient(DemoTimeAuthority(key("bureau")).answer, "here")

    assert refusal(paper, key, wanted, stamper) == "tsa-signature"


def test_clocks_that_do_not_agree_are_named_both(paper, key, wanted):
    stamper = TimestampClient(Late(key("tsa")).answer, "here")

    with pytest.raises(SigningRefused, match="clocks do not agree") as refused:
        sign_document(paper, key("laboratory"), wanted("b-t", stamper=stamper))

    theirs, ours = (
        dt.datetime.fromisoformat(refused.value.slots[who]) for who in ("theirs", "ours")
    )
    assert abs(ours - theirs - HOUR) < dt.timedelta(seconds=10)


def test_a_disagreement_within_the_tolerance_is_none(paper, key, wanted, roots):
    stamper = TimestampClient(Late(key("tsa")).answer, "here", tolerance=2 * HOUR)

    # The authority made its certificates an hour ago, so its time is not before them.
    signed = sign_document(paper, key("laboratory"), wanted("b-t", stamper=stamper))

    assert inspect_signatures(signed.document, roots).people[0].stamped_at is not None


def test_an_authority_whose_certificate_expired_is_refused(paper, key, wanted, authority, issued):
    past = dt.datetime.now(dt.UTC) - dt.timedelta(days=800)
    old = load_pkcs12(issued(authority.issuing, use=made.CertificateUse.TIME, now=past), PASSPHRASE)

    assert (
        refusal(paper, key, wanted, TimestampClient(DemoTimeAuthority(old).answer, "here"))
        == "tsa-expired"
    )


@pytest.mark.parametrize(("level", "reason"), [("b-t", "self-check"), ("b-lt", "tsa-chain")])
def test_an_authority_whom_the_operator_does_not_trust_is_refused(
    paper, key, wanted, stranger, issued, level, reason
):
    other = load_pkcs12(issued(stranger, use=made.CertificateUse.TIME, role="time"), PASSPHRASE)

    found = refusal(
        paper, key, wanted, TimestampClient(DemoTimeAuthority(other).answer, "here"), level
    )

    assert found == reason
