"""Gazette pages become the folder of an instrument: units, owners, and what is missing."""

import datetime as dt
import json
import shutil
from collections import Counter
from pathlib import Path

import hypothesis.strategies as st
import jsonschema
import pytest
import weasyprint
import yaml
from hypothesis import given, seed, settings
from tests.tools import need

from selo.cli.schemas.published_schemas import build_schema
from selo.errors import UsageError
from selo.gazette import written_places
from selo.gazette.sources import Source, SourceEntry, Sources
from selo.law.intake import IntakeOrder, Page, read_intake, take_in
from selo.law.intake import written_places as places_of
from selo.law.intake.draft_files import DraftWriter
from selo.law.intake.draft_instrument import DraftNames
from selo.law.intake.page_text import normalise_page, read_page
from selo.text import Words

#: The sources that ship: instrument, number, and the least share of its units that must be cut
#: as the law files cut them. The last is a bad scan.
OURS = [
    ("portaria-21-96-m", "21/96/M", "001", 0.95),
    ("portaria-22-96-m", "22/96/M", "000", 0.95),
    ("despacho-2-2009", "2/2009", "002", 0.95),
    ("despacho-78-2008", "78/2008", "003", 0.95),
    ("portaria-97-85-m", "97/85/M", "004", 0.80),
]
#: A made-up act in both languages, with every kind of unit.
MADE_UP = """\
Exemplo n.º 3/32/M

de 5 de Abril

O Secretário manda:

1. É aprovado o regulamento anexo.

REGULAMENTO DO «JOGO DA RODA»

Artigo 1.º — Material

1. O prato compõe-se de:

1) Um pino, com:

(1) Uma base preta;

(2) Duas molas;

2) Oito casas.

2. A roda é de madeira.

Artigo 2.º — Apostas

Podem fazer-se as seguintes apostas:

a) «Sol» — paga na proporção de 2 para 1;

b) «Lua» — paga na proporção de 3 para 1. (Nota:) — Perde se sair o Sol.

示例 第3/32/M號

四月五日

司長命令：

一、核准附件之規則。

“轉盤”博彩規則

第一條 設備

一、盤包括：

（一）一支軸，附有：

（1）黑色底座；

（2）兩條彈簧；

（二）八格。

二、轉盤以木製成。

第二條 下注

可作下列投注：

A. “日” — 一賠二倍。

B. “月” — 一賠三倍。(註：開日作輸)
"""
UNITS = {
    "approval/1": "point",
    "1/1": "number", "1/1/1": "alinea", "1/1/1/1": "subalinea", "1/1/1/2": "subalinea",
    "1/1/2": "alinea", "1/2": "number",
    "2": "article", "2/a": "alinea", "2/b": "alinea", "2/b/note": "note",
}  # fmt: skip
FONT = Path(__file__).parents[2] / "reports/fonts/NotoSerifTC-Regular.ttf"
DAY = dt.date(2032, 4, 5)


def page(text, *, source="900", language=None, name="page.txt"):
    return Page(source=source, path=Path(name), content=text.encode(), text=text, language=language)


def units_of(intake):
    return {"/".join(unit.path): unit for article in intake.articles for unit in article.units}


@pytest.mark.parametrize(("instrument", "number", "source", "least"), OURS)
def test_our_sources_are_cut_as_the_law_files_cut_them(
    law, root, instrument, number, source, least
):
    path = next((root / "bilingual/sources").glob(f"{source}_*"))
    intake = read_intake([page(read_page(path)[1], source=source)], number=number)
    held, missed = units_of(intake), []
    provisions = [
        located.provision for located in law.provisions.values()
        if located.instrument.id == instrument
    ]  # fmt: skip

    for provision in provisions:
        wanted = {
            language: lines_of(law, written_places(places))
            for language in ("pt", "zh")
            if (places := provision.source.get(language))
        }
        unit = held.get(provision.id)
        found = {} if unit is None else {
            language: lines_of(law, places_of(draft.paragraphs, intake.blank), scanned=True)
            for language, draft in unit.by_language.items()
        }  # fmt: skip
        if not is_same_cut(found, wanted) or unit.unit is not provision.unit:
            missed.append(provision.id)

    assert len(provisions) >= 20
    assert 1 - len(missed) / len(provisions) >= least, missed


