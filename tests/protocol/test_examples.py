"""What the protocol shows as an example works: put to a vendor, and offered by one."""

import json
import re

import msgspec
import pytest
from tests.examine.partial_examination import session_with
from tests.fixture_modules import load_fixture

from selo.examine.vendor_description import check_description
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
        if request["method"] in ("describe", "end", "draw"):
            continue
        told = session.ask(request["method"], request["params"])
        given = msgspec.convert(answer["result"], m.RESULTS[request["method"]])
        assert told == given, request


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
            if need.kind is NotOffered.OPTION and words.options_known[need.name].default == 0
        }
        assert lacking == set(), game


def test_the_options_and_bets_in_sentences_are_as_the_schemas_have_them(law, page):
    values = [json.loads(text) for text in INLINE.findall(page) if text.startswith(('{"', "[{"))]
    offers = [value for value in values if isinstance(value, dict)]
    (bets,) = [value for value in values if isinstance(value, list)]

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
