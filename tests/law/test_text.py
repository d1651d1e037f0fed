"""The quoted texts against the received files, by a second and simpler reading of both."""

import re
import unicodedata

import pytest
import yaml

SPACE = re.compile(r"\s+")
MARKUP = re.compile(r"<\|[^|]*\|>|\*|#|</?i>|^ *- ", re.MULTILINE)


def squeezed(text):
    return SPACE.sub("", text)


@pytest.fixture(scope="module")
def received(root):
    return {
        path.name[:3]: path.read_text(encoding="utf-8").split("\n")
        for path in (root / "bilingual" / "sources").glob("*.txt")
    }


@pytest.fixture(scope="module")
def repaired_lines(root):
    log = yaml.safe_load((root / "bilingual" / "repairs.yaml").read_text(encoding="utf-8"))
    return {(one["file"], int(one["line"])) for one in log["repairs"]}


def test_every_text_without_repairs_is_made_of_the_characters_of_its_lines(
    law, received, repaired_lines
):
    compared = 0
    for held in law.provisions.values():
        for language in held.provision.text.languages():
            places = held.provision.source.get(language)
            places = [places] if isinstance(places, str) else places
            lines = []
            for place in places:
                found = re.match(r"(\d{3}):(\d+)(?:-(\d+))?", place)
                if found:
                    last = int(found[3] or found[2])
                    lines += [(found[1], n) for n in range(int(found[2]), last + 1)]
            if repaired_lines & set(lines):
                continue
            raw = "\n".join(received[file][number - 1] for file, number in lines)
            raw = MARKUP.sub("", raw)
            if language == "pt":
                raw = re.sub(r"(?<=\w)-\s*\n\s*(?=[a-zà-ÿ])", "", raw)
            words = squeezed(held.provision.text.get(language))
            narrowed = any(" from " in place or " until " in place for place in places)
            assert (words in squeezed(raw)) if narrowed else (words == squeezed(raw)), held.id
            compared += 1

    assert compared > 400


def test_no_printable_character_of_a_source_is_lost(law, received):
    """Count characters: what the files hold is what provisions, titles, matter and records hold."""
    from selo.gazette.page_rules import extraction_marks  # noqa: PLC0415
    from selo.law.lint.partition import text_owners  # noqa: PLC0415 - only this proof needs it

    owned = dict.fromkeys(received, 0)
    for owner in text_owners(law):
        for span in law.sources.spans(owner.places):
            line = law.sources.by_id[span.file].working[span.line - 1]
            blank = sum(
                stop - start for start, stop in extraction_marks(line[span.start : span.stop])
            )
            owned[span.file] += len(squeezed(line[span.start : span.stop])) - blank
    for file, source in law.sources.by_id.items():
        whole = "\n".join(source.working)
        printable = len(squeezed(re.sub(r"<\|[^|]*\|>", "", whole)))
        assert owned[file] == printable, file


def test_every_text_is_in_composed_form(law):
    for held in law.provisions.values():
        for language in held.provision.text.languages():
            words = held.provision.text.get(language)
            assert words == unicodedata.normalize("NFC", words)


def test_the_overlapping_sources_agree_where_both_hold_a_text(law):
    twice = [
        (held, language)
        for held in law.provisions.values()
        if held.provision.witness
        for language in ("pt", "zh")
    ]

    assert len(twice) > 30
    for held, language in twice:
        places = held.provision.witness.get(language)
        assert law.sources.text([places] if isinstance(places, str) else places, language) == (
            held.provision.text.get(language)
        )


# Counted by hand in the gazette texts.
PROVISIONS = {
    "portaria-21-96-m": {"5": 13, "6": 20, "7": 1},
    "portaria-22-96-m": {"annex": 32, "9": 6, "8": 11},
    "despacho-2-2009": {"13": 38, "17": 12, "18": 3, "19": 1},
    "despacho-78-2008": {"8": 7, "9": 13, "10": 6, "11": 5},
    "portaria-97-85-m": {"1": 4, "2": 7, "3": 6, "4": 1, "8": 1},
    "portaria-96-85-m": {"annex": 9},
}


@pytest.mark.parametrize("instrument", PROVISIONS)
def test_the_articles_have_as_many_provisions_as_the_gazette_prints(law, instrument):
    for article, count in PROVISIONS[instrument].items():
        held = [
            one
            for one in law.provisions.values()
            if one.instrument.id == instrument and one.article.article.article == article
        ]
        assert len(held) == count, f"{instrument}/{article}"
