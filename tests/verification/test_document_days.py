"""The days that a document states, held against the time at which a timestamp proves it signed.

The day of issue decides which witness forms and which earlier certificate count: whoever dates a
document back would make an expired one valid.
"""

import datetime as dt
import shutil

import msgspec
import pytest
from tests.examine.forged_evidence import forge_evidence
from tests.gate.conftest import office, permission
from tests.verification.certificates import write_form
from tests.verification.conftest import altered, wrong

from selo.examine.conclusion.result import derive_result_from_folder
from selo.gate.permission_scope import verify_permission
from selo.law.status import macau_today
from selo.report.content.attachments import PERMISSION_PREFIX
from selo.signing.signer_policy import AllowedSigner, SignerPolicy
from selo.signing.signing_enums import Level
from selo.verification import chain_checks
from selo.verification.chain_checks import ChainSources
from selo.verification.document_law import LawSources
from selo.verification.permission_checks import check_permissions
from selo.verification.recomputation import _check_forms_when_signed
from selo.verification.signature_checks import check_dates, find_signing_time
from selo.verification.verification_report import CheckState, open_check, passed_check

__all__ = ["office", "permission"]
NOON = dt.datetime(2026, 3, 10, 12, tzinfo=dt.UTC)
DAY = NOON.date()


def days_later(days):
    return None if days is None else DAY + dt.timedelta(days=days)


@pytest.mark.parametrize(
    ("received", "first_day", "last_day", "issued", "valid_until", "key"),
    [
        (-3, -2, -1, 0, 365, "dates"),
        (None, -2, -1, 0, None, "dates"),
        (-3, -2, -1, -1, 365, "dates.issued-earlier"),
        (-3, -2, -1, 1, 365, "dates.later"),
        (-3, 1, 1, 1, 365, "dates.later"),
        (-3, -2, 1, 0, 365, "dates.later"),
        (1, -2, -1, 0, 365, "dates.later"),
        (-9, -8, -7, -7, -1, "dates.over"),
    ],
)
def test_no_day_of_a_document_is_later_than_its_signature(
    material, received, first_day, last_day, issued, valid_until, key
):
    report, _ = material
    dates = altered(
        report.dates,
        received=days_later(received),
        first_day=days_later(first_day),
        last_day=days_later(last_day),
        issued=days_later(issued),
        valid_until=days_later(valid_until),
        time_zone="UTC",
    )

    (check,) = check_dates(altered(report, dates=dates), NOON)

    assert check.key == key
    assert (check.state is CheckState.FAILED) is (key in {"dates.later", "dates.over"})


def test_without_a_trusted_timestamp_no_day_is_proven(material):
    assert list(check_dates(material[0], None)) == []


def signature_check(level, at, make=passed_check):
    return make("signature", "signature", signer="x", level=level, at=at)


def test_the_earliest_trusted_timestamp_says_when_a_document_was_signed():
    later, latest = (NOON + dt.timedelta(hours=hours) for hours in (1, 2))
    checks = [
        # A clock of the signer, and a stamp that nobody trusts, prove nothing.
        signature_check(Level.B, NOON),
        signature_check(Level.LTA, NOON, open_check),
        signature_check(Level.T, later),
        passed_check("stamp", "timestamp", signer="x", at=latest),
    ]

    assert find_signing_time(checks) == later
    assert find_signing_time(checks[:2]) is None


@pytest.mark.parametrize(("later", "is_over"), [(0, False), (365, False), (366, True)])
def test_a_form_that_was_over_when_the_document_was_signed_is_named(
    material, lawful, law, tmp_path, later, is_over
):
    """The form is valid for 365 days."""
    report, _ = material
    day = macau_today()
    form = write_form(tmp_path / "form.yaml", law, ["pai-kao", "fish-prawn-crab"])
    header = derive_result_from_folder(lawful, law).header
    dated = altered(report, dates=altered(report.dates, issued=day, time_zone="UTC"))
    signed_at = dt.datetime.combine(day, dt.time(12), dt.UTC) + dt.timedelta(days=later)

    found = wrong(_check_forms_when_signed(dated, law, header, [form], signed_at))

    assert found == ({"witness": "witness.over-when-signed"} if is_over else {})


def test_an_earlier_certificate_is_verified_on_the_day_of_the_signature(material, law):
    """An earlier day of issue would make one valid again that was over."""
    report, _ = material
    dated = altered(report, dates=altered(report.dates, issued=days_later(-400), time_zone="UTC"))
    asked = []

    def verify(_, day):
        asked.append(day)
        return []

    law_sources = LawSources(at_hand=law, given=None, policy=None, is_signed=True, signed_at=NOON)
    sources = ChainSources(
        law=law_sources, beside=None, registry=None, registry_policy=None, depth=0, verify=verify
    )

    chain_checks._check_genuine(b"", dated, "C-1", sources)  # noqa: SLF001 - the rest needs a chain

    assert asked == [DAY]


@pytest.mark.parametrize(
    ("tested", "today", "keys"),
    [
        ("2026-02-01", "2026-06-30", ["permission"]),
        ("2026-02-01", "2026-07-01", ["permission", "permission.over"]),
        # Whoever backdates the day of the law still says when the test was.
        ("2026-07-01", "2026-07-01", ["permission.differs"] * 2),
    ],
)
def test_a_permission_that_is_over_is_named(
    lawful, law, tmp_path, permission, office, tested, today, keys
):
    product = {"vendor": "Reference vendor", "name": "Reference games"}
    path = permission(product=product, expires="2026-06-30")
    verified = verify_permission(path, law, office.trust())
    (ruling,) = verified.rulings()

    def permit(run):
        run.header["permissions"] = [msgspec.to_builtins(verified.permitted())]
        others = [one for one in run.header["adopted"] if one["divergence"] != ruling.divergence]
        run.header["adopted"] = [*others, msgspec.to_builtins(ruling)]

    folder = forge_evidence(lawful, tmp_path / "run", permit)
    for suffix in ("", ".p7s"):
        shutil.copy(f"{path}{suffix}", folder / f"{PERMISSION_PREFIX}1.yaml{suffix}")
    policy = SignerPolicy(authorities=(AllowedSigner(name=office.name),))
    days = {"tested": dt.date.fromisoformat(tested), "today": dt.date.fromisoformat(today)}

    checks = check_permissions(folder, law, office.trust(), policy, **days)

    assert [check.key for check in checks] == keys
