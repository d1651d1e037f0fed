"""Forms that people filled in: what holds, and every way to be wrong, by line."""

import datetime as dt
import hashlib
import re

import msgspec
import pytest

from selo.errors import SpecError
from selo.law.files.provision_file import Way
from selo.verdict.observations import (
    EntryTrust,
    Person,
    Photo,
    ProvisionObservations,
    WitnessAnswer,
)
from selo.verdict.provision_verdict import Result, VerdictReason, judge_provision
from selo.verdict.witness.form import InspectedItem, blank_form, form_to_yaml
from selo.verdict.witness.form_reader import FlawWeight, check_form, form_exit_code

GAME = "fish-prawn-crab"
DAY = dt.date(2025, 6, 30)
PICTURE = b"not really a picture"
DIGEST = hashlib.sha256(PICTURE).hexdigest()
change = msgspec.structs.replace


@pytest.fixture(scope="module")
def good(law):
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
    item = InspectedItem(vendor="Reference vendor", product="Fish-Prawn-Crab", version="1.0")
    return change(empty, item=item, entries=entries)


@pytest.fixture
def checked(law, tmp_path):
    def run(form, *, day=DAY, edit=None):
        path = tmp_path / "witness.yaml"
        text = form_to_yaml(form)
        if edit is not None:
            old, new = edit
            assert old in text
            text = text.replace(old, new, 1)
        path.write_text(text, encoding="utf-8")
        return check_form(path, law, day)

    return run


def spoiled(good, at=0, **fields):
    entries = list(good.entries)
    entries[at] = change(entries[at], **fields)
    return change(good, entries=entries)


def test_a_form_that_two_people_filled_in_is_witnessed(good, checked):
    form = checked(good)

    assert form.flaws == ()
    assert {one.signed for one in form.witnesses} == {EntryTrust.VALID}
    assert form_exit_code([form]) == 0
    one = form.witnesses[0]
    assert (one.examiner.name, one.date, one.place) == (
        "First signatory",
        dt.date(2025, 6, 2),
        "Table 4",
    )
    seen = ProvisionObservations(provision=one.provision, ways=(Way.INSPECTION,), witnesses=(one,))
    assert judge_provision(seen).result is Result.WITNESSED


def test_an_empty_form_leaves_everything_to_be_witnessed(law, checked):
    form = checked(blank_form(law, [GAME]))

    assert {one.signed for one in form.witnesses} == {EntryTrust.INCOMPLETE}
    assert form_exit_code([form]) == 2
    told = {flaw.slots.get("field") for flaw in form.flaws if flaw.name == "blank"}
    assert told == {
        *("item.vendor", "item.product", "item.version"),
        *("result", "observation", "date", "place", "valid_until"),
        *("examiner.name", "examiner.number"),
    }


@pytest.mark.parametrize(
    ("product", "version", "same"),
    [
        ("Fish-Prawn-Crab", "1.0", True),
        ("fish prawn crab", "1.0", True),
        ("Fish-Prawn-Crab", "10", False),
        ("Craps", "1.0", False),
        ("", "1.0", False),
    ],
)
def test_a_form_is_about_one_product_in_one_version(good, checked, product, version, same):
    form = checked(good)

    assert form.concerns(vendor="Reference vendor", product=product, version=version) is same


def test_not_met_violates(good, checked):
    form = checked(spoiled(good, result="not-met"))

    assert form.flaws == ()
    assert form_exit_code([form]) == 1
    seen = ProvisionObservations(
        provision=form.witnesses[0].provision,
        ways=(Way.INSPECTION,),
        witnesses=form.witnesses[:1],
    )
    assert judge_provision(seen).reason is VerdictReason.WITNESS_NOT_MET


