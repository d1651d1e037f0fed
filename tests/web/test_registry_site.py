"""The pages of a registry in a real browser, without network."""

import datetime as dt
import hashlib
import json

import pytest
from tests.often import often
from tests.registry.conftest import issued
from tests.registry.quick_office import QuickOffice
from tests.registry.test_publication import HOSTILE, INSTRUMENT

from selo.law.status import macau_today
from selo.registry import read_registry_policy
from selo.registry.certificate_registry import CertificateRegistry
from selo.registry.publication import publish_registry
from selo.registry.registry_events import (
    EventKind,
    EventReason,
    RegisteredFile,
    RegisteredProduct,
)

#: Of a certificate that ends while the list is still good.
LAST_DAY = macau_today() + dt.timedelta(days=10)
PAGES = ["index.html", "list-0001.html", "certificates/SELO-1.html", "identify.html"]


# Made before there is a browser, whose event loop would be in the way of signing.
@pytest.fixture(scope="session")
def site(law, tmp_path_factory):
    """Publish once for all tests that only look at pages."""

    base = tmp_path_factory.mktemp("published")
    (base / "office").mkdir()
    office = QuickOffice(base / "office")
    registry = CertificateRegistry.begin(
        base / "registry", office.policy, office.bureau, office.bureau
    )
    point = next(one for one in law.divergences if one.readings)
    product = RegisteredProduct(vendor="Fábrica", name=HOSTILE, version="1.0")
    files = [
        RegisteredFile(
            path=path, size=len(content), sha256=hashlib.sha256(content).hexdigest(),
            sha1=hashlib.sha1(content, usedforsecurity=False).hexdigest(),
        )
        for path, content in PRODUCT.items()
    ]  # fmt: skip

    def enter(kind, **fields):
        key = office.signs(EventKind(kind))
        line = registry.sign(registry.draft(EventKind(kind), key, **fields), key)
        registry.append(line, office.bureau)

    readings = {point.id: point.readings[0].id}
    enter("issue", **issued("SELO-1", files=files, instruments=[INSTRUMENT], readings=readings,
                            product=product))  # fmt: skip
    enter("issue", **issued("SELO-2", valid_until=dt.date(2020, 1, 1)))
    enter("issue", **issued("SELO-3"))
    enter("issue", **issued("SELO-4", valid_until=LAST_DAY))
    reason = EventReason(pt="Prémio errado.", zh="彩金有誤。")
    enter("suspend", certificate="SELO-3", reason=reason)
    publish_registry(registry, base / "site", law, read_registry_policy(office.policy))
    return base / "site"


#: A product, by path.
PRODUCT = {"game.py": b"prize = 150", "data/table.txt": b"seats = 7", "data/copy.txt": b"seats = 7",
           "data/empty.txt": b""}  # fmt: skip


@pytest.mark.full
@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_accessible_and_fetches_nothing_from_elsewhere(page, site, violations, name):
    page.context.set_offline(True)
    page.goto((site / name).as_uri())

    # The judge of accessibility fetches styles itself, so that it comes last.
    assert page.said == []
    assert all(url.startswith(site.as_uri()) for url in page.fetched)
    assert not violations(page)


@pytest.mark.full
def test_no_link_leads_nowhere(page, site):
    for path in site.rglob("*.html"):
        page.goto(path.as_uri())
        for link in page.evaluate(
            "[...document.querySelectorAll('a, link')].map(e => e.getAttribute('href'))"
        ):
            target = (path.parent / link.partition("#")[0]).resolve() if link[0] != "#" else path
            assert target.is_file(), (path, link)


@pytest.mark.full
def test_a_certificate_page_shows_state_history_articles_and_readings(page, site, law):
    page.goto((site / "certificates" / "SELO-1.html").as_uri())
    text = page.locator("main").inner_text()
    point = next(one for one in law.divergences if one.readings)

    assert "válido" in page.locator("p.state").inner_text()
    assert "5: conforme" in text
    assert point.title.pt in text
    assert point.readings[0].says.pt in text
    assert HOSTILE in text
    page.goto((site / "certificates" / "SELO-3.html").as_uri())
    text = page.locator(".history").inner_text()
    assert "Prémio errado." in text
    assert "彩金有誤。" in text


@pytest.mark.full
@pytest.mark.parametrize(("language", "word"), [("pt", "válido"), ("zh", "有效"), ("en", "valid")])
def test_a_page_speaks_three_languages(page, site, language, word):
    page.goto((site / "certificates" / "SELO-1.html").as_uri())
    page.locator(f'input[value="{language}"]').check()

    assert page.locator("p.state").inner_text() == word


@pytest.mark.full
def test_a_search_finds_by_number_vendor_or_product(page, site):
    page.goto((site / "index.html").as_uri())
    page.get_by_role("searchbox").fill("FABRICA script")

    assert page.locator("[data-results] li a").all_inner_texts() == ["SELO-1"]
    assert page.locator("[data-found]").inner_text() == "1 / 4"


@pytest.mark.full
def test_without_scripts_every_certificate_can_be_reached(browser, site):
    context = browser.new_context(java_script_enabled=False)
    opened = context.new_page()
    opened.goto((site / "index.html").as_uri())
    opened.get_by_role("link", name="1", exact=True).click()

    assert opened.locator("tbody th").all_inner_texts() == ["SELO-1", "SELO-2", "SELO-3", "SELO-4"]
    context.close()


