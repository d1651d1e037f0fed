"""The fonts that ship have every character that a document may need, or something stands for it."""

import base64
import hashlib
import io
import re
import unicodedata

import msgspec
import pytest
from fontTools.ttLib import TTFont

from selo.errors import UsageError
from selo.report import fonts as faces
from selo.report.formats.web_page import embed_chinese_font
from selo.report.pdf.weasyprint_layout import typeset
from selo.text.message_catalogue import _load_game_messages, _load_messages

HOSTILE = (
    "\u202eEvil <b>Games</b>\u202c & Co.\x1b[31m",
    "שלום עולם · مرحبا بالعالم",
    "🎲🧿🀄 Dados 😀",
    "Z̷̛̭̣͔̮̭͓̫̙̳̪̈́̓̑̇̔̒̕̚͝͝a̴̡̛̯̯̳̗̮̬̲̓̑͌͐̎̇̀͛͠͝lgo",
    "简体汉字有限公司 日本ゲーム 한국게임",
    "ქართული հայերեն ελληνικά кириллица tiếng Việt",
    "தமிழ் ไทย हिन्दी",
    "\ud800 half a pair",
    "a\u2028b\u0000c\ufeff",
)
WIDTHS = {"with": "Don’t", "without": "Dont", "letter": "魚", "quoted": "“魚”"}


def test_every_font_is_the_one_that_was_reviewed(root):
    for name, digest in faces.font_digests().items():
        content = (root / "reports" / "fonts" / name).read_bytes()

        assert hashlib.sha256(content).hexdigest() == digest, name


def test_every_font_file_is_listed_and_has_its_licence(root):
    folder = root / "reports" / "fonts"
    fonts = {path.name for path in folder.iterdir() if path.suffix == ".ttf"}

    assert fonts == set(faces.font_digests())
    for name in fonts:
        assert (folder / f"LICENSE-{name.partition('-')[0].partition('.')[0]}.txt").is_file(), name


def test_the_fonts_keep_the_repository_small(root):
    size = sum(path.stat().st_size for path in (root / "reports" / "fonts").iterdir())

    assert size < 40 * 2**20


def test_a_font_that_was_replaced_is_refused(tmp_path, monkeypatch):
    for name in faces.font_digests():
        (tmp_path / name).write_bytes(b"another font")
    (tmp_path / "SHA256SUMS").write_bytes((faces.fonts_folder() / "SHA256SUMS").read_bytes())
    monkeypatch.setattr(faces, "fonts_folder", lambda: tmp_path)
    faces.load_fonts.cache_clear()

    with pytest.raises(UsageError, match="Install selo again"):
        faces.load_fonts()


def test_every_character_of_the_law_is_printed_as_it_is(law):
    for held in law.provisions.values():
        for language in held.provision.text.languages():
            words = held.provision.text.get(language)

            assert faces.make_printable(words) == words, held.id


def test_every_character_of_our_messages_is_printed_as_it_is():
    for key, words in _load_messages().items():
        for language in ("pt", "zh", "en"):
            said = words.get(language)

            assert faces.make_printable(said) == said, key


def test_the_one_character_that_the_chinese_face_lacks_has_a_glyph():
    assert ord("爲") in faces.supported_characters()
    assert faces.make_printable("爲") == "爲"


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_is_printed_with_glyphs_alone(name):
    shown = faces.make_printable(name)

    assert {ord(one) for one in shown} <= faces.supported_characters()


@pytest.mark.parametrize("name", HOSTILE)
def test_nothing_in_a_hostile_name_is_hidden_or_turned(name):
    shown = faces.make_printable(name)

    assert not [one for one in shown if unicodedata.category(one) in {"Cc", "Cf", "Cs", "Zl", "Zp"}]


def test_a_character_without_a_glyph_is_printed_as_its_number():
    assert faces.make_printable("a🧿b") == "a[U+1F9FF]b"


def test_marks_do_not_tower_over_other_lines():
    shown = faces.make_printable("e" + "\u0301" * 40)

    assert not re.search("\u0301{3}", shown)
    assert shown.count("[U+0301]") == 38


def test_accents_in_two_parts_stay():
    name = "Vie\u0323\u0302t"

    assert faces.make_printable(name) == name


def test_lines_of_the_law_stay_lines():
    assert faces.make_printable("一、\n二、") == "一、\n二、"


def chinese(value, path=""):
    """Yield every Chinese sentence in `value`."""
    if isinstance(value, dict):
        for name, one in value.items():
            yield from chinese(one, name)
    elif isinstance(value, list):
        for one in value:
            yield from chinese(one, path)
    elif isinstance(value, str) and path == "zh":
        yield value


def test_in_chinese_the_apostrophe_only_stands_in_latin_words(law):
    words = [
        *chinese(msgspec.to_builtins(law.divergences)),
        *chinese(msgspec.to_builtins([one.provision for one in law.provisions.values()])),
        *(one.zh for one in _load_messages().values()),
        *(
            one.zh
            for law_of in law.folders
            for one in _load_game_messages(law_of.instrument.game).values()
        ),
    ]
    around = {found for one in words for found in re.findall(r"(.?)[‘’](.?)", one)}

    assert len(words) > 1000
    assert {one for one in around if not re.fullmatch("[A-Za-z]{2}", "".join(one))} == set()


def test_the_apostrophe_of_a_latin_word_is_narrow_in_chinese(root):
    styles = [
        (root / "reports" / "fonts" / "faces.css").read_text(encoding="utf-8"),
        (root / "reports" / "document" / "document.css").read_text(encoding="utf-8"),
    ]
    line = '<p lang="zh-Hant"><a id="{}" style="display: inline-block">{}</a></p>'
    page = "".join(line.format(name, words) for name, words in WIDTHS.items())
    made = typeset(
        f'<html lang="pt"><title>x</title><body>{page}</body></html>',
        (styles[0].replace("url(", "url(selo:///"), styles[1]), {}, tuple(WIDTHS),
    )  # fmt: skip
    wide = {name: place.right - place.left for name, place in made.places.items()}

    # A Chinese letter is one em; quotation marks of Chinese stay as wide as that.
    em = wide["letter"]
    assert 0 < wide["with"] - wide["without"] < em / 2
    assert wide["quoted"] > 2.9 * em


def test_a_page_brings_no_wide_apostrophe_along():
    page = embed_chinese_font("<html><head></head>“魚” Don’t</html>")
    face = re.search(r"base64,([^\"]*)", page)[1]
    with TTFont(io.BytesIO(base64.b64decode(face))) as font:
        drawn = font.getBestCmap().keys()

    assert {ord("魚"), ord("“")} <= drawn
    assert ord("’") not in drawn
