"""What a case costs us, made and expected, beside what it costs a vendor to answer it."""

import itertools
import json
import time

import pytest
from tests.fixture_modules import load_vendor
from tests.games import GAMES

from selo.cases.generate.case_stream import stream_cases
from selo.cases.oracle.case_oracle import Oracle
from selo.cases.scope import offer_everything

pytestmark = pytest.mark.bench

CASES = 20_000
#: How many answers of the vendor one case of ours may cost; a comparison costs a vendor a look.
MOST = {"pai-kao": 12}


def asked(case):
    return json.dumps({"jsonrpc": "2.0", "id": "1", "method": case.method, "params": case.params()})


def answered(module, line):
    """Do what an adapter does with a line: decode, settle, encode."""
    params = json.loads(line)["params"]
    if "bets" in params:
        result = module.settle(params["options"], params["outcome"], params["bets"])
    else:
        result = module.compare(params["a"], params["b"])
    return json.dumps({"jsonrpc": "2.0", "id": "1", "result": result})


def spent(work):
    """Return the processor's seconds, which do not count who else is at work."""
    started = time.process_time()
    work()
    return time.process_time() - started


@pytest.mark.parametrize("game", GAMES)
def test_making_and_expecting_a_case_costs_no_more_than_a_few_answers(law, game):
    scope, oracle, module = offer_everything(law, [game]), Oracle(law), load_vendor(game)

    def cases():
        return itertools.islice(stream_cases(law, scope, at_random=CASES), CASES)

    def expecting():
        for case in cases():
            oracle.expected_settlements(case) if case.method == "settle" else oracle.compare(case)

    lines = [asked(case) for case in cases()]
    making = spent(lambda: sum(1 for _ in cases()))
    ours = spent(expecting)
    answering = spent(lambda: [answered(module, line) for line in lines])

    count = len(lines)
    ratio = ours / answering
    print(
        f"\n{game:<26}{count:>7} cases  make {making / count * 1e6:>6.1f} us"
        f"  and expect {ours / count * 1e6:>6.1f} us"
        f"  vendor {answering / count * 1e6:>6.1f} us{ratio:>7.2f} × vendor"
    )
    assert ratio < MOST.get(game, 5)


def test_a_quick_stream_of_all_games_takes_about_two_seconds(law):
    scope, modules = offer_everything(law), {game: load_vendor(game) for game in GAMES}

    def examined():
        oracle = Oracle(law)
        for case in stream_cases(law, scope):
            module = modules[case.game]
            if case.method == "settle":
                oracle.expected_settlements(case)
                module.settle(case.options, case.outcome, case.bets)
            else:
                oracle.compare(case)
                module.compare(case.a, case.b)

    seconds = min(spent(examined) for _ in range(3))

    print(f"\nquick stream of all games  {seconds:.2f} s")
    assert seconds < 3