@pytest.mark.parametrize(
    "name", often(["index.html", "certificates/SELO-1.html", "identify.html"], "index.html")
)
def test_past_its_expiry_no_page_says_valid(page, site, name):
    page.clock.set_fixed_time(dt.datetime.now(dt.UTC) + dt.timedelta(days=31))
    page.goto((site / name).as_uri())

    assert page.locator("#stale").is_visible()
    assert page.locator('[data-state="valid"]:visible').count() == 0


@pytest.mark.full
@pytest.mark.parametrize(("hour", "word"), [(15, "válido"), (16, "caducado")])
def test_a_last_day_ends_at_midnight_in_macau(page, site, hour, word):
    page.clock.set_fixed_time(dt.datetime.combine(LAST_DAY, dt.time(hour, 30, tzinfo=dt.UTC)))
    page.goto((site / "list-0001.html").as_uri())

    shown = page.locator("tr", has_text="SELO-4").locator(".chip:visible").inner_text()

    assert shown.startswith(word)


@pytest.mark.full
def test_after_its_last_day_a_certificate_is_expired_whatever_the_page_was(page, site):
    page.goto((site / "list-0001.html").as_uri())

    shown = page.locator("tr", has_text="SELO-2").locator(".chip:visible").inner_text()

    assert shown.startswith("caducado")


@pytest.mark.full
def test_chinese_is_drawn_with_the_letters_of_the_site_itself(page, site, ours):
    page.goto((site / "certificates" / "SELO-3.html").as_uri())

    drawn, characters = ours(page)

    assert drawn >= characters > 20


@pytest.mark.full
def test_a_page_can_be_printed(page, site):
    page.goto((site / "certificates" / "SELO-1.html").as_uri())
    page.emulate_media(media="print")

    assert not page.locator("header.top").is_visible()
    assert page.locator("p.state").is_visible()


def spoil(change):
    files = dict(PRODUCT)
    change(files)
    return files


#: Changes of the product, and what the page and the program must say of them.
CHANGES = {
    "nothing": (lambda _: None, {}),
    "one byte": (lambda f: f.update({"game.py": b"prize = 151"}), {"changed": ["game.py"]}),
    "missing": (lambda f: f.pop("data/table.txt"), {"missing": ["data/table.txt"]}),
    "extra": (lambda f: f.update({"more.py": b"x"}), {"extra": ["more.py"]}),
    "a copy": (lambda f: f.update({"again.py": b"prize = 150"}), {"extra": ["again.py"]}),
    "moved": (lambda f: f.update({"g.py": f.pop("game.py")}), {"moved": ["game.py"]}),
}


@pytest.fixture
def product(tmp_path):
    def write(files):
        folder = tmp_path / "product"
        for name, content in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
        return folder

    return write


@pytest.mark.parametrize("name", often(CHANGES, "one byte"))
def test_the_page_identifies_a_folder_like_the_program(page, site, selo, product, name):
    change, differs = CHANGES[name]
    folder = product(spoil(change))
    page.context.set_offline(True)
    page.goto((site / "identify.html").as_uri())
    page.locator("#folder").set_input_files(folder)
    entry = page.locator('section[data-certificate="SELO-1"]')
    entry.wait_for()

    told = {
        one.get_attribute("data-differs"): one.inner_text().partition(": ")[2].split(", ")
        for one in entry.locator("[data-differs]").all()
    }
    policy = site.parent / "office" / "policy.yaml"
    done = selo("identify", folder, "--registry", site, "--policy", policy, "--json")
    (same,) = json.loads(done.stdout)["certificates"]

    assert told == differs
    assert {key: same[key] for key in ("changed", "moved", "missing", "extra") if same[key]} == told
    assert page.locator("#result").get_attribute("data-answer") == (
        "not-valid" if differs else "valid"
    )
    assert done.returncode == bool(differs)
    assert page.fetched == [(site / "identify.html").as_uri()]
    assert page.said == []


@pytest.mark.full
def test_files_dropped_on_the_page_are_identified(page, site):
    page.context.set_offline(True)
    page.goto((site / "identify.html").as_uri())
    transfer = page.evaluate_handle(
        """files => { const made = new DataTransfer();
        for (const [name, text] of files) made.items.add(new File([text], name));
        return made; }""",
        [[name.rpartition("/")[2], content.decode()] for name, content in PRODUCT.items()],
    )
    page.dispatch_event("#drop", "drop", {"dataTransfer": transfer})
    page.locator("#result[data-answer]").wait_for()

    assert page.locator("#result").get_attribute("data-answer") == "valid"
    assert page.locator('section[data-state="valid"]').count() == 1
    assert page.fetched == [(site / "identify.html").as_uri()]


@pytest.mark.parametrize("content", often([b"nobody knows this", b""], b""))
def test_files_of_no_certificate_are_not_valid(page, site, content):
    page.goto((site / "identify.html").as_uri())
    page.locator("#files").set_input_files(
        [{"name": "a\u202eb.py", "mimeType": "text/plain", "buffer": content}]
    )
    page.locator("#result[data-answer]").wait_for()

    assert page.locator("#result").get_attribute("data-answer") == "not-valid"
    assert page.locator("#result section").count() == 0
    assert "a\\u{202e}b.py" in page.locator("#result pre").text_content()
