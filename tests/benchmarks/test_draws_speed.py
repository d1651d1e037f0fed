"""What it costs to read, keep and test outcomes, beside what JSON alone costs."""

import gc
import json
import random
import statistics
import sys
import time

import msgspec
import numpy as np
import pytest

from selo.draws.draw_verdict import DrawSource, judge_draws
from selo.draws.random_equipment import equipment_of_game
from selo.evidence.canonical_json import encode_canonical
from selo.rules.readings.reading_choice import Readings
from selo.vendors.reply_reader import ReplyReader

pytestmark = pytest.mark.bench
OUTCOMES = 20_000
ROUNDS = 5


def timed(work, *given):
    begun = time.process_time()
    done = work(*given)
    return time.process_time() - begun, done


@pytest.fixture(autouse=True)
def little_garbage():
    """Look for garbage as an examination does: not among what was there before."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


def _there_and_back(line):
    return msgspec.json.encode(msgspec.json.decode(line))


def _rows(model, drawn):
    return np.array([model.row(one) for one in drawn], dtype=np.int16)


def _tested(model, source, made):
    return judge_draws([(source, len(made), list(model.measures(made)))], 1)


@pytest.mark.parametrize("game", ["fish-prawn-crab", "fortune-three-card-poker"])
def test_outcomes_are_read_kept_and_tested_within_a_few_times_of_json(law, root, game):
    sys.path.insert(0, str(root / "fixtures" / "adapters" / "python"))
    from reference import ReferenceVendor  # noqa: PLC0415 - found in the folder just added

    vendor = ReferenceVendor([game], random.Random(1))  # noqa: S311 - the same each time
    params = {"game": game, "options": {}, "count": 10_000}
    outcomes = [one for _ in range(2) for one in vendor.draw(params)["outcomes"]]
    answer = {"jsonrpc": "2.0", "id": "a", "result": {"outcomes": outcomes}}
    line = json.dumps(answer, separators=(",", ":")).encode()
    model = equipment_of_game(law, game, Readings(law), {})
    source = DrawSource(game=game, options={}, provisions=[])
    list(model.measures(np.array([model.row(one) for one in outcomes[:100]])))
    table = {"JSON, there and back": [], "read": [], "kept": [], "rows": [], "tested": []}
    for _ in range(ROUNDS):
        floor, _ = timed(_there_and_back, line)
        read, (found,) = timed(ReplyReader("draw").decode_batch, line)
        drawn = found.result.outcomes
        kept, _ = timed(encode_canonical, {"answer": {"outcomes": drawn}})
        rows, made = timed(_rows, model, drawn)
        tests, _ = timed(_tested, model, source, made)
        for name, spent in zip(table, (floor, read, kept, rows, tests), strict=True):
            table[name].append(spent)
    medians = {name: statistics.median(spent) for name, spent in table.items()}
    floor = medians.pop("JSON, there and back")
    total = sum(medians.values())
    print(f"\n{game}: JSON alone {1e6 * floor / OUTCOMES:.2f} µs an outcome")
    for name, spent in medians.items():
        print(f"  {name:8} {1e6 * spent / OUTCOMES:6.2f} µs  {spent / floor:5.2f} × JSON")
    print(f"  together {1e6 * total / OUTCOMES:6.2f} µs  {total / floor:5.2f} × JSON")

    assert total < 6 * floor
