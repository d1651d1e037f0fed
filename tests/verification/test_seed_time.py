"""When a seed was committed to: a timestamp, a publication, or nothing that proves it."""

import base64
import datetime as dt

import msgspec
import pytest
from tests.verification.conftest import PASSPHRASE

from selo.errors import UsageError
from selo.evidence import EvidenceReader
from selo.examine.run.evidence_header import Header
from selo.examine.run.seed_commitment import (
    SealedSeed,
    ledger_path,
    record_use,
    require_unused,
)
from selo.report.model.report_model import DatesRecord, Seed
from selo.signing.keys.demo_tsa import DemoTimeAuthority
from selo.signing.keys.pkcs12_keys import load_pkcs12
from selo.signing.keys.timestamps import TimestampClient
from selo.signing.verify import inspect_stamp, stamp_digest
from selo.verification.document_law import LawSources
from selo.verification.seed_checks import check_seed
from selo.verification.verification_report import CheckState

DIGEST = "ab" * 32


@pytest.fixture(scope="module")
def stamper(keys):
    key = load_pkcs12(keys / "tsa.p12", PASSPHRASE)
    return TimestampClient(DemoTimeAuthority(key).answer, "tsa.p12")


@pytest.fixture(scope="module")
def token(stamper):
    return stamp_digest(DIGEST, stamper)


def test_a_token_proves_time_and_authority(token, trust, policy):
    found = inspect_stamp(token, DIGEST, trust, policy.revocations)

    assert (found.is_intact, found.is_trusted) == (True, True)
    assert abs(found.at - dt.datetime.now(dt.UTC)) < dt.timedelta(hours=1)


def test_a_token_of_another_commitment_proves_nothing(token, trust):
    assert not inspect_stamp(token, "cd" * 32, trust).is_intact


def test_a_token_of_an_unknown_authority_is_not_trusted(token):
    found = inspect_stamp(token, DIGEST, ())

    assert (found.is_intact, found.is_trusted) == (True, False)


def test_no_changed_byte_of_a_token_is_intact_and_trusted_with_another_time(token, trust):
    raw = base64.b64decode(token)
    whole = inspect_stamp(token, DIGEST, trust)

    for at in range(0, len(raw), 37):
        changed = base64.b64encode(raw[:at] + bytes([raw[at] ^ 1]) + raw[at + 1 :]).decode()
        found = inspect_stamp(changed, DIGEST, trust)
        assert not (found.is_intact and found.is_trusted) or found.at == whole.at


@pytest.mark.parametrize("broken", ["", "!", "AAAA", "A" * 100_000])
def test_a_broken_token_proves_nothing(broken, trust):
    assert not inspect_stamp(broken, DIGEST, trust).is_intact


def sealed_seed():
    return SealedSeed(
        seed=bytes(range(32)).hex(), vendor="v", product="p", version="1", files=[],
        description_sha256="0" * 64, spec_digest="0" * 64,
    )  # fmt: skip


@pytest.fixture
def checked(material, lawful, law, policy, stamper):
    """Return the checks of a seed that was committed to in some way."""
    report, _ = material
    seed = sealed_seed()

    def of(*, stamp, commitment=None, days=0, token=None, registered_at=None):
        token = token or (stamp_digest(seed.commitment, stamper) if stamp else None)
        header = msgspec.convert(
            {**EvidenceReader(lawful).header(), "commitment": seed.commitment,
             "commitment_token": token}, Header,
        )  # fmt: skip
        header = msgspec.structs.replace(
            header, terms=msgspec.structs.replace(header.terms, seed=seed.number)
        )
        day = dt.datetime.now(dt.UTC).date() + dt.timedelta(days=days)
        named = Seed(
            number=seed.number, commitment=seed.commitment, revealed=seed.seed, token=token
        )
        changed = msgspec.structs.replace(
            report,
            method=msgspec.structs.replace(report.method, seed=named),
            dates=DatesRecord(
                received=None, first_day=day, last_day=day, issued=day, valid_until=None,
                time_zone="UTC",
            ),
        )  # fmt: skip
        sources = LawSources(
            at_hand=law,
            given=None,
            policy=policy,
            is_signed=True,
            commitment=commitment,
            registered_at=registered_at,
        )
        footer = {"sealed": msgspec.to_builtins(seed)}
        return [(one.key, one.state) for one in check_seed(changed, header, footer, sources)]

    return of


def test_without_token_and_publication_when_is_not_proven(checked):
    assert checked(stamp=False) == [("seed.when", CheckState.OPEN)]


def test_a_stamped_commitment_holds(checked):
    assert checked(stamp=True) == [("seed.stamped", CheckState.HOLDS)]


def test_a_published_commitment_holds(checked):
    published = sealed_seed().commitment

    assert checked(stamp=False, commitment=published) == [("seed.published", CheckState.HOLDS)]


def test_another_published_commitment_is_named(checked):
    assert checked(stamp=True, commitment="0" * 64) == [
        ("seed.stamped", CheckState.HOLDS),
        ("seed.other", CheckState.FAILED),
    ]


def test_a_commitment_after_the_test_is_named(checked):
    assert checked(stamp=True, days=-2) == [("seed.late", CheckState.FAILED)]


@pytest.mark.parametrize("days", [0, -2])
def test_a_registry_says_when_a_commitment_was_published(checked, days):
    now = dt.datetime.now(dt.UTC)
    said = ("seed.registered-late", CheckState.FAILED) if days else (
        "seed.registered", CheckState.HOLDS
    )  # fmt: skip

    assert checked(stamp=False, days=days, registered_at=now) == [said]


def test_what_a_stamp_proves_may_be_registered_later(checked):
    later = dt.datetime.now(dt.UTC) + dt.timedelta(days=2)

    assert checked(stamp=True, registered_at=later) == [("seed.stamped", CheckState.HOLDS)]


def test_the_token_of_another_commitment_is_named(checked, token):
    assert checked(stamp=True, token=token) == [("seed.stamp-refused", CheckState.FAILED)]


def test_a_seal_that_was_used_is_refused(tmp_path):
    seal = tmp_path / "seal.json"
    require_unused(seal)

    record_use(seal, "0" * 64, "2026-01-31T00:00:00+00:00")

    assert ledger_path(seal).is_file()
    with pytest.raises(UsageError, match="was used before"):
        require_unused(seal)
