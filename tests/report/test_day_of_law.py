"""Dates close: nothing conforms to a text that was not the law on the day asked for."""

import datetime as dt
import json
import sys
from xml.etree import ElementTree as ET

import msgspec
import pytest

from selo.law.status import status_on
from selo.report.content.report_builder import build_report
from selo.report.formats.junit import render_junit
from selo.report.formats.sarif import render_sarif
from selo.report.model.dossier import DocumentKind
from selo.report.requirements.document_kind import DocumentNotAllowed, find_missing, require_allowed

VENDOR = f"{sys.executable} fixtures/adapters/python/reference.py"
FAULTY = f"{sys.executable} fixtures/planted/vendor.py pai-kao rank-98-counts-as-100"
#: Days of P'ai Kao on which its text was the law, was perhaps amended, and was not yet the law.
LAW, PERHAPS, NOT_YET = "1990-06-01", "2020-06-01", "1980-01-01"


@pytest.fixture(scope="module")
def examined(selo, tmp_path_factory):
    """Examine on a day, once for each set of words; return what was done and the result."""
    done = {}

    def run(*words, vendor=VENDOR):
        if (words, vendor) not in done:
            folder = tmp_path_factory.mktemp("day") / "run"
            printed = selo(
                "examine", "--vendor", vendor, "--game", "pai-kao", "--rulings", "defaults",
                "--out", str(folder), *words, stored=False,
            )  # fmt: skip
            result = json.loads((folder / "result.json").read_bytes())
            done[words, vendor] = (printed, result, folder)
        return done[words, vendor]

    return run


def verdicts(result):
    return {(one["result"], one["reason"]) for one in result["summary"]["provisions"]}


@pytest.mark.parametrize(
    ("words", "code", "verdict"),
    [
        (("--as-of", LAW), 0, ("conforms", "examined")),
        (("--as-of", NOT_YET), 2, ("not-law", "not-law")),
        (("--as-of", PERHAPS), 2, ("not-law", "perhaps-not-law")),
        ((), 2, ("not-law", "perhaps-not-law")),
        (("--as-of", "2099-01-01"), 2, ("not-law", "perhaps-not-law")),
        (("--as-of", NOT_YET, "--text-as-stored"), 0, ("conforms", "examined")),
    ],
)
def test_a_lawful_game_conforms_only_to_a_text_that_was_the_law(examined, words, code, verdict):
    done, result, _ = examined(*words)

    assert done.returncode == result["exit"] == code
    assert verdicts(result) == {verdict}


def test_a_broken_game_breaks_no_law_on_a_day_without_it(examined):
    done, result, _ = examined("--as-of", NOT_YET, vendor=FAULTY)

    assert done.returncode == 2
    assert verdicts(result) == {("not-law", "not-law")}
    assert result["findings"]


@pytest.mark.parametrize(
    ("words", "is_law", "as_stored"),
    [
        (("--as-of", LAW), True, False),
        (("--as-of", NOT_YET), False, False),
        (("--as-of", NOT_YET, "--text-as-stored"), False, True),
    ],
)
def test_one_line_says_how_the_text_stood(examined, words, is_law, as_stored):
    done, result, _ = examined(*words)
    (text,) = result["texts"]

    assert (text["is_law"], text["as_stored"], text["as_of"]) == (is_law, as_stored, words[1])
    (line,) = [one for one in done.stdout.splitlines() if one.startswith("Portaria n.º 96/85/M")]
    assert text["status"]["en"] in line
    assert ("Applied as stored" in line) is as_stored


def test_a_day_beyond_what_we_know_is_said_to_be(examined):
    done, _, _ = examined("--as-of", "2099-01-01")

    assert "We know of later acts only up to 2025-11-17; the day requested is later." in done.stdout


