"""Every fault planted in what a vendor declares breaks its own provision, and no other."""

import msgspec
import pytest
from tests.planted import judging

from selo.examine.findings.declaration_findings import (
    collect_declaration_findings,
    judge_declarations,
)
from selo.examine.findings.finding import FindingOrigin
from selo.protocol.messages import Description
from selo.protocol.schema.game_schema import game_words
from selo.report.content.finding_sheets import FindingSheetWriter
from selo.report.phrases.labels import Labels
from selo.rules.declarations.declaration_models import RequirementStatus

GAMES = ["fish-prawn-crab", "three-card-baccarat", "bacara", "fortune-three-card-poker"]
FAULTS = [
    pytest.param(game, name, fault, id=name)
    for game in GAMES
    for name, fault in judging.modules(game)[1].FAULTS.items()
    if fault.declares
]


def offer_of(game, fault="lawful"):
    serving, _ = judging.modules(game)
    told = serving.load(game, fault).describe({})
    return msgspec.convert(told, Description, strict=True).games[0]


def test_every_provision_verified_by_configuration_has_a_fault_that_is_lawful_under_no_reading(law):
    wanted = {
        held.id
        for held in law.provisions.values()
        if "configuration" in {held.provision.verified_by, *held.provision.also}
    }

    assert {one.values[2].provision for one in FAULTS if not one.values[2].point} == wanted


@pytest.mark.parametrize("game", GAMES)
def test_the_lawful_vendor_declares_everything_and_nothing_unlawful(law, game):
    found = judge_declarations(law, offer_of(game), {})

    assert {one.status for one in found.judgements} == {RequirementStatus.KEPT}


@pytest.mark.parametrize(("game", "name", "fault"), FAULTS)
def test_a_fault_is_said_in_the_words_of_the_protocol(law, game, name, fault):
    del fault

    assert game_words(law, game).offer_problem(offer_of(game, name)) is None


@pytest.mark.parametrize(("game", "name", "fault"), FAULTS)
def test_a_fault_breaks_its_provision_and_no_other(law, game, name, fault):
    found = judge_declarations(law, offer_of(game, name), {})
    broken = [one for one in found.judgements if one.status is RequirementStatus.BROKEN]

    assert {one.provision for one in broken} == {fault.provision}
    assert {point for one in broken for point, _ in found.excusing_readings(one.key)} == (
        {fault.point} - {""}
    )


@pytest.mark.parametrize(("game", "name", "fault"), FAULTS)
def test_a_fault_is_one_finding_told_in_every_language(law, game, name, fault):
    del fault
    origin = FindingOrigin(selo="0", spec_digest="", rulings={})

    (found,) = collect_declaration_findings(
        law, [judge_declarations(law, offer_of(game, name), {})], origin
    )
    sheet = FindingSheetWriter(Labels(law), "MOP", 2, law).write(found)

    assert len({sheet.title.pt, sheet.title.zh, sheet.title.en}) == 3
    assert len({sheet.seen.pt, sheet.seen.zh, sheet.seen.en}) == 3