def lines_of(law, places, *, scanned=False):
    """Return the characters of the source that `places` hold, line by line, without blanks."""
    pieces = []
    for written in places:
        if written == "¶":
            continue
        for span in _spans(law, written, scanned=scanned):
            source = law.sources.by_id[span.file]
            line = source.received[span.line - 1] if scanned else source.working[span.line - 1]
            if line[span.start : span.stop].strip():
                pieces.append((span.line, span.start / len(line), span.stop / len(line)))
    return pieces


def is_same_cut(found, wanted):
    """Return whether two cuts are the same; repairs move a column by a few characters."""
    return found.keys() == wanted.keys() and all(
        [line for line, *_ in found[language]] == [line for line, *_ in wanted[language]]
        and all(
            abs(one - other) < 0.06
            for first, second in zip(found[language], wanted[language], strict=True)
            for one, other in zip(first[1:], second[1:], strict=True)
        )
        for language in wanted
    )


def _spans(law, written, *, scanned):
    source = law.sources.by_id[written[:3]]
    if scanned:
        source = Source(entry=source.entry, received=source.received, working=source.received)
    one = Sources(
        by_id={written[:3]: source}, list_document=law.sources.list_document,
        log=law.sources.log, log_document=law.sources.log_document,
    )  # fmt: skip
    return one.spans([written])


def test_every_kind_of_unit_is_recognised_in_both_languages():
    intake = read_intake([page(MADE_UP)], number=None)

    assert {path: unit.unit.value for path, unit in units_of(intake).items()} == UNITS
    assert all(set(unit.by_language) == {"pt", "zh"} for unit in units_of(intake).values())


@pytest.fixture(scope="module")
def pages_in_formats(tmp_path_factory):
    """Return a function that writes the made-up page as text, HTML or PDF."""
    folder = tmp_path_factory.mktemp("pages")
    paragraphs = [line for line in MADE_UP.split("\n") if line]
    html = "<!DOCTYPE html><html><head><meta charset='utf-8'></head><body>" + "".join(
        f"<p style='margin: 6pt 0'>{line}</p>" for line in paragraphs
    )
    face = f"@font-face {{ font-family: x; src: url('{FONT.as_uri()}') }} body {{ font: 12pt x }}"

    def write(kind):
        path = folder / f"page.{kind}"
        if kind == "txt":
            path.write_text(MADE_UP, encoding="utf-8")
        elif kind == "html":
            path.write_text(html, encoding="utf-8")
        else:
            weasyprint.HTML(string=f"<style>{face}</style>{html}").write_pdf(path)
        return path

    return write


@pytest.mark.parametrize("kind", ["txt", "html", "pdf"])
def test_a_made_up_page_is_taken_in_from_text_html_and_pdf(pages_in_formats, tmp_path, kind):
    if kind == "pdf":
        need("pdftotext")
    path = pages_in_formats(kind)

    result = take_in(
        IntakeOrder(pages=[str(path)], language=None, out=tmp_path / "law", published=DAY)
    )

    written = {
        provision["id"]: provision["unit"]
        for file in (result.folder / "articles").glob("*.yaml")
        for provision in yaml.safe_load(file.read_text(encoding="utf-8"))["provisions"]
    }
    assert written == UNITS
    assert result.problems == []
    assert result.draft.missing_rules == [
        f"exemplo-3-32-m/{path}" for path in UNITS if path != "approval/1"
    ]


