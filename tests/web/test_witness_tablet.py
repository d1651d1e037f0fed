"""The witness form on a tablet: a real browser without network fills it in, and Selo reads it."""

import datetime as dt
import hashlib
import io
import json

import pytest
from PIL import Image

from selo.cli.runs.run_documents import render_witness_files
from selo.law.status import macau_today
from selo.verdict.observations import EntryTrust
from selo.verdict.witness import blank_form, check_form, find_photographs, form_exit_code
from selo.yaml_file import read_yaml

GAME = "craps"
PEOPLE = {"examiner": ("Examinadora Um", "E-1"), "second": ("Examinador Dois", "E-2")}


@pytest.fixture(scope="module")
def address(law, tmp_path_factory):
    folder = tmp_path_factory.mktemp("tablet")
    for name, content in render_witness_files(blank_form(law, [GAME]), law).items():
        (folder / name).write_bytes(content)
    return (folder / "witness-tablet.html").as_uri()


@pytest.fixture
def opened(page, address):
    page.context.set_offline(True)
    page.goto(address)
    return page


def picture(colour):
    content = io.BytesIO()
    Image.new("RGB", (40, 30), colour).save(content, "JPEG")
    return content.getvalue()


def fill_in(page, *, until=None):
    """Fill in every entry as somebody would, with a photograph of the first."""
    day = macau_today()
    for name, value in (("vendor", "V"), ("product", "P"), ("version", "1")):
        page.fill(f"#item-{name}", value)
    page.fill("#common-date", day.isoformat())
    page.fill("#common-place", "Mesa 7 — 百家樂")
    page.fill("#common-until", (until or day + dt.timedelta(days=90)).isoformat())
    page.click("#copy")
    for at in range(page.locator("article").count()):
        page.check(f"#entry-{at} input[value=met]")
        page.fill(f"#observation-{at}", 'Visto: "dois dados"\n二粒骰子 \u0085 # não: comentário')
    page.set_input_files(
        "#photo-0", {"name": "IMG.jpg", "mimeType": "image/jpeg", "buffer": picture("red")}
    )
    page.wait_for_selector("#entry-0 .photographs img")


def sign(page, role, name=None, number=None):
    own = PEOPLE[role]
    page.fill(f"#{role}-name", name or own[0])
    page.fill(f"#{role}-number", number or own[1])
    canvas = page.locator(f"#sign-{role} canvas")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + 90, box["y"] + 40 + 5 * len(role), steps=4)
    page.mouse.up()
    page.click(f"#sign-{role} [data-sign]")
    page.locator(f"#sign-{role} [role=status]:not(:empty)").wait_for()


def save(page, folder):
    """Press save; return the files by name."""
    saved = []
    page.on("download", lambda one: saved.append(one))  # noqa: PLW0108 - a method takes no marks
    page.click("#save")
    page.wait_for_timeout(1500)
    folder.mkdir(exist_ok=True)
    for one in saved:
        one.save_as(folder / one.suggested_filename)
    return {path.name for path in folder.iterdir()}


def test_what_a_tablet_saves_is_witnessed_and_no_byte_left_it(opened, law, tmp_path):
    fill_in(opened)
    sign(opened, "examiner")
    sign(opened, "second")

    names = save(opened, tmp_path / "saved")

    form = tmp_path / "saved" / "witness.yaml"
    checked = check_form(form, law, macau_today())
    assert [flaw.problem("en") for flaw in checked.flaws] == []
    assert form_exit_code([checked]) == 0
    assert {witness.signed for witness in checked.witnesses} == {EntryTrust.VALID}
    assert not checked.absent
    assert checked.witnesses[0].place == "Mesa 7 — 百家樂"
    assert "\u0085 # não: comentário" in checked.witnesses[0].observation
    # The photograph, and two signatures.
    assert len(names - {"witness.yaml"}) == len(find_photographs(form)) == 3
    assert [url for url in opened.fetched if not url.startswith(("file:", "blob:", "data:"))] == []
    assert opened.said == []


def test_photographs_are_hashed_as_other_programs_hash_them(opened):
    fill_in(opened)

    told = opened.locator("#entry-0 .photographs code").inner_text()

    assert told.split()[-1] == hashlib.sha256(picture("red")).hexdigest()


@pytest.mark.parametrize("size", [0, 1, 55, 56, 63, 64, 65, 119, 1000])
def test_the_digest_without_the_help_of_the_browser_is_the_same(opened, size):
    content = bytes(range(256)) * 4

    told = opened.evaluate(
        "bytes => seloWitness.digestBytes(new Uint8Array(bytes))", list(content[:size])
    )

    assert told == hashlib.sha256(content[:size]).hexdigest()


@pytest.mark.full
def test_a_change_after_signing_takes_the_signatures_of_that_entry_away(opened, law, tmp_path):
    fill_in(opened)
    sign(opened, "examiner")
    sign(opened, "second")

    opened.fill("#observation-0", "something else")
    save(opened, tmp_path / "saved")

    form = check_form(tmp_path / "saved" / "witness.yaml", law, macau_today())
    assert form.witnesses[0].signed is not EntryTrust.VALID
    assert {witness.signed for witness in form.witnesses[1:]} == {EntryTrust.VALID}
    assert form_exit_code([form]) == 2


@pytest.mark.parametrize(("name", "number"), [("Examinadora  Um", "E-9"), ("Outro", "E-1")])
def test_one_person_cannot_sign_for_both(opened, name, number):
    fill_in(opened)
    sign(opened, "examiner")

    sign(opened, "second", name=name.replace("  ", " "), number=number)

    assert "são precisas duas" in opened.locator("#sign-second [role=status]").inner_text()
    assert opened.locator("#progress").inner_text().startswith("0 /")


def test_nobody_signs_without_drawing_a_signature(opened):
    fill_in(opened)
    opened.fill("#examiner-name", "A")
    opened.fill("#examiner-number", "1")

    opened.click("#sign-examiner [data-sign]")

    assert "Falta a assinatura" in opened.locator("#sign-examiner [role=status]").inner_text()


def test_a_saved_form_is_opened_again_for_the_second_witness(opened, law, tmp_path, address):
    fill_in(opened)
    sign(opened, "examiner")
    save(opened, tmp_path / "saved")

    opened.goto(address)
    opened.set_input_files("#open", sorted((tmp_path / "saved").iterdir()))
    opened.locator("#opened:not(:empty)").wait_for()
    sign(opened, "second")
    save(opened, tmp_path / "again")

    form = check_form(tmp_path / "again" / "witness.yaml", law, macau_today())
    assert form_exit_code([form]) == 0
    assert not form.absent


def test_the_saved_form_keeps_the_words_of_the_law(opened, law, tmp_path):
    save(opened, tmp_path / "saved")

    path = tmp_path / "saved" / "witness.yaml"
    form = check_form(path, law, macau_today())
    assert {flaw.name for flaw in form.flaws}.isdisjoint({"altered", "edition", "shape", "missing"})
    assert json.loads(path.read_text(encoding="utf-8"))["games"] == read_yaml(path).plain["games"]


def test_every_chinese_character_is_drawn_by_the_font_in_the_page(opened, ours):
    drawn, characters = ours(opened)

    assert drawn >= characters > 300


def test_the_page_is_accessible(opened, violations):
    assert violations(opened) == {}
