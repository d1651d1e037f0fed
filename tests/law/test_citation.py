import re

import pytest

from selo.law.citation import chinese_number, cite

# The forms in which the gazette itself cites; smallest unit first in Portuguese.
FORMS = [
    ("portaria-21-96-m/5/d", "alínea d) do artigo 5.º", "第五條D項"),
    ("portaria-21-96-m/5", "corpo do artigo 5.º", "第五條主文"),
    ("portaria-21-96-m/7", "artigo 7.º", "第七條"),
    ("portaria-21-96-m/5/d/note", "nota da alínea d) do artigo 5.º", "第五條D項註"),
    ("portaria-21-96-m/approval", "artigo único", "獨一條"),
    ("portaria-22-96-m/9/2", "alínea 2) do artigo 9.º", "第九條(2)項"),
    ("portaria-22-96-m/annex/31", "n.º 31 do anexo", "附表第31項"),
    (
        "despacho-2-2009/13/1/4",
        "corpo da alínea 4) do n.º 1 do artigo 13.º",
        "第十三條第一款(四)項主文",
    ),
    (
        "despacho-2-2009/13/1/4/1",
        "subalínea (1) da alínea 4) do n.º 1 do artigo 13.º",
        "第十三條第一款(四)項(1)分項",
    ),
    ("despacho-2-2009/17/12", "n.º 12 do artigo 17.º", "第十七條第十二款"),
    ("despacho-78-2008/5/1/2", "alínea 2) do n.º 1 do artigo 5.º", "第五條第一款（二）項"),
    (
        "despacho-78-2008/9/8/4",
        "subalínea (4) da alínea 8) do artigo 9.º",
        "第九條（八）項（4）分項",
    ),
    ("portaria-97-85-m/1/par-3", "3.ª parte do artigo 1.º", "第一條第三部分"),
    ("portaria-97-85-m/2/2/close", "parágrafo final do n.º 2 do artigo 2.º", "第二條第二款末段"),
]


@pytest.mark.parametrize(("provision", "pt", "zh"), FORMS)
def test_a_provision_is_cited_as_the_gazette_does(law, provision, pt, zh):
    citation = cite(law, law.find(provision))

    assert (citation.pt, citation.zh) == (pt, zh)


def test_the_full_form_names_the_instrument(law):
    citation = cite(law, law.find("portaria-21-96-m/5/d"))

    assert citation.pt_full.endswith("Portaria n.º 21/96/M, de 12 de Fevereiro")
    assert citation.zh_full.startswith("二月十二日第21/96/M號訓令")


def test_no_two_provisions_are_cited_alike(law):
    for language in ("pt_full", "zh_full"):
        # A unit that a language does not have is cited there by the one above it.
        forms = [
            getattr(cite(law, held), language)
            for held in law.provisions.values()
            if language.partition("_")[0] not in held.provision.missing
        ]
        assert len(set(forms)) == len(forms)


def test_article_numbers_are_written_as_chinese_articles_are():
    assert [chinese_number(n) for n in (1, 10, 11, 19, 20, 21)] == [
        "一", "十", "十一", "十九", "二十", "二十一",
    ]  # fmt: skip


def test_no_item_is_cited_that_a_language_does_not_have(law):
    for located in law.provisions.values():
        if "zh" in located.provision.missing:
            above = law.find(located.id.rpartition("/")[0])
            plain = cite(law, above).zh.removesuffix("主文")
            assert cite(law, located).zh == plain


def test_acts_published_in_portuguese_have_no_chinese_title(law):
    for folder in law.folders:
        instrument = folder.instrument
        if "zh" in instrument.languages.published:
            continue
        assert instrument.regulation.zh is None
        assert not re.search("[一-鿿]", instrument.game_name.zh)
        for located in law.provisions.values():
            if located.instrument is instrument:
                assert "《" not in cite(law, located).zh_full


def test_the_ranks_of_the_tiles_are_marked_as_attributed(law):
    attributed = {one.instrument.id for one in law.folders if one.instrument.attributed}

    assert attributed == {"portaria-96-85-m"}
