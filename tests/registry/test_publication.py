"""What is published of a registry: for people, for programs, and to be checked by anybody."""

import csv
import datetime as dt
import hashlib
import io
import json
import re
from xml.etree import ElementTree as ET

import jsonschema
import pytest
from tests.registry.conftest import issued

from selo.errors import SeloError
from selo.registry import read_registry_policy
from selo.registry.certificate_registry import CertificateRegistry
from selo.registry.publication import publish_registry, registry_pages
from selo.registry.registry_events import RegisteredInstrument, RegisteredProduct
from selo.registry.status import open_source
from selo.verification.verification_report import exit_code_of
from selo.verification.verifier import check_registry

DOCUMENT = b"a document"
DIGEST = hashlib.sha256(DOCUMENT).hexdigest()
ATOM = "{http://www.w3.org/2005/Atom}"
INSTRUMENT = RegisteredInstrument(
    id="portaria-21-96-m", status="revoked", articles={"5": ["conforms"], "3": ["witnessed"]}
)
HOSTILE = '<script>alert("x")</script>'


def files_of(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.fixture
def lived(registry, happen, law):
    point = next(one for one in law.divergences if one.readings)
    reading = {point.id: point.readings[0].id}
    fields = issued("SELO-1", document=DIGEST, instruments=[INSTRUMENT], readings=reading)
    happen("issue", **fields)
    happen("issue", **issued("SELO-2", valid_until=dt.date(2020, 1, 1)))
    product = RegisteredProduct(vendor="=1+1", name=HOSTILE, version="ção 測\u202e")
    happen("issue", **issued("selo/../3", product=product))
    happen("suspend", certificate="selo/../3")
    happen("issue", **issued("SELO-4"))
    happen("issue", **issued("SELO-5"))
    happen("supersede", certificate="SELO-4", successor="SELO-5")
    return registry


@pytest.fixture
def publish(lived, office, law, tmp_path):
    """Publish the registry into a folder, and return the folder."""

    def publish(name="site"):
        done = publish_registry(lived, tmp_path / name, law, read_registry_policy(office.policy))
        return tmp_path / name, done

    return publish


def test_the_same_log_gives_the_same_bytes(publish):
    one, _ = publish("one")
    two, _ = publish("two")

    unlike = {"registry/lock"}
    first, second = files_of(one), files_of(two)
    assert set(first) == set(second)
    assert [name for name in first if first[name] != second[name] and name not in unlike] == []


def test_publishing_again_writes_nothing(publish):
    folder, first = publish()
    times = {path: path.stat().st_mtime_ns for path in folder.rglob("*.html")}

    _, again = publish()

    assert first.rendered == 5
    assert (again.rendered, again.written) == (0, [])
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*.html")} == times


def test_only_pages_of_certificates_that_events_touch_are_made_anew(
    publish, lived, happen, law, tmp_path
):
    publish()
    happen("suspend", certificate="SELO-1")
    happen("supersede", certificate="SELO-5", successor="SELO-2")

    folder, again = publish()

    pages = {name for name in again.written if name.startswith("certificates/")}
    assert pages == {f"certificates/SELO-{number}.html" for number in (1, 2, 5)}
    assert again.rendered == 3
    # What was brought up to date is what would have been published at once.
    fresh = tmp_path / "fresh"
    publish_registry(lived, fresh, law)
    mine, wanted = files_of(folder), files_of(fresh)
    assert [name for name in wanted if mine[name] != wanted[name]] == []
    assert set(mine) == set(wanted)


def test_an_event_makes_only_the_lists_anew_that_name_its_certificate(
    publish, happen, tmp_path, monkeypatch
):
    made = []
    render = registry_pages.RegistryPages._render  # noqa: SLF001 - what is made is counted

    def counted(self, template, **values):
        made.append((template, values["page"]))
        return render(self, template, **values)

    monkeypatch.setattr(registry_pages, "_ROWS", 2)
    monkeypatch.setattr(registry_pages.RegistryPages, "_render", counted)
    folder, _ = publish()
    happen("suspend", certificate="SELO-1")
    made.clear()
    publish()

    assert [page for template, page in made if template == "list"] == ["list-0001.html"]
    publish("anew")
    assert len([*folder.glob("list-*.html")]) == 3
    # What was brought up to date is what somebody publishes who begins now.
    one, two = files_of(folder), files_of(tmp_path / "anew")
    assert [name for name in two if one.get(name) != two[name] and name != "registry/lock"] == []


def test_a_log_that_does_not_continue_the_published_one_is_refused(publish, office, law, tmp_path):
    folder, _ = publish()
    others = CertificateRegistry.begin(
        tmp_path / "other", office.policy, office.bureau, office.bureau
    )

    with pytest.raises(SeloError, match="rewritten"):
        publish_registry(others, folder, law)


def test_a_broken_log_is_not_published(lived, law, tmp_path):
    log = lived.folder / "log.jsonl"
    log.write_bytes(log.read_bytes().replace(b"SELO-2", b"SELO-8", 1))

    with pytest.raises(SeloError, match="not intact"):
        publish_registry(lived, tmp_path / "site", law)
    assert not (tmp_path / "site" / "index.html").exists()


def test_the_published_copy_is_a_registry_that_anybody_checks(publish, office, lived):
    folder, _ = publish()
    policy = read_registry_policy(office.policy)

    log = CertificateRegistry.at(folder / "registry").check(policy)
    checks = list(check_registry(DOCUMENT, "SELO-1", open_source(folder), policy))

    assert log.problems == []
    assert log.root == lived.check().root
    assert ([check.key for check in checks], exit_code_of(checks)) == (["registry.valid"], 0)


def test_the_json_fits_its_schema_and_says_each_state(publish, root):
    folder, _ = publish()
    schema = json.loads((folder / "certificates.schema.json").read_bytes())
    told = json.loads((folder / "certificates.json").read_bytes())

    kept = root / "specs" / "schema" / "file" / "registry-publication.schema.json"
    for one in (schema, json.loads(kept.read_text("utf-8"))):
        jsonschema.Draft202012Validator.check_schema(one)
        judge = jsonschema.Draft202012Validator(one)
        assert [error.message for error in judge.iter_errors(told)] == []
        assert list(judge.iter_errors({**told, "certificates": [{}]}))
    states = {one["certificate"]: one["state"] for one in told["certificates"]}
    assert states == {
        "SELO-1": "valid", "SELO-2": "expired", "selo/../3": "suspended",
        "SELO-4": "superseded", "SELO-5": "valid",
    }  # fmt: skip


def test_the_table_holds_every_certificate_and_no_formula(publish):
    folder, _ = publish()

    rows = list(csv.DictReader(io.StringIO((folder / "certificates.csv").read_text("utf-8"))))

    assert [row["certificate"] for row in rows] == [
        "SELO-1", "SELO-2", "selo/../3", "SELO-4", "SELO-5",
    ]  # fmt: skip
    assert rows[2]["vendor"] == "'=1+1"
    assert rows[0]["document"] == DIGEST


def test_nothing_is_published_for_people_that_they_cannot_see(publish):
    folder, _ = publish()
    shown = [path for path in folder.rglob("*") if path.suffix in {".html", ".js", ".csv", ".atom"}]

    assert len(shown) > 9
    assert [path for path in shown if "\u202e" in path.read_text("utf-8")] == []


def test_the_feed_is_atom(publish):
    """RFC 4287, section 4.1: what a feed and an entry must have, once each."""
    folder, _ = publish()

    feed = ET.fromstring((folder / "feed.atom").read_bytes())  # noqa: S314 - our own file

    assert feed.tag == f"{ATOM}feed"
    entries = feed.findall(f"{ATOM}entry")
    assert len(entries) == 7
    for part in (feed, *entries):
        for name in ("id", "title", "updated"):
            (found,) = part.findall(f"{ATOM}{name}")
            assert found.text
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", part.find(f"{ATOM}updated").text)
    assert feed.find(f"{ATOM}author/{ATOM}name").text
    ids = [entry.find(f"{ATOM}id").text for entry in entries]
    assert len(set(ids)) == len(ids)
    for entry in entries:
        assert (folder / entry.find(f"{ATOM}link").get("href")).is_file()


def test_a_badge_is_an_accessible_picture_of_the_state(publish):
    folder, _ = publish()

    badge = ET.fromstring((folder / "badges" / "SELO-1.svg").read_bytes())  # noqa: S314

    assert badge.get("role") == "img"
    assert badge.get("aria-label") == "Selo SELO-1: válido · 有效 → 2099-12-31"
    suspended = next(path for path in (folder / "badges").iterdir() if path.name.startswith("x-"))
    assert "suspenso · 中止" in suspended.read_text("utf-8")
