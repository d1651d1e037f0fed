"""What a vendor declares is examined from its description alone, and never taken for granted."""

import copy
import json
from pathlib import Path

import msgspec
import pytest

from selo.examine.findings.declaration_findings import (
    DESCRIBE,
    collect_declaration_findings,
    judge_all_declarations,
    judge_declarations,
    observe_declarations,
)
from selo.examine.findings.finding import FindingOrigin
from selo.law.files.declaration_file import overlay_declarations, read_declarations
from selo.law.files.provision_file import Way
from selo.protocol.messages import Description, Offer
from selo.verdict.observations import NotOffered, ProvisionObservations
from selo.verdict.provision_verdict import judge_provision
from selo.verdict.rulings import adopt_rulings

POKER, DICE, BACARA = "fortune-three-card-poker", "fish-prawn-crab", "bacara"
PACKS, PLACES = "despacho-78-2008/1/1", "despacho-78-2008/2/1"
ORIGIN = FindingOrigin(selo="0", spec_digest="", rulings={})


def offer(game, **given):
    lawful = copy.deepcopy(read_declarations(game).lawful)
    plain = {"game": game, "methods": ["settle"], **overlay_declarations(lawful, given)}
    return msgspec.convert(plain, Offer)


@pytest.fixture
def said(law):
    """Return the verdict on a provision, of an offer, without or with the defaults adopted."""

    def made(one, provision, *, ruled=False):
        rulings = adopt_rulings(law, defaults=ruled)
        some = [judge_declarations(law, one, rulings.followed)]
        findings = [
            msgspec.structs.replace(found, id=f"F-{at}")
            for at, found in enumerate(collect_declaration_findings(law, some, ORIGIN))
        ]
        held = law.find(provision).provision
        seen = ProvisionObservations(
            provision=provision,
            ways=(Way(held.verified_by),),
            looks={Way.CONFIGURATION: observe_declarations(some, findings)[provision]},
        )
        found = judge_provision(seen, rulings)
        return str(found.result), str(found.reason)

    return made


def test_what_is_declared_as_the_law_has_it_conforms(said):
    assert said(offer(POKER), PLACES, ruled=True) == ("conforms", "declared")


def test_what_no_reading_allows_violates(said):
    one = offer(POKER, declares={"places": 9})

    assert said(one, PLACES) == said(one, PLACES, ruled=True) == ("violates", "violation")


def test_what_one_reading_allows_is_open_until_it_is_ruled_on(said):
    one = offer(POKER, declares={"places": 7})

    assert said(one, PLACES) == ("inconclusive", "reading-open")
    assert said(one, PLACES, ruled=True) == ("violates", "violation")


def test_what_only_the_default_allows_is_as_open_as_anything_else(said):
    # Simulated dice are lawful by the default, and forbidden by the other reading.
    one, provision = offer(DICE), "portaria-21-96-m/1/a"

    assert said(one, provision) == ("inconclusive", "reading-open")
    assert said(one, provision, ruled=True) == ("conforms", "declared")


def test_what_every_reading_allows_conforms_without_a_ruling(said):
    assert said(offer(POKER), PACKS) == ("conforms", "declared")


@pytest.mark.parametrize("game", ["fish-prawn-crab", "three-card-baccarat", BACARA, POKER])
def test_whoever_declares_nothing_is_not_examined_and_never_conforms(law, game):
    plain = {"game": game, "methods": ["settle"], "bets": read_declarations(game).lawful["bets"]}
    found = [judge_declarations(law, msgspec.convert(plain, Offer), {})]

    for look in observe_declarations(found, []).values():
        assert {one.kind for one in look.not_offered} == {NotOffered.DECLARATION}
        assert (look.cases, look.decisive) == (0, 0)


@pytest.mark.parametrize("name", ["packs", "packs_in_play", "pack_cards"])
def test_a_part_of_what_is_asked_for_is_not_all_of_it(said, name):
    one = offer(POKER)
    del one.declares[name]

    assert said(one, PACKS) == ("not-examined", "not-offered")


def test_what_only_another_reading_asks_for_need_not_be_declared_once_it_is_ruled_out(said):
    one = offer(POKER)
    del one.declares["packs_in_play"]

    assert said(one, PACKS, ruled=True) == ("conforms", "declared")


def test_a_breach_outweighs_what_is_not_declared(said):
    one = offer(POKER, declares={"pack_cards": 54})
    del one.declares["packs"]

    assert said(one, PACKS, ruled=True) == ("violates", "violation")


def test_two_ways_of_being_lawful_do_not_add_up_to_one(law):
    # Not all bets, and not all combinations: forbidden whichever of them the layout must show.
    one = offer(DICE, layout={"bets": ["small"], "combinations": 6})

    (found,) = collect_declaration_findings(law, [judge_declarations(law, one, {})], ORIGIN)

    assert (found.verdict, found.readings) == ("violates", [])


def _asked_on_monday_for_thursday(**other):
    entry = {
        "option": "commission",
        "values": ["half-on-six"],
        "document": "Demonstration authorisation 1",
        "asked": "2025-03-03",
        "granted": "2025-03-05",
        "used_from": "2025-03-06",
        "working_days": ["2025-03-03", "2025-03-04", "2025-03-05"],
        **other,
    }
    return offer(
        BACARA,
        bets=["player", "banker", "tie"],
        options={"commission": ["half-on-six"]},
        jackpots=[],
        authorisations=[entry],
    )