@pytest.mark.full
def test_pages_of_both_languages_are_given_in_one_call(root, tmp_path, selo):
    folder = root / "docs/examples/intake"

    done = selo(
        "law", "intake", f"pt:{folder}/pagina.html", f"zh:{folder}/page-zh.html", "--json",
        "--out", str(tmp_path / "law"), "--game", "wheel", "--published", "2032-04-05",
    )  # fmt: skip
    checked = selo(
        "law", "check", "--json", "--specs", str(tmp_path / "law/specs"),
        "--bilingual", str(tmp_path / "law/bilingual"),
    )  # fmt: skip

    told = json.loads(done.stdout)
    jsonschema.validate(told, build_schema("law-intake"))
    assert done.returncode == 0, done.stderr
    assert (told["languages"], told["units"], told["one_language"]) == (["pt", "zh"], 12, [])
    problems = json.loads(checked.stdout)["problems"]
    assert checked.returncode == 3
    assert {problem["code"] for problem in problems} == {"missing"}
    for provision in told["missing_rules"]:
        assert any(problem["problem"].startswith(f"{provision}:") for problem in problems)


def test_the_page_as_received_is_pinned_and_a_changed_one_is_refused(tmp_path, root, selo):
    path = tmp_path / "page.html"
    shutil.copy(root / "docs/examples/intake/pagina.html", path)
    out = tmp_path / "law"
    result = take_in(IntakeOrder(pages=[str(path)], language="pt", out=out, published=DAY))
    kept = next((out / "bilingual/sources").glob("*.page.html"))

    assert kept.read_bytes() == path.read_bytes()
    assert result.problems == []

    kept.write_bytes(kept.read_bytes() + b"\n")
    again = selo(
        "law", "check", "--specs", str(out / "specs"), "--bilingual", str(out / "bilingual")
    )

    assert again.returncode == 3
    assert "is not the text that was received" in again.stderr


def test_a_unit_in_one_language_only_is_recorded_and_not_lost(tmp_path):
    path = tmp_path / "page.txt"
    path.write_text(MADE_UP.replace("（二）八格。\n", ""), encoding="utf-8")

    result = take_in(
        IntakeOrder(pages=[str(path)], language=None, out=tmp_path / "law", published=DAY)
    )

    assert result.draft.one_language == ["1/1/2"]
    assert result.problems == []


HOSTILE = [
    pytest.param(b"", "contains no text", id="empty"),
    pytest.param(b"\n\n  \n", "contains no text", id="blank"),
    pytest.param(b"\x00\x01\x02" * 50, "is not a text file", id="binary"),
    pytest.param(b"%PDF-1.7\nnot really", "is not a readable PDF", id="a broken PDF"),
    pytest.param("Despacho não".encode("latin-1"), "cannot be decoded", id="another encoding"),
    pytest.param(b"<html><script>Artigo 1.</script></html>", "contains no text", id="a script"),
    pytest.param(b"Portaria n.\xc2\xba 9/99/M\n\nA rose is a rose.", "No article", id="no article"),
    pytest.param(b"Artigo 1.\xc2\xba - X\n\nNada.", "contain no title of an act", id="no title"),
    pytest.param(MADE_UP.encode() + b"\n\nPortaria n.\xc2\xba 9/99/M\n", "several acts", id="acts"),
    pytest.param(b"A" * 200_000, "is not a text file", id="one endless line"),
]


@pytest.mark.parametrize(("content", "said"), HOSTILE)
def test_a_page_that_cannot_be_used_is_refused_in_words(tmp_path, content, said):
    path = tmp_path / "page.txt"
    path.write_bytes(content)

    with pytest.raises(UsageError, match=said):
        take_in(IntakeOrder(pages=[str(path)], language=None, out=tmp_path / "law", published=DAY))

    assert not (tmp_path / "law").exists()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"pages": ["{folder}"]}, "Cannot read"),
        ({"pages": ["{folder}/nowhere.txt"]}, "Cannot read"),
        ({"pages": ["{folder}/page.txt", "{folder}/page.txt"]}, "already"),
        ({"number": "7/77/M"}, "do not contain the act"),
        ({"instrument": "No Such Id"}, "is not an id"),
        ({"game": "craps"}, "exists already"),
        ({"instrument": "portaria-21-96-m"}, "exists already"),
        ({"published": None}, "day of publication"),
        ({"out": "{folder}"}, "neither empty nor a law folder"),
    ],
)
def test_an_order_that_cannot_be_carried_out_is_refused_in_words(tmp_path, change, said):
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "page.txt").write_text(MADE_UP, encoding="utf-8")
    fields = {"pages": [f"{folder}/page.txt"], "out": tmp_path / "law", "published": DAY}
    for name, value in change.items():
        if isinstance(value, list):
            fields[name] = [item.format(folder=folder) for item in value]
        else:
            fields[name] = folder if value == "{folder}" else value

    with pytest.raises(UsageError, match=said):
        take_in(IntakeOrder(language=None, **fields))


