"""What the protocol shows as an example works: put to a vendor, and offered by one."""

import json
import re

import msgspec
import pytest
from tests.examine.partial_examination import session_with
from tests.fixture_modules import load_fixture

from selo.examine.vendor_description import check_description
from selo.law.files.events_file import ValueKind
from selo.protocol import messages as m
from selo.protocol.schema import game_words
from selo.rounds.generate import read_written_scripts
from selo.rounds.script import find_lacking
from selo.rules.checks.game_check import list_games
from selo.vendors.reply_reader import ReplyReader
from selo.verdict.observations import NotOffered

SHOWN = re.compile(r'^\{"jsonrpc".*$', re.MULTILINE)
INLINE = re.compile(r"`([\[{].*?[\]}])`")


@pytest.fixture(scope="module")
def page(root):
    return (root / "docs" / "protocol.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def exchanges(page):
    """Return each request that the chapter shows, with the answer that it shows."""
    shown = [json.loads(line) for line in SHOWN.findall(page)]
    return list(zip(shown[::2], shown[1::2], strict=True))


def test_every_method_has_an_example_whose_answer_has_the_right_form(exchanges):
    assert {request["method"] for request, _ in exchanges} == {
        method for method in m.RESULTS if ":" not in method
    }
    for request, answer in exchanges:
        (reply,) = ReplyReader(request["method"]).decode_each(json.dumps(answer).encode())
        assert (reply.fault, reply.error) == (None, None)


def test_a_vendor_that_is_put_the_examples_answers_as_they_show(exchanges):
    vendor = load_fixture("adapters/python/reference.py").ReferenceVendor()
    session = session_with(vendor)

    for request, answer in exchanges:
        if request["method"] in ("describe", "end", "draw", "pack"):
            continue
        if request["method"] == "table.act":
            # A table takes bets once its round has begun.
            begin = {"act": "go-on", "until": "start-round"}
            session.ask("table.act", {"table": request["params"]["table"], "act": begin})
        told = session.ask(request["method"], request["params"])
        given = msgspec.convert(answer["result"], m.RESULTS[request["method"]])
        if request["method"] == "table.close":
            # What still happens depends on the round that was begun.
            assert type(told) is type(given)
        else:
            assert told == given, request


def test_a_table_of_every_game_takes_the_examples_of_force_and_go_on(law):
    session = session_with(load_fixture("adapters/python/reference.py").ReferenceVendor())

    for game in list_games(law):
        words = game_words(law, game)
        if "table" not in words.abilities:
            continue
        table = {"table": game}
        session.ask("table.open", {**table, "game": game, "options": words.default_options})
        for act in ("force", "go-on"):
            example = words.schemas[f"{game}.act.{act}"]["examples"][0]
            # Where to stop is left out: an example stops at what comes in the middle of a round.
            asked = {name: value for name, value in example.items() if name != "until"}
            assert session.ask("table.act", {**table, "act": asked}).answer == "accepted", (
                game,
                act,
            )
        session.ask("table.close", table)


def test_the_description_of_the_example_is_without_fault(law, exchanges):
    (shown,) = [answer for request, answer in exchanges if request["method"] == "describe"]

    description = msgspec.convert(shown["result"], m.Description)

    assert list(check_description(law, description)) == []


def test_whoever_offers_as_the_example_shows_lacks_no_option(law):
    for game in list_games(law):
        words = game_words(law, game)
        example = words.schemas[f"{game}.offer"]["examples"][0]
        offer = msgspec.convert(example, m.Offer)
        lacking = {
            (script.name, need.name)
            for script in read_written_scripts(law, game)
            for need in find_lacking(script, offer, words)
            if need.kind is NotOffered.OPTION
            # A number of its own, such as how many packs there are, is for the vendor to say.
            and not (
                words.options_known[need.name].kind is ValueKind.NUMBER
                and words.options_known[need.name].default
            )
        }
        assert lacking == set(), game


def test_the_options_and_bets_in_sentences_are_as_the_schemas_have_them(law, page):
    values = [json.loads(text) for text in INLINE.findall(page) if text.startswith(('{"', "[{"))]
    known = {name for game in list_games(law) for name in game_words(law, game).options_known}
    offers = [value for value in values if isinstance(value, dict) and known.issuperset(value)]
    (bets,) = [value for value in values if isinstance(value, list)]

    assert {"packs": {"from": 1, "to": 8}} in offers
    assert {"limits": ["none", "declared"]} in offers
    for options in offers:
        (name,) = options
        game = next(one for one in list_games(law) if name in game_words(law, one).options_known)
        offer = msgspec.convert({"game": game, "methods": ["settle"], "options": options}, m.Offer)
        assert game_words(law, game).offer_problem(offer) is None
    outcome = {"throws": [[2, 2], [1, 3]]}
    vendor = session_with(load_fixture("adapters/python/reference.py").ReferenceVendor(["craps"]))
    told = vendor.ask("settle", {"game": "craps", "options": {}, "outcome": outcome, "bets": bets})
    assert [one.result for one in told.settlements] == ["win", "win"]
