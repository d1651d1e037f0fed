"""The page of a report, looked at with a real browser."""

import msgspec
import pytest
import synthetic

from selo.report.content.report_builder import build_report
from selo.report.formats.html_report import render_html
from selo.report.pdf.document_pages import render_document_html
from selo.text.multilingual import Words

HOSTILE = '</title><script>document.title="broken"</script><img src=x onerror=alert(1)>\u202epng'


@pytest.fixture(scope="module")
def broken(examined, law):
    """A report with violations and drawings."""
    vendor = "python3 fixtures/planted/vendor.py pai-kao rank-98-counts-as-100"
    return build_report(examined(vendor, "--game", "pai-kao", "--rulings", "defaults"), law)


@pytest.fixture(scope="module")
def shown(broken, tmp_path_factory):
    path = tmp_path_factory.mktemp("html") / "report.html"
    path.write_text(render_html(broken), encoding="utf-8")
    return path


@pytest.fixture
def opened(page, shown):
    page.goto(shown.as_uri())
    return page


def entries(page):
    return page.locator("[data-entry]:visible").count()


def test_the_page_tells_every_verdict_and_every_finding(broken, opened):
    shown = opened.evaluate(
        "Object.fromEntries([...document.querySelectorAll('article[data-verdict]')]"
        ".map(e => [e.id, e.dataset.verdict]))"
    )

    assert broken.findings
    for one in broken.provisions:
        assert shown[f"p-{one.id.replace('/', '-')}"] == one.result
    assert {one.id for one in broken.findings} <= shown.keys()


def test_the_page_is_accessible(opened, violations):
    assert not violations(opened)


def test_the_page_fetches_nothing_and_has_no_errors(opened, shown):
    assert opened.fetched == [shown.as_uri()]
    assert not opened.said


def test_chinese_is_drawn_with_the_letters_of_the_page_itself(opened, ours):
    drawn, characters = ours(opened)

    assert drawn >= characters > 100


def test_a_verdict_can_be_picked(broken, opened):
    opened.locator('select[name="verdict"]').select_option("conforms")

    assert entries(opened) == sum(one.result == "conforms" for one in broken.provisions)


def test_an_article_can_be_picked(broken, opened):
    one = broken.provisions[-1]
    opened.locator('select[name="article"]').select_option(f"{one.instrument}/{one.article}")

    assert opened.locator(f'[id="p-{one.id.replace("/", "-")}"]').is_visible()


def test_a_game_can_be_picked_and_everything_shown_again(opened):
    everything = entries(opened)
    opened.locator('select[name="game"]').select_option("pai-kao")
    opened.get_by_role("button").click()

    assert entries(opened) == everything


def test_a_finding_shows_both_texts_a_drawing_and_how_to_see_it_again(broken, opened):
    finding = opened.locator(f"#{broken.findings[0].id}")

    assert finding.locator('[data-law="pt"]').first.inner_text()
    assert finding.locator("svg").count() > 0
    assert "selo replay" in finding.inner_text()


def test_english_can_be_chosen(opened):
    opened.locator('input[value="en"]').check()

    assert "Pre-check" in opened.locator("h1").inner_text()
    assert "Verificação" not in opened.locator("h1").inner_text()


def test_english_reaches_the_title_and_the_choice_of_an_article(broken, opened):
    opened.locator('input[value="en"]').check()
    shown = opened.locator('select[name="article"] option').all_inner_texts()

    assert opened.title() == f"Pre-check {broken.number}"
    # Portaria 96/85/M has an annex, and its articles are not held.
    assert shown == ["—", "portaria-96-85-m Annex"]


def test_the_title_and_the_articles_are_told_in_both_languages_of_the_law(broken, opened):
    opened.locator('input[value="en"]').check()
    opened.locator('input[value="both"]').check()

    assert opened.title() == f"Verificação prévia {broken.number} · 預檢 {broken.number}"
    assert "English" not in opened.locator('select[name="article"]').inner_text()
    assert "Annex" not in opened.locator('select[name="article"]').inner_text()