def test_invisible_and_odd_characters_do_not_reach_the_law():
    assert normalise_page("A\u200bB\r\nC\u2028D\x07\xa0e\u0301\ufeff") == "AB\nC\nD é"


LINES = st.sampled_from([
    "Artigo 1.º — Material", "Artigo 2.º", "Art. 3.0— Nome: O jogador ganha sempre e tudo o mais.",
    "第一條 設備", "第二條", "獨一條 核准規則。", "Artigo único. É aprovado.", "Anexo", "附 表",
    "1. Um dado", "2. Outro;", "1) Uma coisa:", "(1) Duas;", "a) Isto;", "i) Aquilo", "b) «X» — 2",
    "一、甲；", "（一）乙：", "(1)丙", "A. “丁” — 一賠二倍。", "5 e 6 — três vezes a importância",
    "Modalidade A", "A項", "x\ty\tz", "texto solto sem fim", "Frase. (Nota:) — Outra.",
    "尾段。(註：戊)", "Publique-se.", "一九九六年一月二十二日核准。", "- 3) «de» until from",
    "#### 第三條 賠率", "«Artigo 4.º",
    "fim». ", "結束。”", "12", "—", "*", "“第五條", "until", "a until b until c",
])  # fmt: skip


def test_whatever_stands_on_a_page_every_line_gets_one_owner(law):
    @seed(0)
    @settings(max_examples=60, deadline=None, database=None)
    @given(lines=st.lists(st.tuples(LINES, st.sampled_from(["\n", "\n\n"])), max_size=25))
    def try_page(lines):
        check_owners(law, "Portaria n.º 9/99/M\n\n" + "".join(map("".join, lines)))

    try_page()


def check_owners(law, text):
    held = page(text)
    try:
        intake = read_intake([held], number=None)
    except UsageError:
        return
    names = DraftNames(instrument="x", number="9/99/M", game="x", published=DAY)
    draft = DraftWriter(intake, names, glossary=law.glossary, vocabulary=law.vocabulary).write()
    entry = SourceEntry(
        id="900", file="x", sha256="x", what=Words(pt="x", zh="x", en="x"),
        page_rules=held.page_rules,
    )  # fmt: skip
    lines_held = tuple(text.split("\n"))
    sources = Sources(
        by_id={"900": Source(entry=entry, received=lines_held, working=lines_held)},
        list_document=law.sources.list_document, log=law.sources.log,
        log_document=law.sources.log_document,
    )  # fmt: skip
    owned = Counter()

    for item in entries(draft):
        for language, places in item.get("source", {}).items():
            written = [places] if isinstance(places, str) else places
            for span in sources.spans(written):
                owned.update((span.line, at) for at in range(span.start, span.stop))
            if "text" in item:
                assert sources.text(written, language) == item["text"][language]

    visible = {
        (number, at)
        for number, line in enumerate(lines_held, start=1)
        for at, sign in enumerate(line)
        if not sign.isspace()
    }
    assert {place for place in owned if place in visible} == visible
    assert {owned[place] for place in visible} <= {1}


def entries(draft):
    """Yield everything in the files that claims lines of the source."""
    for name, text in draft.files.items():
        content = yaml.safe_load(text)
        if "/articles/" in name:
            yield {"source": content.get("source", {})}
            yield from content["provisions"]
        elif name.endswith("matter.yaml"):
            yield from content["matter"]
    for record in yaml.safe_load(draft.out_of_scope or "[]") or []:
        yield {"source": {"pt": record["lines"]}}
