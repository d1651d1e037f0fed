"""A game whose bets and events have other names is asked and judged alike: no name is known."""

import itertools
import json
import random
import re
import shutil
import sys
import types

import msgspec
import pytest
from tests.fixture_modules import load_fixture
from tests.games import GAMES_WITH_BETS

from selo.cases.generate.case_stream import stream_cases
from selo.cases.oracle import Oracle
from selo.cases.scope import offer_everything
from selo.law.loader import load_law
from selo.protocol.messages import Offer
from selo.rounds.generate import (
    generate_covering_tables,
    generate_free_scripts,
    generate_prize_lines,
    generate_scripts,
    read_written_scripts,
)
from selo.rounds.judge.round_judge import RoundJudge
from selo.rounds.table_player import play_scripts
from selo.rules.readings import Readings
from selo.rules.settlement import compile_game
from selo.vendors.vendor_address import connect

pytestmark = pytest.mark.full

#: Names that are words of the equipment, of the condition language or of a format as well.
SHARED = {"player", "banker", "croupier", "jackpot", "points", "number", "figure", "field"}
SHARED |= {"odd", "even"}
_NUMBERS = itertools.count()


class Names:
    """Other names for the bets and events of a game, which sort, begin and end otherwise."""

    def __init__(self, law, game):
        folder = next(one for one in law.folders if one.instrument.game == game)
        bets = compile_game(law, game, Readings(law)).bets
        known = sorted({*bets, *(event.id for event in folder.events.events)} - SHARED)
        self.instrument = folder.instrument.id
        self.there = {name: f"w{at // 26:x}{chr(97 + at % 26)}q" for at, name in enumerate(known)}
        self.back = {other: name for name, other in self.there.items()}

    @staticmethod
    def swap(text, table):
        """Replace every name that stands by itself."""
        longest = sorted(map(re.escape, table), key=len, reverse=True)
        return re.sub(rf"(?<![\w-])({'|'.join(longest)})(?![\w-])", lambda m: table[m[1]], text)

    def of(self, plain, table):
        return json.loads(self.swap(json.dumps(plain, ensure_ascii=False), table))

    def law(self, root, folder):
        """Return the law with the other names; what is printed stays."""
        for part in ("specs", "bilingual"):
            shutil.copytree(root / part, folder / part)
        for path in (folder / "specs" / self.instrument).rglob("*.yaml"):
            lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
            path.write_text(
                "".join(
                    line if re.match(r"\s*(pt|zh|en): ", line) else self.swap(line, self.there)
                    for line in lines
                ),
                encoding="utf-8",
            )
        return load_law(specs=folder / "specs", bilingual=folder / "bilingual")


class Translated:
    """A vendor that speaks of bets and events by other names, and pays one too much if told so."""

    def __init__(self, vendor, names=None, *, pays_more=False):
        self._vendor, self._names, self._pays_more = vendor, names, pays_more

    def __getattr__(self, method):
        call = getattr(self._vendor, method)

        def answer(params):
            plain = params if self._names is None else self._names.of(params, self._names.back)
            given = json.loads(json.dumps(call(plain), ensure_ascii=False))
            for settlement in given.get("settlements", ()) if self._pays_more else ():
                settlement["prize"] += settlement["result"] == "win"
            return given if self._names is None else self._names.of(given, self._names.there)

        return answer


def session_with(vendor):
    name = f"vendor_of_names_{next(_NUMBERS)}"
    sys.modules[name] = types.SimpleNamespace(vendor=vendor)
    return connect(f"{name}:vendor")


def scripts_of(law, offer):
    oracle = Oracle(law)
    return [
        *read_written_scripts(law, offer.game),
        *generate_prize_lines(law, offer, oracle, "1/0"),
        *generate_covering_tables(law, offer, oracle, "1/0"),
        *generate_scripts(law, offer.game, offer, 1, 15, oracle=oracle),
        *generate_free_scripts(law, offer, oracle, "1/1", 60),
    ]


@pytest.fixture(scope="module", params=GAMES_WITH_BETS)
def both(request, law, root, tmp_path_factory):
    """Return a game: its law, vendor and offer, the same under other names, and the names."""
    names = Names(law, request.param)
    module = load_fixture("adapters/python/reference.py")

    def make():
        # What it draws by itself is the same each time.
        return module.ReferenceVendor([request.param], random.Random(1))  # noqa: S311 - see above

    plain = make().describe({})["games"][0]
    there = names.law(root, tmp_path_factory.mktemp("other-names"))
    offers = [msgspec.convert(one, Offer) for one in (plain, names.of(plain, names.there))]
    return types.SimpleNamespace(
        names=names, laws=(law, there), offers=offers, make=make, game=request.param
    )


def test_the_same_is_asked(both):
    here, there = (
        [[one.options, one.acts] for one in scripts_of(law, offer)]
        for law, offer in zip(both.laws, both.offers, strict=True)
    )
    cases, others = (
        [
            msgspec.to_builtins(case)
            for case in stream_cases(law, offer_everything(law, [both.game]), at_random=100)
        ]
        for law in both.laws
    )

    assert len(both.names.there) > len(SHARED)
    assert len(here) > 40
    assert both.names.of(there, both.names.back) == json.loads(json.dumps(here))
    assert both.names.of(others, both.names.back) == json.loads(json.dumps(cases))


@pytest.mark.parametrize("pays_more", [False, True])
def test_the_same_is_found(both, pays_more):
    found = []
    for law, offer, names in zip(both.laws, both.offers, (None, both.names), strict=True):
        vendor = Translated(both.make(), names, pays_more=pays_more)
        judge, session = RoundJudge(law), session_with(vendor)
        scripts = [one for one in scripts_of(law, offer) if one.group != "free"]
        differences = [
            [one.manner, one.act, one.provisions, sorted(one.expected), sorted(one.observed)]
            for script, played in play_scripts(session, scripts)
            for one in judge.judge(script, played)
        ]
        found.append(both.names.of(differences, both.names.back))

    assert found[0] == found[1]
    assert bool(found[0]) == pays_more