NOBODY = Person()
BROKEN = {
    "no result": ({"result": ""}, "blank", "result", EntryTrust.INCOMPLETE),
    "another result": ({"result": "yes"}, "result", "result", EntryTrust.INCOMPLETE),
    "nothing observed": (
        {"observation": " \u200b—"},
        "blank",
        "observation",
        EntryTrust.INCOMPLETE,
    ),
    "no place": ({"place": ""}, "blank", "place", EntryTrust.INCOMPLETE),
    "no date": ({"date": ""}, "blank", "date", EntryTrust.INCOMPLETE),
    "no such day": ({"date": "2025-02-30"}, "no-day", "date", EntryTrust.INCOMPLETE),
    "a day in words": ({"date": "2 de Junho"}, "no-day", "date", EntryTrust.INCOMPLETE),
    "a week": ({"date": "2025-W23-1"}, "no-day", "date", EntryTrust.INCOMPLETE),
    "tomorrow": ({"date": "2025-07-01"}, "future", "date", EntryTrust.INCOMPLETE),
    "no end": ({"valid_until": ""}, "blank", "valid_until", EntryTrust.INCOMPLETE),
    "no such end": ({"valid_until": "never"}, "no-day", "valid_until", EntryTrust.INCOMPLETE),
    "ends before": (
        {"valid_until": "2025-06-01"},
        "ends-before",
        "valid_until",
        EntryTrust.INCOMPLETE,
    ),
    "expired": ({"valid_until": "2025-06-29"}, "expired", "valid_until", EntryTrust.EXPIRED),
    "no examiner": (
        {"examiner": Person(name="", number="101")},
        "blank",
        "examiner",
        EntryTrust.INCOMPLETE,
    ),
    "no number": (
        {"examiner": Person(name="First signatory")},
        "blank",
        "examiner",
        EntryTrust.INCOMPLETE,
    ),
    "one signature": ({"second": NOBODY}, "single-signed", "second", EntryTrust.SINGLE),
    "half a signature": (
        {"second": Person(name="Second signatory")},
        "single-signed",
        "second",
        EntryTrust.SINGLE,
    ),
    "the same name": (
        {"second": Person(name="FIRST  Signatory", number="102")},
        "same-person",
        "second",
        EntryTrust.SINGLE,
    ),
    "the same number": (
        {"second": Person(name="Second signatory", number="１０１")},
        "same-person",
        "second",
        EntryTrust.SINGLE,
    ),
    "no digest": (
        {"photos": [Photo(file="a.jpg", sha256="")]},
        "photo-digest",
        "- {file",
        EntryTrust.INCOMPLETE,
    ),
    "a digest in capitals": (
        {"photos": [Photo(file="a.jpg", sha256="A" * 64)]},
        "photo-digest",
        "- {file",
        EntryTrust.INCOMPLETE,
    ),
    "a photograph elsewhere": (
        {"photos": [Photo(file="../a.jpg", sha256="0" * 64)]},
        "photo-unreadable",
        "- {file",
        EntryTrust.INCOMPLETE,
    ),
    "a photograph from the root": (
        {"photos": [Photo(file="/etc/hostname", sha256="0" * 64)]},
        "photo-unreadable",
        "- {file",
        EntryTrust.INCOMPLETE,
    ),
    "a folder": (
        {"photos": [Photo(file="x/..", sha256="0" * 64)]},
        "photo-unreadable",
        "- {file",
        EntryTrust.INCOMPLETE,
    ),
}


@pytest.mark.parametrize(("fields", "name", "field", "signed"), BROKEN.values(), ids=BROKEN)
def test_a_broken_entry_is_told_by_line_and_stays_to_be_witnessed(
    good, checked, tmp_path, fields, name, field, signed
):
    (tmp_path / "x").mkdir()

    form = checked(spoiled(good, at=1, **fields))

    names = [(flaw.name, flaw.provision) for flaw in form.flaws]
    assert (name, good.entries[1].id) in names
    flaw = next(flaw for flaw in form.flaws if flaw.name == name)
    lines = (tmp_path / "witness.yaml").read_text(encoding="utf-8").splitlines()
    assert lines[flaw.line - 1].strip().startswith(field)
    assert flaw.weight is FlawWeight.OPEN
    assert [one.signed for one in form.witnesses][:2] == [EntryTrust.VALID, signed]
    assert form_exit_code([form]) == 2
    seen = ProvisionObservations(
        provision=good.entries[1].id, ways=(Way.INSPECTION,), witnesses=form.witnesses[1:2]
    )
    assert judge_provision(seen).result is Result.TO_BE_WITNESSED


def test_an_inspection_holds_on_its_last_day_and_on_the_day_it_is_made(good, checked):
    form = checked(spoiled(good, date="2025-06-30", valid_until="2025-06-30"))

    assert form.flaws == ()


def test_what_is_wrong_in_one_entry_leaves_the_others(good, checked):
    form = checked(spoiled(good, second=NOBODY))

    first, *others = [one.signed for one in form.witnesses]
    assert first is EntryTrust.SINGLE
    assert others == [EntryTrust.VALID] * 5


def test_a_product_without_a_name_leaves_everything_open(good, checked):
    form = checked(
        change(good, item=InspectedItem(vendor="Reference vendor", product="Fish-Prawn-Crab"))
    )

    assert [flaw.slots["field"] for flaw in form.flaws] == ["item.version"]
    assert {one.signed for one in form.witnesses} == {EntryTrust.INCOMPLETE}


def test_a_missing_entry_is_told_and_open(good, checked):
    form = checked(change(good, entries=good.entries[1:]))

    assert [(flaw.name, flaw.provision) for flaw in form.flaws] == [("missing", good.entries[0].id)]
    assert form_exit_code([form]) == 2


