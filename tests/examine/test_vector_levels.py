"""Answers in a file are graded as the same answers are judged live: by level, skips and limits."""

import json

import msgspec
import pytest
from tests.examine.partial_examination import load_partial, session_with
from tests.games import GAMES

from selo.cases.generate.case_stream import stream_cases
from selo.cases.oracle.case_oracle import Oracle
from selo.examine.offline.vector_files import (
    REQUESTS_FILE,
    grade_answers,
    vector_scope,
    write_vectors,
)
from selo.examine.tally.tally import Tally
from selo.examine.vendor_description import DeclaredLimits, introduce_vendor
from selo.protocol import messages as m

#: A partial vendor, and whether its answers are right.
KINDS = {"tells-results": True, "tells-nets": True, "tells-wrong-nets": False}
DICE = "fish-prawn-crab"


def reply_to(vendor, request):
    method = request["method"].replace(".", "_")
    envelope = {"jsonrpc": "2.0", "id": request["id"]}
    try:
        result = {} if method == "end" else getattr(vendor, method)(request["params"])
    except Exception as error:  # noqa: BLE001 - an adapter refuses by raising
        code = getattr(error, "code", m.INTERNAL)
        return {**envelope, "error": {"code": code, "message": str(error)}}
    return {**envelope, "result": result}


def graded(law, vendor, folder):
    description = msgspec.convert(vendor.describe({}), m.Description)
    game = description.games[0].game
    write_vectors(
        folder / "v", law, vector_scope(description, law, [game]), tables=[], budget="quick",
        seed=1, rulings={},
    )  # fmt: skip
    lines = (folder / "v" / REQUESTS_FILE).read_text(encoding="utf-8").splitlines()
    answers = "".join(json.dumps(reply_to(vendor, json.loads(line))) + "\n" for line in lines)
    (folder / "answers").write_text(answers, encoding="utf-8")
    return grade_answers(folder / "v", folder / "answers", law).tally


def judged_live(law, vendor):
    session = session_with(vendor)
    known = introduce_vendor(session, law)
    levels = {offer.game: offer.level for offer in known.offers()}
    tally, limits = Tally(Oracle(law, {}, levels)), DeclaredLimits(law, known.offers())
    for case in stream_cases(law, known.scope, budget="quick", seed=1):
        if case.method in known.offers()[0].methods:
            form = limits.form_of(case.game, case.method)
            ((_, reply),) = session.ask_all(case.method, [case.params()], reads=form)
            tally.take(case, limits.check(case, reply))
    return tally


@pytest.mark.parametrize("kind", KINDS)
def test_a_vendor_that_tells_less_is_graded_by_what_it_tells(law, tmp_path, kind):
    tally = graded(law, load_partial(DICE, kind), tmp_path)

    assert tally.faults == []
    assert tally.violates is not KINDS[kind]


@pytest.mark.full
@pytest.mark.parametrize("game", [game for game in GAMES if game != "pai-kao"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_file_of_answers_is_graded_as_the_same_answers_are_judged_live(law, tmp_path, game, kind):
    by_file = graded(law, load_partial(game, kind), tmp_path)
    live = judged_live(law, load_partial(game, kind))

    assert by_file.violates == live.violates
    assert len(by_file.differences) == len(live.differences)
    assert by_file.faults == live.faults
