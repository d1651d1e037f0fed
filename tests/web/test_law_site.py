import datetime as dt
import re

import pytest

from selo.examine.coverage.decisive_coverage import measure_coverage
from selo.report.formats.law_pages import render_law_pages
from selo.rules.odds.game_odds import OddsCatalogue
from selo.rules.readings.reading_choice import Readings

# The large pages are built of the same parts as the small ones.
PAGES = [
    "index.html",
    "odds.html",
    "portaria-96-85-m.html",
    pytest.param("points.html", marks=pytest.mark.full),
    pytest.param("coverage.html", marks=pytest.mark.full),
    pytest.param("portaria-21-96-m.html", marks=pytest.mark.full),
    pytest.param("portaria-97-85-m.html", marks=pytest.mark.full),
]
SMALL = PAGES[:3]


@pytest.fixture(scope="session")
def site(law, tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    catalogue = OddsCatalogue(law)
    written = render_law_pages(
        law,
        dt.date(2026, 11, 1),
        coverage=measure_coverage(law, ["pai-kao"], most=1),
        odds={"fish-prawn-crab": catalogue.figures("fish-prawn-crab", Readings(law))},
    )
    for name, text in written:
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_every_provision_has_an_address_with_its_words(site, law):
    for held in law.provisions.values():
        text = (site / f"{held.instrument.id}.html").read_text(encoding="utf-8")

        assert text.count(f'id="{held.provision.id.replace("/", "-")}"') == 1, held.id


def test_every_open_point_stands_once(site, law):
    text = (site / "points.html").read_text(encoding="utf-8")

    for point in law.divergences:
        assert text.count(f'id="{point.id}"') == 1, point.id


def test_no_link_shows_an_id_where_there_is_a_citation_or_a_title(site, law):
    ids = {*law.provisions, *(point.id for point in law.divergences)}
    pages = [page.read_text(encoding="utf-8") for page in site.glob("*.html")]
    shown = [text for page in pages for text in re.findall(r"<a [^>]*>([^<]*)</a>", page)]
    whole = "".join(pages)

    assert ids.isdisjoint(text.strip() for text in shown)
    assert whole.count('title="portaria-21-96-m/5/d"') > 0


def test_a_reading_names_what_it_leaves_without_effect(site, law):
    text = (site / "points.html").read_text(encoding="utf-8")

    named = [
        ", ".join(one.without_effect)
        for point in law.divergences
        for one in point.readings
        if one.without_effect
    ]
    assert named
    assert all(f"fica sem efeito: {one}" in text for one in named)


def test_no_link_leads_nowhere(page, site):
    names = {path.name for path in site.iterdir()}
    anchors = {}
    links = set()
    for name in names:
        page.goto((site / name).as_uri())
        anchors[name] = set(page.evaluate("[...document.querySelectorAll('[id]')].map(e => e.id)"))
        links |= {
            (name, one)
            for one in page.evaluate(
                "[...document.querySelectorAll('a')].map(e => e.getAttribute('href'))"
            )
        }

    for origin, link in links:
        name, _, anchor = link.partition("#")
        assert not anchor or anchor in anchors[name or origin], (origin, link)
        assert (name or origin) in names


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_accessible(page, site, violations, name):
    page.goto((site / name).as_uri())

    assert not violations(page)


@pytest.mark.parametrize("name", SMALL)
def test_a_page_fetches_nothing_and_has_no_errors(page, site, name):
    page.goto((site / name).as_uri())

    assert page.fetched == [(site / name).as_uri()]
    assert not page.said


@pytest.mark.parametrize("name", ["index.html", "portaria-21-96-m.html"])
def test_chinese_is_drawn_with_the_letters_of_the_page_itself(page, site, ours, name):
    page.goto((site / name).as_uri())

    drawn, characters = ours(page)

    assert drawn >= characters > 40


def test_odds_name_each_bet_as_the_law_does(page, site):
    page.goto((site / "odds.html").as_uri())
    row = page.locator("tr", has=page.locator("code", has_text="any-three-of-figure"))

    assert row.locator("th").inner_text().split("\n")[0] == "Três dados de igual figura任何圍骰"
    # 24 to one on six throws of 216: 1 - 25 × 6/216.
    assert row.locator("td").nth(2).inner_text().split() == ["30.5556%", "11/36"]


def test_odds_are_read_on_a_phone_without_moving_the_page(browser, site, violations):
    context = browser.new_context(viewport={"width": 375, "height": 740})
    opened = context.new_page()
    opened.goto((site / "odds.html").as_uri())
    row = opened.locator("tr", has=opened.locator("code", has_text="any-three-of-figure"))
    cells = [one.bounding_box() for one in row.locator("td:visible").all()]
    told = row.inner_text()

    # The edge and three chances; this bet has neither choices nor manners, so nothing stands there.
    assert len(cells) == 4
    assert all(one["x"] >= 0 and one["x"] + one["width"] <= 375 for one in cells)
    assert "Vantagem da casa" in told
    assert "30.5556%" in told
    assert "35/36" in told
    assert opened.evaluate(
        "[...document.querySelectorAll('.scroll')].every(e => e.scrollWidth <= e.clientWidth)"
    )
    assert not violations(opened)
    context.close()


def test_a_search_leaves_only_what_fits(page, site):
    page.goto((site / "portaria-21-96-m.html").as_uri())
    page.get_by_role("searchbox").fill("Pequeno soma")

    shown = page.locator("[data-entry]:visible .id").all_inner_texts()

    assert "portaria-21-96-m/5/a" in shown
    assert "portaria-21-96-m/5/b" not in shown
    assert page.locator("output").inner_text() == f"{len(shown)} / 53"


def test_a_search_does_not_mind_accents_or_capitals(page, site):
    page.goto((site / "portaria-21-96-m.html").as_uri())
    page.get_by_role("searchbox").fill("PREMIOS")

    assert page.locator("[data-entry]:visible").count() > 0


def test_one_language_can_be_chosen_with_the_keyboard(page, site):
    page.goto((site / "portaria-21-96-m.html").as_uri())
    page.locator('input[value="both"]').focus()
    page.keyboard.press("ArrowRight")

    assert page.locator("html").get_attribute("data-show") == "pt"
    entry = page.locator('[id="5-a"]')
    assert entry.locator('[data-law="pt"]').is_visible()
    assert not entry.locator('[data-law="zh"]').is_visible()


def test_the_choice_of_language_is_kept_from_page_to_page(page, site):
    page.goto((site / "index.html").as_uri())
    page.locator('input[value="zh"]').check()
    page.goto((site / "points.html").as_uri())

    assert page.locator("h1").inner_text() == "存疑之處"


def test_without_scripts_everything_is_there(browser, site):
    context = browser.new_context(java_script_enabled=False)
    opened = context.new_page()
    opened.goto((site / "portaria-21-96-m.html").as_uri())

    assert opened.locator("article.entry:visible").count() == 53
    assert not opened.locator("form.filter").is_visible()
    context.close()


def test_nothing_sticks_out_on_a_phone(browser, site):
    context = browser.new_context(viewport={"width": 360, "height": 740})
    opened = context.new_page()
    for name in SMALL:
        opened.goto((site / name).as_uri())
        assert opened.evaluate("document.documentElement.scrollWidth") <= 360, name
    context.close()


@pytest.mark.full
def test_the_command_writes_every_page(selo, tmp_path):
    done = selo("law", "site", str(tmp_path / "site"), "--most", "1", "--json")

    assert done.returncode == 0
    assert (tmp_path / "site" / "index.html").stat().st_size > 10_000
    assert len(list((tmp_path / "site").iterdir())) == 10


def test_a_folder_that_cannot_be_written_is_told_before_anything_is_counted(selo, tmp_path):
    (tmp_path / "taken").write_text("", encoding="utf-8")

    done = selo("law", "site", str(tmp_path / "taken"))

    assert done.returncode == 3
    assert "taken cannot be created: File exists" in done.stderr
    assert "Variants" not in done.stderr
