"""What people saw joins the verdicts of an examination, and only what is about its product does."""

import datetime as dt
import hashlib
import json
import shutil

import msgspec
import pytest

from selo.errors import UsageError
from selo.examine.conclusion.result import derive_result_from_folder, write_result
from selo.examine.run.witness_attachment import FormAltered, keep_forms, read_kept_forms
from selo.report.content.attachments import list_enclosures
from selo.verdict.observations import Person, Photo
from selo.verdict.provision_verdict import Result, VerdictReason
from selo.verdict.witness.form import InspectedItem, blank_form, form_to_yaml, provisions_to_inspect
from selo.verification.recomputation import write_attachments

GAME = "fish-prawn-crab"
DAY = dt.date(2025, 6, 30)
change = msgspec.structs.replace


@pytest.fixture
def product(examined):
    """Return what was examined, as its vendor describes it."""
    said = json.loads((examined / "result.json").read_text(encoding="utf-8"))
    told = said["header"]["description"]
    return InspectedItem(
        vendor=told["vendor"]["name"],
        product=told["product"]["name"],
        version=told["product"]["version"],
    )


@pytest.fixture
def form(law, product):
    """Return a form in which everything is met."""
    empty = blank_form(law, [GAME])
    entries = [
        change(
            entry,
            result="met",
            observation="Seen on the table.",
            date="2025-06-02",
            place="Table 4",
            valid_until="2026-06-01",
            examiner=Person(name="First signatory", number="101"),
            second=Person(name="Second signatory", number="102"),
        )
        for entry in empty.entries
    ]
    return change(empty, item=product, entries=entries)


def put(folder, form, name="witness.yaml"):
    path = folder / name
    path.write_text(form_to_yaml(form), encoding="utf-8")
    return path


def spoiled(form, **fields):
    return change(form, entries=[change(form.entries[0], **fields), *form.entries[1:]])


def by_provision(outcome):
    return {one.provision: one for one in outcome.summary.provisions}


def test_without_a_form_what_people_must_see_is_to_be_witnessed(law, run_folder):
    verdicts = by_provision(derive_result_from_folder(run_folder, law))

    for held in provisions_to_inspect(law, [GAME]):
        assert verdicts[held.id].result is not Result.WITNESSED
        assert verdicts[held.id].result is not Result.CONFORMS


def test_what_two_people_saw_is_witnessed(law, run_folder, form, tmp_path):
    verdicts = by_provision(
        derive_result_from_folder(run_folder, law, forms=[put(tmp_path, form)], day=DAY)
    )

    alone = [
        one
        for one in provisions_to_inspect(law, [GAME])
        if one.provision.verified_by == "inspection"
    ]
    assert alone
    for held in alone:
        assert verdicts[held.id].result in {Result.WITNESSED, Result.CONFORMS}
        assert verdicts[held.id].witnesses[0].examiner.name == "First signatory"


def test_what_two_people_saw_not_to_be_met_violates(law, run_folder, form, tmp_path):
    path = put(tmp_path, spoiled(form, result="not-met"))

    outcome = derive_result_from_folder(run_folder, law, forms=[path], day=DAY)

    found = by_provision(outcome)[form.entries[0].id]
    assert (found.result, found.reason) == (Result.VIOLATES, VerdictReason.WITNESS_NOT_MET)
    assert outcome.exit == 1


@pytest.mark.parametrize(
    ("fields", "day", "reason"),
    [
        ({"second": Person()}, DAY, VerdictReason.WITNESS_SINGLE_SIGNED),
        ({}, dt.date(2026, 6, 2), VerdictReason.WITNESS_EXPIRED),
        ({"observation": ""}, DAY, VerdictReason.WITNESS_INCOMPLETE),
    ],
)
def test_an_entry_that_does_not_hold_keeps_its_provision_to_be_witnessed(
    law, run_folder, form, tmp_path, fields, day, reason
):
    path = put(tmp_path, spoiled(form, **fields))

    found = by_provision(derive_result_from_folder(run_folder, law, forms=[path], day=day))[
        form.entries[0].id
    ]

    inspection = next(one for one in found.parts if one.way == "inspection")
    assert inspection.reason is reason
    assert found.result not in {Result.WITNESSED, Result.CONFORMS}


def test_the_result_names_each_form_by_its_digest_and_the_day(law, run_folder, form, tmp_path):
    path = put(tmp_path, form)
    again = shutil.copy(path, tmp_path / "again.yaml")

    write_result(
        run_folder, derive_result_from_folder(run_folder, law, forms=[path, again], day=DAY)
    )

    told = json.loads((run_folder / "result.json").read_text(encoding="utf-8"))["witnessed"]
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert [one["sha256"] for one in told["forms"]] == [digest]
    assert told["day"] == "2025-06-30"


@pytest.mark.parametrize(
    ("other", "told"),
    [
        ({"product": "Another game"}, "Another game"),
        ({"version": "0.0.1"}, "0.0.1"),
        ({"vendor": "Somebody else"}, "Somebody else"),
        ({"version": ""}, "(blank)"),
    ],
)
def test_a_form_about_another_product_is_refused(law, run_folder, form, tmp_path, other, told):
    path = put(tmp_path, change(form, item=change(form.item, **other)))

    with pytest.raises(UsageError) as error:
        derive_result_from_folder(run_folder, law, forms=[path], day=DAY)

    assert told in error.value.problem
    assert str(path) in error.value.problem