REFUSED = {
    "another edition": ("edition", lambda good: change(good, spec_digest="0" * 64)),
    "another shape": ("shape", lambda good: change(good, form="selo-witness/2")),
    "no such game": ("game", lambda good: change(good, games=[GAME, "roulette"])),
    "no game": ("game", lambda good: change(good, games=[])),
    "no such provision": (
        "unknown",
        lambda good: spoiled(good, id="portaria-21-96-m/99"),
    ),
    "not for people": (
        "not-for-people",
        lambda good: spoiled(good, id="portaria-21-96-m/6/a"),
    ),
    "of another game": (
        "not-for-people",
        lambda good: spoiled(good, id="despacho-78-2008/1/2"),
    ),
    "twice": ("twice", lambda good: change(good, entries=[*good.entries, good.entries[0]])),
    "other words of the law": (
        "altered",
        lambda good: spoiled(good, text=good.entries[1].text),
    ),
    "another citation": (
        "altered",
        lambda good: spoiled(good, citation=good.entries[1].citation),
    ),
    "something else to look at": (
        "altered",
        lambda good: spoiled(good, look_at=good.entries[1].look_at),
    ),
}


@pytest.mark.parametrize(("name", "spoil"), REFUSED.values(), ids=REFUSED)
def test_a_form_that_is_not_ours_is_refused_whole(good, checked, name, spoil):
    form = checked(spoil(good))

    assert name in {flaw.name for flaw in form.flaws}
    assert form.refused
    assert form.witnesses == ()
    assert form_exit_code([form]) == 3


@pytest.mark.parametrize(
    ("edit", "told"),
    [
        (("    place:", "    plaice:"), "plaice"),
        (("entries:", "entry:"), "entr"),
        (('    result: "met"', '    result: "met"\n    result: "not-met"'), "twice"),
        (("    photos: []", "    photos: none"), "photos"),
        (("form:", "form: ["), "YAML"),
    ],
    ids=["unknown field", "no entries", "two results", "no list", "not YAML"],
)
def test_what_is_no_form_is_refused_by_line(good, checked, edit, told):
    with pytest.raises(SpecError) as refused:
        checked(good, edit=edit)

    assert told in refused.value.problem.problem
    assert refused.value.problem.line > 1


def test_a_photograph_beside_the_form_is_compared(good, checked, tmp_path):
    (tmp_path / "a.jpg").write_bytes(PICTURE)

    form = checked(spoiled(good, photos=[Photo(file="a.jpg", sha256=DIGEST)]))

    assert (form.flaws, form.absent) == ((), ())


def test_a_photograph_that_was_changed_is_tampered_evidence(good, checked, tmp_path):
    (tmp_path / "a.jpg").write_bytes(PICTURE + b".")

    form = checked(spoiled(good, photos=[Photo(file="a.jpg", sha256=DIGEST)]))

    assert [flaw.name for flaw in form.flaws] == ["photo-differs"]
    assert form.witnesses[0].signed is EntryTrust.INCOMPLETE
    assert form_exit_code([form]) == 6


def test_a_photograph_that_is_not_there_is_told_and_not_compared(good, checked):
    form = checked(spoiled(good, photos=[Photo(file="a.jpg", sha256=DIGEST)]))

    assert form.absent == ("a.jpg",)
    assert form.flaws == ()


def test_a_link_to_elsewhere_is_not_followed(good, checked, tmp_path, tmp_path_factory):
    secret = tmp_path_factory.mktemp("elsewhere") / "secret"
    secret.write_bytes(PICTURE)
    (tmp_path / "a.jpg").symlink_to(secret)

    form = checked(spoiled(good, photos=[Photo(file="a.jpg", sha256=DIGEST)]))

    assert [flaw.name for flaw in form.flaws] == ["photo-unreadable"]


def test_an_unsigned_not_met_stays_open_and_is_no_violation(good, checked):
    form = checked(spoiled(good, result="not-met", second=NOBODY))

    assert form_exit_code([form]) == 2
    assert form.witnesses[0].result is WitnessAnswer.NOT_MET


def test_every_flaw_can_happen_and_has_words_and_a_remedy(good, checked, root, tmp_path):
    (tmp_path / "x").mkdir()
    (tmp_path / "b.jpg").write_bytes(PICTURE)
    forms = [checked(spoiled(good, **fields)) for fields, *_ in BROKEN.values()]
    forms += [checked(spoil(good)) for _, spoil in REFUSED.values()]
    forms.append(checked(change(good, entries=[])))
    forms.append(checked(spoiled(good, photos=[Photo(file="b.jpg", sha256="0" * 64)])))

    flaws = {flaw.name: flaw for form in forms for flaw in form.flaws}

    words = (root / "bilingual" / "messages" / "forms.yaml").read_text(encoding="utf-8")
    assert set(flaws) == set(re.findall(r"^  witness\.flaw\.([a-z-]+):", words, re.MULTILINE))
    for flaw in flaws.values():
        told = {flaw.problem(language).problem for language in ("pt", "zh", "en")}
        hints = {flaw.problem(language).hint for language in ("pt", "zh", "en")}
        assert len(told) == len(hints) == 3


def test_what_a_stranger_wrote_cannot_move_the_cursor(good, checked):
    form = checked(spoiled(good, result="\x1b[2Jmet"))

    told = str(next(flaw for flaw in form.flaws if flaw.name == "result").problem("en"))

    assert "\x1b" not in told
    assert "\\x1b[2Jmet" in told
