"""What a person must see stands on the witness form, and the form says what to look at."""

import re
from dataclasses import replace

import msgspec
import pytest

from selo.law.files.provision_file import Way
from selo.law.lint.structure import check_structure
from selo.verdict.witness import all_games, blank_form

#: The words by which a reason says that somebody has to see, each read in the law files.
PERSON = re.compile(
    r"\ba person\b|seen only|only (?:be )?seen|only a person|at the table can see|read at the table"
)
#: Words of a reason, not of an instruction.
REASON = re.compile(
    r"só (?:uma pessoa|pode|se vê)|só podem|um programa|O programa|只能由|程式|only a person"
    r"|program",
)
#: Each instruction begins with what is done, or with when and where it is done.
INSTRUCTION = re.compile(r"^(?:Durante|Na mesa|No tabuleiro|Conte|Pese|Veja|Leia|Ponha|Provoque)\b")


def ways(located):
    return {located.provision.verified_by, *located.provision.also}


def test_every_reason_that_names_a_person_yields_a_line_of_the_form(law):
    told = {
        located.id
        for located in law.provisions.values()
        if located.provision.because is not None and PERSON.search(located.provision.because.en)
    }
    form = {entry.id for entry in blank_form(law, all_games(law)).entries}

    assert len(told) >= 15
    assert told - form == set()


def test_every_line_of_the_form_says_what_to_look_at_and_not_why(law):
    entries = blank_form(law, all_games(law)).entries

    assert len(entries) >= 18
    for entry in entries:
        provision = law.find(entry.id).provision
        assert provision.look_at is not None, entry.id
        assert (entry.look_at.pt, entry.look_at.zh) == (provision.look_at.pt, provision.look_at.zh)
        assert INSTRUCTION.search(provision.look_at.pt), entry.id
        assert provision.look_at.en.strip(), entry.id
        for language in ("pt", "zh", "en"):
            assert not REASON.search(provision.look_at.get(language)), (entry.id, language)


def test_weight_and_opposite_faces_stand_on_the_form(law):
    look_at = law.find("portaria-21-96-m/1/a/close").provision.look_at

    assert re.search(r"\bPese\b.*\bopostas\b.*\bsete\b", look_at.pt)
    assert re.search("稱量.*正反兩面.*七點", look_at.zh)


@pytest.mark.parametrize(
    ("spoiled", "problem"),
    [({"look_at": None}, "inspection without"), ({"also": []}, "without inspection")],
)
def test_inspection_and_what_to_look_at_go_together(law, spoiled, problem):
    located = law.find("portaria-21-96-m/1/a")
    changed = replace(located, provision=msgspec.structs.replace(located.provision, **spoiled))
    provisions = {**law.provisions, located.id: changed}

    (found,) = check_structure(replace(law, provisions=provisions))

    assert found.problem.startswith(f"{located.id}: ")
    assert problem in found.problem


def test_nothing_is_left_to_a_person_alone_by_another_name(law):
    for located in law.provisions.values():
        assert (Way.INSPECTION in ways(located)) == (located.provision.look_at is not None)