def test_a_form_for_another_edition_of_the_law_is_refused(law, run_folder, form, tmp_path):
    path = put(tmp_path, change(form, spec_digest="0" * 64))

    with pytest.raises(UsageError, match="another edition of the law"):
        derive_result_from_folder(run_folder, law, forms=[path], day=DAY)


def test_a_form_about_a_game_that_is_not_examined_is_refused(law, run_folder, product, tmp_path):
    path = put(tmp_path, change(blank_form(law, ["craps"]), item=product))

    with pytest.raises(UsageError, match="craps, which is not examined"):
        derive_result_from_folder(run_folder, law, forms=[path], day=DAY)


def test_a_form_whose_photograph_is_another_is_refused(law, run_folder, form, tmp_path):
    (tmp_path / "a.jpg").write_bytes(b"another picture")
    photo = Photo(file="a.jpg", sha256=hashlib.sha256(b"the picture").hexdigest())
    path = put(tmp_path, spoiled(form, photos=[photo]))

    with pytest.raises(FormAltered) as error:
        derive_result_from_folder(run_folder, law, forms=[path], day=DAY)

    assert error.value.code == "tampered"


@pytest.mark.full
def test_a_form_that_is_kept_without_its_photographs_says_the_same(law, run_folder, form, tmp_path):
    (tmp_path / "a.jpg").write_bytes(b"the picture")
    photo = Photo(file="a.jpg", sha256=hashlib.sha256(b"the picture").hexdigest())
    path = put(tmp_path, spoiled(form, photos=[photo]))
    keep_forms(run_folder, [path])

    first = derive_result_from_folder(run_folder, law, forms=[path], day=DAY)
    again = derive_result_from_folder(run_folder, law, forms=read_kept_forms(run_folder), day=DAY)

    assert again.summary == first.summary


def test_a_form_that_was_changed_in_the_folder_is_noticed(run_folder, form, tmp_path):
    keep_forms(run_folder, [put(tmp_path, spoiled(form, result="not-met"))])
    (path,) = read_kept_forms(run_folder)
    path.write_text(form_to_yaml(form), encoding="utf-8")

    with pytest.raises(FormAltered, match="altered"):
        read_kept_forms(run_folder)


@pytest.mark.full
def test_a_form_can_join_a_run_that_is_at_its_end(selo, run_folder, form, tmp_path):
    path = put(tmp_path, spoiled(form, result="not-met", valid_until="2999-12-31"))

    done = selo("resume", str(run_folder), "--witness", str(path), "--json")

    assert done.returncode == 1, done.stderr
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert (run_folder / "witness" / f"{digest}.yaml").is_file()
    assert json.loads(done.stdout)["witnessed"]["forms"][0]["sha256"] == digest


def test_a_form_that_cannot_join_is_refused_before_anything_is_asked(selo, form, tmp_path):
    path = put(tmp_path, change(form, item=change(form.item, version="0.0.1")))
    vendor = "python3 fixtures/adapters/python/reference.py"

    done = selo(
        "examine", "--vendor", vendor, "--game", GAME, "--out", str(tmp_path / "run"),
        "--witness", str(path),
    )  # fmt: skip

    assert done.returncode == 3
    assert "0.0.1" in done.stderr
    assert not (tmp_path / "run").exists()


def test_a_form_that_is_not_there_is_a_clear_error(selo, tmp_path):
    done = selo(
        "examine", "--vendor", "python3 fixtures/adapters/python/reference.py", "--game", GAME,
        "--out", str(tmp_path / "run"), "--witness", str(tmp_path / "nothing.yaml"),
    )  # fmt: skip

    assert done.returncode == 3
    assert "nothing.yaml" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.fixture
def photographed(run_folder, form, tmp_path):
    """Keep a form with two photographs in a run; one of them is not there."""
    (tmp_path / "a.JPG").write_bytes(b"the picture")
    held, gone = (
        Photo(file=name, sha256=hashlib.sha256(content).hexdigest())
        for name, content in (("a.JPG", b"the picture"), ("b.jpg", b"another"))
    )
    keep_forms(run_folder, [put(tmp_path, spoiled(form, photos=[held, gone]))])
    return run_folder, f"photograph-{held.sha256}.jpg"


def test_photographs_are_kept_by_their_digest(photographed):
    folder, name = photographed

    assert [path.name for path in (folder / "witness").iterdir() if path.suffix == ".jpg"] == [name]
    assert (folder / "witness" / name).read_bytes() == b"the picture"


def test_photographs_belong_to_the_document_and_are_found_again_in_it(law, photographed, tmp_path):
    folder, name = photographed
    forms = read_kept_forms(folder)
    outcome = derive_result_from_folder(folder, law, forms=forms, day=DAY)
    enclosed = list(list_enclosures(folder, law, outcome, groups=[], forms=forms))
    taken = {one.name: one.read() for one in enclosed}
    assert taken[name] == b"the picture"

    place = tmp_path / "document"
    place.mkdir()
    found = write_attachments(place, taken)
    again = list_enclosures(place, law, outcome, groups=[], forms=found)

    assert [one.describe() for one in again] == [one.describe() for one in enclosed]


def test_a_photograph_that_was_exchanged_is_no_part_of_the_document(law, photographed):
    folder, name = photographed
    (folder / "witness" / name).write_bytes(b"a forgery")

    outcome = derive_result_from_folder(folder, law, day=DAY)
    forms = read_kept_forms(folder)

    assert name not in [
        one.name for one in list_enclosures(folder, law, outcome, groups=[], forms=forms)
    ]
