"""What somebody cites is found: by id, as in the gazette, or shortly."""

import pytest

from selo.law import cite
from selo.law.citation import find_cited

PRIZE = "portaria-21-96-m/6/h"


def found(law, cited):
    return [located.id for located in find_cited(law, cited)]


@pytest.mark.parametrize(
    ("cited", "provision"),
    [
        (PRIZE, PRIZE),
        ("21/96/M art. 6 h", PRIZE),
        ("21/96/M, art. 6.º, al. h)", PRIZE),
        ("art. 6 h da Portaria 21/96/M", PRIZE),
        ("fish-prawn-crab 6 h", PRIZE),
        ("２１／９６／Ｍ ６ ｈ", PRIZE),
        ("96/85/M anexo 98", "portaria-96-85-m/annex/98"),
    ],
)
def test_a_short_citation_is_found(law, cited, provision):
    assert found(law, cited) == [provision]


def test_a_provision_is_found_by_its_own_citation_in_both_languages(law):
    for located in list(law.provisions.values())[::11]:
        citation = cite(law, located)
        assert located.id in found(law, citation.pt_full)
        if located.provision.text.zh is not None:
            assert located.id in found(law, citation.zh_full)


def test_an_instrument_or_an_article_is_everything_that_it_holds(law):
    whole = found(law, "21/96/M")

    assert set(whole) == {name for name in law.provisions if name.startswith("portaria-21-96-m/")}
    assert set(found(law, "21/96/M art. 6")) == {
        name for name in whole if name.startswith("portaria-21-96-m/6")
    }


@pytest.mark.parametrize("cited", ["12/2009", "21/96/M art. 99", "nonsense", "", "121/96/M 6 h"])
def test_what_nobody_holds_is_not_found(law, cited):
    assert found(law, cited) == []
