"""The paragraphs of a preamble have ids, by which, and by their citation, they are found."""

from dataclasses import replace

import msgspec
import pytest

from selo.law.lint.partition import text_owners
from selo.law.preamble import check_preamble, cite_preamble, find_preamble, list_preambles

#: Counted in the gazette: recitals and enacting formula of each act that prints a preamble.
PARAGRAPHS = {
    "despacho-2-2009": 3,
    "despacho-78-2008": 3,
    "portaria-21-96-m": 3,
    "portaria-22-96-m": 3,
    "portaria-97-85-m": 4,
}
FIRST = "portaria-21-96-m/preamble/1"


def test_every_paragraph_of_every_preamble_has_an_id(law):
    found = [paragraph.id for paragraph in list_preambles(law)]

    assert found == [
        f"{name}/preamble/{number}"
        for name, count in PARAGRAPHS.items()
        for number in range(1, count + 1)
    ]


@pytest.mark.parametrize(
    "cited",
    [
        FIRST,
        "parágrafo 1.º do preâmbulo da Portaria n.º 21/96/M, de 12 de Fevereiro",
        "二月十二日第21/96/M號訓令序言第一段",
        "21/96/M preâmbulo 1",
    ],
)
def test_a_paragraph_is_found_by_its_id_and_by_its_citation(law, cited):
    (paragraph,) = find_preamble(law, cited)

    assert paragraph.id == FIRST
    assert paragraph.matter.text.pt.startswith("Considerando que a concessionária")
    assert paragraph.matter.text.zh.startswith("鑑於根據現行之特許合同")


@pytest.mark.parametrize(
    "cited", ["21/96/M preâmbulo", "portaria-21-96-m preamble", "21/96/M 序言"]
)
def test_the_whole_preamble_is_found_by_its_name(law, cited):
    assert [paragraph.number for paragraph in find_preamble(law, cited)] == [1, 2, 3]


@pytest.mark.parametrize("cited", ["21/96/M art. 1", "21/96/M", "preâmbulo", "21/96/M preâmbulo 9"])
def test_what_names_no_preamble_finds_none(law, cited):
    assert find_preamble(law, cited) == []


def test_the_preamble_of_a_despacho_is_cited_as_masculine(law):
    (paragraph,) = find_preamble(law, "despacho-2-2009/preamble/3")

    citation = cite_preamble(paragraph)

    assert citation.pt_full.startswith("parágrafo 3.º do preâmbulo do Despacho ")
    assert citation.zh_full.endswith("批示序言第三段")


def test_the_partition_names_its_owner_by_id(law):
    names = {owner.name for owner in text_owners(law)}

    assert {paragraph.id for paragraph in list_preambles(law)} <= names
    assert not any(name.endswith((" recital", " enacting")) for name in names)


@pytest.mark.parametrize(("kind", "wrong"), [("recital", None), ("recital", "preamble/7")])
def test_a_paragraph_without_its_id_is_a_problem(law, kind, wrong):
    folder = next(one for one in law.folders if one.instrument.id == "portaria-21-96-m")
    matter = [
        msgspec.structs.replace(one, id=wrong) if one.kind == kind else one
        for one in folder.matter.matter
    ]
    spoiled = msgspec.structs.replace(folder.matter, matter=matter)

    assert list(check_preamble(folder)) == []
    assert len(list(check_preamble(replace(folder, matter=spoiled)))) == 2


def test_the_command_shows_text_and_both_citations(selo):
    done = selo("law", "show", FIRST)

    assert done.returncode == 0
    assert "parágrafo 1.º do preâmbulo da Portaria n.º 21/96/M, de 12 de Fevereiro" in done.stdout
    assert "二月十二日第21/96/M號訓令序言第一段" in done.stdout
    assert "鑑於根據現行之特許合同" in done.stdout
