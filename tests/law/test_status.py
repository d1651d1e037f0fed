import datetime as dt

import pytest

from selo.law.status import LegalStanding, status_on

# (instrument, article, day, standing, certain, act): from the chains in specs/*/instrument.yaml,
# whose dates come from the gazette.
CASES = [
    ("portaria-21-96-m", None, "1996-02-11", "NOT_YET", True, None),
    ("portaria-21-96-m", None, "1996-02-12", "NO_LATER_ACT", False, None),
    ("portaria-21-96-m", None, "2000-01-01", "NO_LATER_ACT", True, None),
    ("portaria-21-96-m", None, "2004-05-11", "NO_LATER_ACT", True, None),
    ("portaria-21-96-m", None, "2004-05-12", "REVOKED", False, "59/2004"),
    ("portaria-21-96-m", None, "2005-01-01", "REVOKED", True, "59/2004"),
    ("portaria-22-96-m", "1", "1997-01-01", "AMENDED", True, "219/96/M"),
    ("portaria-22-96-m", "1", "1996-06-01", "AMENDED", False, "219/96/M"),
    ("portaria-22-96-m", "9", "2026-01-01", "NO_LATER_ACT", True, None),
    ("despacho-2-2009", "18", "2026-01-01", "NO_LATER_ACT", True, None),
    ("despacho-2-2009", "13", "2017-12-31", "NO_LATER_ACT", True, None),
    ("despacho-2-2009", "13", "2019-01-01", "AMENDED", True, "56/2018"),
    ("despacho-2-2009", "13", "2009-01-08", "NOT_YET", True, None),
    ("despacho-78-2008", "9", "2008-08-11", "NOT_YET", True, None),
    ("despacho-78-2008", "9", "2008-08-12", "NO_LATER_ACT", True, None),
    ("despacho-78-2008", "9", "2008-12-16", "AMENDED", True, "97/2008"),
    ("despacho-78-2008", "8", "2008-12-16", "NO_LATER_ACT", True, None),
    ("despacho-78-2008", "8", "2025-11-01", "REVOKED", False, "89/2025"),
    ("despacho-78-2008", "9", "2025-11-17", "REVOKED", True, "89/2025"),
    ("portaria-97-85-m", "2", "2010-03-07", "NO_LATER_ACT", True, None),
    ("portaria-97-85-m", "2", "2010-03-09", "REVOKED", True, "53/2010"),
    ("portaria-96-85-m", "annex", "1990-12-31", "NO_LATER_ACT", True, None),
    ("portaria-96-85-m", "annex", "1992-01-01", "AMENDED", False, "58/91/M"),
]


@pytest.mark.parametrize(("instrument", "article", "day", "standing", "certain", "act"), CASES)
def test_the_law_of_a_day(law, instrument, article, day, standing, certain, act):
    found = next(one.instrument for one in law.folders if one.instrument.id == instrument)

    status = status_on(found, dt.date.fromisoformat(day), article=article)

    assert (status.standing.name, status.certain) == (standing, certain)
    assert (status.by is None) if act is None else (act in status.by.act.pt)


def test_only_what_is_certainly_in_force_and_known_is_law(law):
    for folder in law.folders:
        for year in range(1980, 2030):
            status = status_on(folder.instrument, dt.date(year, 6, 1))
            certain = status.standing is LegalStanding.NO_LATER_ACT and status.certain
            assert status.is_law == (certain and year <= 2025)


def test_what_is_not_held_is_said(law):
    missing = {
        folder.instrument.id: [a for part in folder.instrument.not_held for a in part.articles]
        for folder in law.folders
    }

    assert missing["despacho-2-2009"] == [str(n) for n in [*range(1, 13), 14, 15, 16]]
    assert missing["portaria-97-85-m"] == ["9"]
    assert "annex/1-97" in missing["portaria-96-85-m"]
    for folder in law.folders:
        held = {file.article.article for file in folder.articles}
        assert not held & set(missing[folder.instrument.id])
