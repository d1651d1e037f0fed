"""One term for one thing: our own words use no variant that is listed beside the glossary."""

import re

import pytest
import yaml

from selo.gazette.glossary import ForbiddenVariants
from selo.yaml_file import read_yaml

#: Files with our own words; of the articles, all but what quotes the law.
OWN_WORDS = (
    "bilingual/messages/*.yaml", "bilingual/help.yaml", "bilingual/conditions.yaml",
    "specs/*/words.yaml", "specs/*/events.yaml", "specs/*/instrument.yaml",
    "specs/*/articles/*.yaml", "specs/*/declarations.yaml", "specs/*/chance.yaml",
    "specs/*/register/*.yaml", "specs/*/reconstructed/*.yaml",
)  # fmt: skip
#: Words of one law that reasons about its articles may repeat.
WORDS_OF_THE_LAW = {
    "despacho-2-2009": {"牌局"},
    "despacho-78-2008": {"牌局"},
    "portaria-22-96-m": {"partida", "partidas"},
}
REASONS = ("register/", "instrument.yaml", "reconstructed/", "articles/")
#: What holds the law's own words.
LAW_KEYS = {"quotes", "citation", "regulation", "act", "label", "heading"}
QUOTED = re.compile("«[^»]*»|「[^」]*」|“[^”]*”|`[^`]*`|『[^』]*』")


@pytest.fixture(scope="module")
def forbidden(root):
    return read_yaml(root / "bilingual/forbidden.yaml").convert(ForbiddenVariants).forbidden


def sentences(value, path=()):
    """Yield every sentence of a file by language; quotations of the law are left out."""
    if isinstance(value, dict):
        for key, below in value.items():
            if key in {"pt", "zh", "en"} and isinstance(below, str):
                yield key, QUOTED.sub("", below), (*path, key)
            elif key not in LAW_KEYS and not (key == "text" and "verified_by" in value):
                yield from sentences(below, (*path, key))
    elif isinstance(value, list):
        for index, below in enumerate(value):
            yield from sentences(below, (*path, index))


def uses(text, entry):
    """Return whether `text` uses the variant of `entry`, as a word of its own."""
    for longer in entry.except_:
        text = text.replace(longer, "")
    if entry.language == "zh":
        return entry.variant in text
    return re.search(rf"(?<!\w){re.escape(entry.variant)}(?!\w)", text, re.IGNORECASE) is not None


def offences(path, content, entries):
    for language, text, where in sentences(content):
        for entry in entries:
            if entry.language == language and uses(text, entry):
                yield path, where, entry.variant, entry.use


def test_our_own_words_use_no_forbidden_variant(root, forbidden):
    found = []
    for pattern in OWN_WORDS:
        for path in sorted(root.glob(pattern)):
            name = path.relative_to(root).as_posix()
            entries = forbidden
            if any(part in name for part in REASONS):
                allowed = WORDS_OF_THE_LAW.get(path.relative_to(root).parts[1], set())
                entries = [
                    entry
                    for entry in forbidden
                    if entry.language != "en" and entry.variant not in allowed
                ]
            content = yaml.load(path.read_bytes(), Loader=yaml.CSafeLoader)
            found += offences(name, content, entries)

    assert found == []


def test_every_entry_says_what_to_use_and_why(forbidden):
    assert len(forbidden) >= 30
    assert {entry.language for entry in forbidden} == {"pt", "zh", "en"}
    for entry in forbidden:
        assert entry.use.strip()
        assert entry.because.strip()
        assert entry.use != entry.variant


def test_a_variant_is_found_and_a_quotation_is_not(forbidden):
    content = {
        "a": {"pt": "O achado repete-se.", "zh": "於枱上進位", "en": "It is sane."},
        "b": {"pt": "A lei diz «partida».", "zh": "法律載「牌局」。", "en": "A hexadecimal root."},
        "c": {"pt": "As cartas partidas.", "zh": "十六進位", "en": "Mended; commend."},
    }

    found = [(where[0], variant) for _, where, variant, _ in offences("x", content, forbidden)]

    assert sorted(found) == [
        ("a", "achado"), ("a", "is sane"), ("a", "枱"), ("a", "進位"), ("c", "mended"),
    ]  # fmt: skip


def test_the_banker_is_written_with_one_character(root):
    """The acts of 1996 print 庄; our own words say 莊, save in a bet's name that the law gives."""
    found = [
        (path.relative_to(root).as_posix(), where, text)
        for pattern in OWN_WORDS
        for path in sorted(root.glob(pattern))
        for language, text, where in sentences(
            yaml.load(path.read_bytes(), Loader=yaml.CSafeLoader)
        )
        if language == "zh" and "庄" in text.replace("庄牌", "")
    ]

    assert found == []


def test_no_chinese_title_is_invented_for_the_acts_of_1985(root):
    # 97/85/M and what is attributed to 96/85/M were published in Portuguese only.
    found = [
        (path.relative_to(root).as_posix(), title)
        for pattern in ("specs/**/*.yaml", "bilingual/**/*.yaml", "docs/**/*.md", "README.md")
        for path in sorted(root.glob(pattern))
        if path.name != "forbidden.yaml"
        for title in ("花旗骰", "牌九")
        if title in path.read_text(encoding="utf-8")
    ]

    assert found == []
