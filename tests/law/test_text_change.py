"""What changed between two days, in the law that ships and in a made-up amendment."""

import datetime as dt
import shutil

import pytest

from selo.law.loader import load_law
from selo.law.text_change import compare_days, find_families

BEFORE, AFTER = dt.date(2031, 1, 1), dt.date(2031, 6, 1)


@pytest.fixture(scope="module")
def amended(root, tmp_path_factory):
    """Return the law with a made-up instrument and its amendment, as the guide adds them."""
    folder = tmp_path_factory.mktemp("amended")
    for name in ("specs", "bilingual"):
        shutil.copytree(root / name, folder / name)
    for example in ("new-instrument", "amendment"):
        given = root / "docs" / "examples" / example
        shutil.copytree(given / "specs", folder / "specs", dirs_exist_ok=True)
        shutil.copytree(given / "bilingual" / "sources", folder / "bilingual" / "sources",
                        dirs_exist_ok=True)  # fmt: skip
        with (folder / "bilingual" / "sources.yaml").open("a", encoding="utf-8") as sources:
            sources.write((given / "bilingual" / "sources.add.yaml").read_text("utf-8"))
    link = (root / "docs" / "examples" / "amendment" / "link.yaml").read_text("utf-8")
    path = folder / "specs" / "exemplo-1-30-m" / "instrument.yaml"
    path.write_text(path.read_text("utf-8").replace("chain: []", link), "utf-8")
    return load_law(specs=folder / "specs", bilingual=folder / "bilingual")


def test_an_amendment_and_what_it_amends_are_one_family(amended):
    families = [[one.instrument.id for one in family] for family in find_families(amended)]

    assert ["exemplo-1-30-m", "exemplo-2-31-m"] in families
    assert sum(len(family) for family in families) == len(amended.folders)


def test_words_and_rules_that_an_amendment_changes_are_named(amended):
    (family,) = [one for one in compare_days(amended, BEFORE, AFTER) if "sun-and-moon" in one.games]
    changed = {one.path: one for one in family.changes if one.words and "approval" not in one.path}

    assert list(changed) == ["3/a"]
    (pt, zh) = changed["3/a"].words
    assert ("duas vezes" in pt.before, "três vezes" in pt.after) == (True, True)
    assert ("二倍" in zh.before, "三倍" in zh.after) == (True, True)
    assert changed["3/a"].rule_changed
    assert "exemplo-2-31-m/3/a" in family.examine_again


def test_nothing_changed_on_the_same_day(amended):
    assert list(compare_days(amended, AFTER, AFTER)) == []


def test_an_article_that_was_replaced_must_be_examined_again(law):
    (family,) = compare_days(law, dt.date(2008, 12, 1), dt.date(2009, 1, 1))

    assert family.games == ["fortune-three-card-poker"]
    assert {one.path.partition("/")[0] for one in family.changes} == {"9"}
    assert "despacho-78-2008/9/5" in family.examine_again
    assert all(one.words == [] and not one.rule_changed for one in family.changes)
