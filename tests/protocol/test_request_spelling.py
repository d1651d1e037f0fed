"""However requests are written, they say the same, and nothing about them is always so."""

import json
from itertools import chain

import pytest

from selo.protocol.request_spelling import NAME_FORMS, OpaqueNames, RequestSpelling
from selo.vendors.sandbox.plausible_world import world_at

PARAMS = [
    {"game": "craps", "options": {}, "bets": [{"bet": "field", "stake": 2**53 - 1}]},
    {"game": "craps", "outcome": {"throws": [[1, 2], [3, 4]]}},
]
SPELLINGS = [
    RequestSpelling(spaced=spaced, turned=turned)
    for spaced in (False, True)
    for turned in (False, True)
]
#: What a vendor could go by in a line: each shows in some worlds of every eight, and not in others.
SIGNS = {
    "spaces": lambda line: b'": ' in line,
    "begins with the id": lambda line: line.startswith(b'{"id"'),
    "long id": lambda line: len(json.loads(line)["id"]) >= 16,
    "id with a dash": lambda line: "-" in json.loads(line)["id"],
    "game before outcome": lambda line: line.index(b'"game"') < line.index(b'"outcome"'),
}


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_line_says_the_same_in_every_spelling(spelling, count):
    line = spelling.write(["a", "b"][:count], "settle", PARAMS[:count])

    requests = [
        {"jsonrpc": "2.0", "id": name, "method": "settle", "params": params}
        for name, params in zip(["a", "b"], PARAMS, strict=True)
    ]
    assert json.loads(line) == (requests if count > 1 else requests[0])
    assert b"\n" not in line


def test_no_two_spellings_are_alike():
    lines = {one.write(["a"], "settle", PARAMS[:1]) for one in SPELLINGS}

    assert len(lines) == len(SPELLINGS)


@pytest.mark.parametrize("form", [*NAME_FORMS, "hexadecimal"])
def test_no_name_comes_twice(form):
    names = OpaqueNames(form)

    taken = list(chain.from_iterable(names.take(count) for count in range(60)))

    assert len(set(taken)) == len(taken) == sum(range(60))


@pytest.mark.parametrize("sign", SIGNS)
def test_a_cheat_meets_lines_with_its_sign_and_without_it(sign):
    for seed in range(40):
        worlds = [world_at(str(seed), number) for number in range(8)]
        lines = [
            world.spelling.write(OpaqueNames(world.spelling.names).take(1), "settle", [PARAMS[1]])
            for world in worlds
        ]

        assert {SIGNS[sign](line) for line in lines} == {True, False}, seed


def test_some_worlds_ask_first_who_the_vendor_is_and_some_do_not():
    for seed in range(40):
        assert {world_at(str(seed), at).described_first for at in range(8)} == {True, False}