def test_every_day_of_every_instrument_is_judged_by_its_chain(law):
    """Sweep the days around each date of each chain: outside of the known law nothing is law."""
    for folder in law.folders:
        instrument = folder.instrument
        days = {instrument.dates.in_force.not_before, instrument.dates.in_force.not_after}
        days |= {day for one in instrument.chain for day in (one.day.not_before, one.day.not_after)}
        days |= {instrument.known_until}
        for day in {one + dt.timedelta(days=more) for one in days for more in (-1, 0, 1)}:
            for file in folder.articles:
                number = file.article.article
                status = status_on(instrument, day, article=number)
                ended = any(
                    one.effect in {"amended-by", "revoked-by"}
                    and {"all", number} & set(one.articles)
                    and day >= one.day.not_before
                    for one in instrument.chain
                )
                begun = day >= instrument.dates.in_force.not_after
                known = day <= instrument.known_until
                assert status.is_law == (begun and known and not ended), (number, day)


@pytest.mark.parametrize("kind", ["open", "as-stored"])
def test_documents_of_every_format_say_it(examined, law, kind):
    words = ("--text-as-stored",) if kind == "as-stored" else ()
    report = build_report(examined("--as-of", NOT_YET, *words)[2], law)
    suite = ET.fromstring(render_junit(report)).find("testsuite")  # noqa: S314 - our own
    properties = {one.get("name"): one.get("value") for one in suite.iter("property")}
    run = json.loads(render_sarif(report))["runs"][0]["properties"]

    assert [norm.is_law for norm in report.norms] == [False]
    assert report.method.text_as_stored is run["textAsStored"] is (kind == "as-stored")
    assert properties["text_as_stored"] == str(kind == "as-stored").lower()
    assert run["texts"]["portaria-96-85-m"]["isLaw"] is False
    assert bool(suite.findall(".//error")) is (kind == "open")


def _certifiable(report, **changes):
    return msgspec.structs.replace(report, kind=DocumentKind.CERTIFICATE, **changes)


@pytest.mark.parametrize(
    ("words", "permitted", "demonstration", "allowed"),
    [
        (("--as-of", LAW), "", False, True),
        (("--as-of", NOT_YET), "", False, False),
        (("--as-of", NOT_YET), "", True, False),
        (("--as-of", NOT_YET, "--text-as-stored"), "", False, False),
        (("--as-of", NOT_YET, "--text-as-stored"), "P-1", False, True),
        (("--as-of", NOT_YET, "--text-as-stored"), "", True, True),
    ],
)
def test_a_certificate_needs_the_law_of_the_day_or_a_permission(
    examined, law, dossier, words, permitted, demonstration, allowed
):
    report = build_report(examined(*words)[2], law, dossier)
    norms = [msgspec.structs.replace(one, permitted_by=permitted) for one in report.norms]
    report = _certifiable(report, norms=norms, demonstration=demonstration)

    missing = [one.key for one in find_missing(report, dossier)]

    assert ("law:portaria-96-85-m" not in missing) is allowed


def test_a_certificate_without_permission_is_refused(examined, law, dossier):
    report = build_report(examined("--as-of", NOT_YET, "--text-as-stored")[2], law, dossier)
    norms = [msgspec.structs.replace(one, permitted_by="") for one in report.norms]
    report = _certifiable(report, norms=norms, demonstration=False)
    report = msgspec.structs.replace(report, missing=find_missing(report, dossier))

    with pytest.raises(DocumentNotAllowed, match="no signed permission of the authority"):
        require_allowed(report, dossier)


def test_the_gate_stays_closed_whatever_its_threshold(selo, tmp_path):
    for at, threshold in enumerate(("violates", "to-be-witnessed")):
        done = selo(
            "gate", "--vendor", VENDOR, "--game", "pai-kao", "--rulings", "defaults",
            "--as-of", PERHAPS, "--fail-on", threshold, "--format", "none",
            "--out", str(tmp_path / str(at)), stored=False,
        )  # fmt: skip

        assert done.returncode == 2
        assert "not law on that day" in done.stdout