def test_three_days_that_are_not_clear_are_open_and_name_the_point(law, said):
    one = _asked_on_monday_for_thursday()
    (look,) = [
        look
        for name, look in observe_declarations([judge_declarations(law, one, {})], []).items()
        if name.endswith("/19")
    ]

    assert said(one, "despacho-2-2009/19") == ("inconclusive", "reading-open")
    assert said(one, "despacho-2-2009/19", ruled=True) == ("conforms", "declared")
    assert [point.divergence for point in look.followed] == [
        "2-2009-19--counting-three-working-days"
    ]
    assert look.followed[0].readings == ("third-day-before",)


def test_where_holidays_could_decide_nothing_is_concluded(law, said):
    one = _asked_on_monday_for_thursday(working_days=[])
    found = list(collect_declaration_findings(law, [judge_declarations(law, one, {})], ORIGIN))

    assert said(one, "despacho-2-2009/19", ruled=True) == ("inconclusive", "too-little-seen")
    assert [(one.verdict, one.readings) for one in found] == [("open", [])]
    assert "holidays" in found[0].required.en
    assert "feriados" in found[0].required.pt
    assert "假期" in found[0].required.zh


def test_a_finding_says_what_is_required_what_is_declared_and_where_it_stands(law):
    one = offer(POKER, declares={"places": 9})

    (found,) = collect_declaration_findings(law, [judge_declarations(law, one, {})], ORIGIN)

    assert found.method == DESCRIBE
    assert found.provisions == [PLACES]
    assert found.expected == {"places": {"exactly": 8}}
    assert found.observed == {"places": 9}
    assert "oito lugares" in found.law[0].text["pt"]
    assert "八門" in found.law[0].text["zh"]
    assert found.required.en == "places of a table, the croupier’s included: exactly 8"


def test_one_entry_that_is_wrong_for_several_things_is_one_finding(law):
    late = {
        "option": "commission",
        "values": ["half-on-six", "dragon-push"],
        "document": "Demonstration authorisation 1",
        "asked": "2025-03-05",
        "granted": "2025-03-05",
        "used_from": "2025-03-06",
    }
    one = offer(
        BACARA,
        bets=["player", "banker", "tie"],
        options={"commission": ["half-on-six", "dragon-push"]},
        jackpots=[],
        authorisations=[late],
    )

    (found,) = collect_declaration_findings(law, [judge_declarations(law, one, {})], ORIGIN)

    assert (found.verdict, found.times) == ("violates", 2)
    assert found.expected["authorisation"] == "commission half-on-six, commission dragon-push"


def test_only_games_in_scope_are_looked_at(law):
    plain = {
        "protocol": "1.0",
        "vendor": {"name": "v"},
        "product": {"name": "p", "version": "1"},
        "files": [],
        "currency": {"code": "MOP", "decimals": 2},
        "rounding": {"prize": "down", "commission": "down"},
        "games": [msgspec.to_builtins(offer(POKER)), msgspec.to_builtins(offer(DICE))],
    }
    description = msgspec.convert(plain, Description)

    assert [one.game for one in judge_all_declarations(law, description, [DICE], {})] == [DICE]


def test_a_declaration_comes_out_of_the_evidence_as_it_went_in():
    """Verdicts are worked out from the header, so nothing may be lost on the way there."""
    for game in ("fish-prawn-crab", "three-card-baccarat", BACARA, POKER):
        one = offer(game)
        kept = json.loads(json.dumps(msgspec.to_builtins(one)))

        assert msgspec.convert(kept, Offer) == one


VENDOR = Path(__file__).parents[2] / "fixtures" / "planted" / "vendor.py"


def test_a_finding_is_replayed_from_its_file_alone(law, tmp_path, selo):
    one = offer(POKER, declares={"places": 9})
    (found,) = collect_declaration_findings(law, [judge_declarations(law, one, {})], ORIGIN)
    path = tmp_path / "F-001.json"
    path.write_bytes(msgspec.json.encode(msgspec.structs.replace(found, id="F-001")))

    still = selo(
        "replay", str(path), "--vendor", f"python3 {VENDOR} {POKER} 78-2008-2-1--nine-places"
    )
    mended = selo("replay", str(path), "--vendor", f"python3 {VENDOR} {POKER} lawful")

    assert (still.returncode, mended.returncode) == (1, 0)


def test_an_examination_holds_what_is_declared_against_the_law(examined):
    result = json.loads((examined / "result.json").read_bytes())

    found = [
        one
        for one in result["summary"]["provisions"]
        if one["provision"] in {"portaria-21-96-m/1/a", "portaria-21-96-m/1/c"}
    ]

    assert len(found) == 2
    for one in found:
        parts = {part["way"]: (part["result"], part["reason"]) for part in one["parts"]}
        assert parts["configuration"] == ("conforms", "declared")
        # The rest of it a person has to see.
        assert parts["inspection"] == ("to-be-witnessed", "not-witnessed")
        assert one["result"] == "to-be-witnessed"