@pytest.mark.parametrize(
    ("language", "act"), [("pt", "revogado"), ("zh", "廢止"), ("en", "revoked")]
)
def test_that_the_law_was_revoked_stands_under_the_verdict(broken, page, tmp_path, language, act):
    words = Words(pt="Já estava revogado.", zh="已廢止。", en="It was revoked.")
    norm = msgspec.structs.replace(broken.norms[0], standing="revoked", status=words)
    path = tmp_path / "revoked.html"
    path.write_text(render_html(msgspec.structs.replace(broken, norms=[norm])), encoding="utf-8")
    page.goto(path.as_uri())
    page.locator(f'input[value="{language}"]').check()

    box = page.locator("main > .banner.standing")
    verdict = page.locator("main > .banner").first.bounding_box()

    assert box.count() == 1
    assert act in box.inner_text()
    # Between the verdict and the facts of the product, and on the first screen.
    assert verdict["y"] + verdict["height"] <= box.bounding_box()["y"] < 500
    assert box.bounding_box()["y"] < page.locator("dl.facts").first.bounding_box()["y"]


@pytest.mark.parametrize(("certain", "boxes"), [(True, 0), (False, 1)])
def test_of_a_law_in_force_nothing_is_said_unless_it_is_not_certain(broken, certain, boxes):
    norm = msgspec.structs.replace(
        broken.norms[0], standing="no-later-act", certain=certain, is_law=certain
    )

    text = render_html(msgspec.structs.replace(broken, norms=[norm]))

    assert text.count('class="banner standing') == boxes


def test_the_page_calls_things_as_the_document_does(broken):
    told = msgspec.structs.replace(broken, demonstration=True)
    page = render_html(told)
    paper = render_document_html(told, ("pt", "zh"), ())

    for words in ("Constatações", "違規及其他發現", "簽發日期",
                  "DEMONSTRAÇÃO — SEM QUALQUER EFEITO", "示範——不具任何效力"):  # fmt: skip
        assert words in page
        assert words in paper
    for words in ("Desconformidades", "不符之處", "發出日期", "sem valor oficial"):
        assert words not in page


def test_a_link_shows_a_provision_that_was_filtered_away(broken, opened):
    one = next(one for one in broken.provisions if one.result == "conforms")
    opened.locator('select[name="verdict"]').select_option("violates")
    opened.evaluate(f"location.hash = 'p-{one.id.replace('/', '-')}'")
    opened.wait_for_timeout(200)

    assert opened.locator(f'[id="p-{one.id.replace("/", "-")}"]').is_visible()


@pytest.mark.parametrize("demonstration", [False, True])
def test_what_a_link_leads_to_is_not_hidden_by_the_bands(broken, page, tmp_path, demonstration):
    path = tmp_path / "report.html"
    told = msgspec.structs.replace(broken, demonstration=demonstration)
    path.write_text(render_html(told), encoding="utf-8")
    place = f"p-{broken.provisions[4].id.replace('/', '-')}"

    page.goto(f"{path.as_uri()}#{place}")
    page.wait_for_function(f"document.getElementById('{place}').getBoundingClientRect().top < 300")

    top = page.evaluate(f"document.getElementById('{place}').getBoundingClientRect().top")
    header = page.evaluate("document.querySelector('header.top').getBoundingClientRect().bottom")
    assert page.locator(".mark").count() == 1 + demonstration
    assert top >= header


def test_nothing_sticks_out_on_a_phone(browser, shown):
    context = browser.new_context(viewport={"width": 360, "height": 740})
    opened = context.new_page()
    opened.goto(shown.as_uri())

    assert opened.evaluate("document.documentElement.scrollWidth") <= 360
    context.close()


def test_what_a_vendor_writes_cannot_break_the_page(broken, page, tmp_path):
    item = msgspec.structs.replace(broken.item, product=HOSTILE, vendor=HOSTILE * 30)
    path = tmp_path / "hostile.html"
    path.write_text(render_html(msgspec.structs.replace(broken, item=item)), encoding="utf-8")

    page.goto(path.as_uri())

    assert page.title() != "broken"
    assert page.fetched == [path.as_uri()]
    assert "<script>document.title" in page.locator("dl.facts").first.inner_text()
    assert "\u202e" not in page.content()


def test_an_empty_result_says_so(broken, page, tmp_path):
    path = tmp_path / "empty.html"
    path.write_text(render_html(msgspec.structs.replace(broken, findings=[])), encoding="utf-8")
    page.goto(path.as_uri())
    page.locator('input[value="en"]').check()

    assert "No finding of any kind." in page.locator("#findings").inner_text()


def test_a_count_is_written_as_each_language_writes_it(law):
    made = render_html(synthetic.report(law, games=("pai-kao",)))

    for language, told in (("pt", "18\u00a0977"), ("zh-Hant", "18,977"), ("en", "18,977")):
        assert f'lang="{language}">{told}</span>' in made
