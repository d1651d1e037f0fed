"""The fonts that ship have every character that a document may need, or something stands for it."""

import hashlib
import re
import unicodedata

import pytest

from selo.errors import UsageError
from selo.report import faces
from selo.words.messages import _messages

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


def test_every_font_is_the_one_that_was_reviewed(root):
    for name, digest in faces.digests().items():
        content = (root / "reports" / "fonts" / name).read_bytes()

        assert hashlib.sha256(content).hexdigest() == digest, name


def test_every_font_file_is_listed_and_has_its_licence(root):
    folder = root / "reports" / "fonts"
    fonts = {path.name for path in folder.iterdir() if path.suffix == ".ttf"}

    assert fonts == set(faces.digests())
    for name in fonts:
        assert (folder / f"LICENSE-{name.partition('-')[0].partition('.')[0]}.txt").is_file(), name


def test_the_fonts_keep_the_repository_small(root):
    size = sum(path.stat().st_size for path in (root / "reports" / "fonts").iterdir())

    assert size < 40 * 2**20


def test_a_font_that_was_replaced_is_refused(tmp_path, monkeypatch):
    for name in faces.digests():
        (tmp_path / name).write_bytes(b"another font")
    (tmp_path / "SHA256SUMS").write_bytes((faces.folder() / "SHA256SUMS").read_bytes())
    monkeypatch.setattr(faces, "folder", lambda: tmp_path)
    faces.files.cache_clear()

    with pytest.raises(UsageError, match="Install selo again"):
        faces.files()


def test_every_character_of_the_law_is_printed_as_it_is(law):
    for held in law.provisions.values():
        for language in held.provision.text.languages():
            words = held.provision.text.get(language)

            assert faces.printable(words) == words, held.id


def test_every_character_of_our_messages_is_printed_as_it_is():
    for key, words in _messages().items():
        for language in ("pt", "zh", "en"):
            said = words.get(language)

            assert faces.printable(said) == said, key


def test_the_one_character_that_the_chinese_face_lacks_has_a_glyph():
    assert ord("爲") in faces.characters()
    assert faces.printable("爲") == "爲"


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_is_printed_with_glyphs_alone(name):
    shown = faces.printable(name)

    assert {ord(one) for one in shown} <= faces.characters()


@pytest.mark.parametrize("name", HOSTILE)
def test_nothing_in_a_hostile_name_is_hidden_or_turned(name):
    shown = faces.printable(name)

    assert not [one for one in shown if unicodedata.category(one) in {"Cc", "Cf", "Cs", "Zl", "Zp"}]


def test_a_character_without_a_glyph_is_printed_as_its_number():
    assert faces.printable("a🧿b") == "a[U+1F9FF]b"


def test_marks_do_not_tower_over_other_lines():
    shown = faces.printable("e" + "\u0301" * 40)

    assert not re.search("\u0301{3}", shown)
    assert shown.count("[U+0301]") == 38


def test_accents_in_two_parts_stay():
    name = "Vie\u0323\u0302t"

    assert faces.printable(name) == name


def test_lines_of_the_law_stay_lines():
    assert faces.printable("一、\n二、") == "一、\n二、"
