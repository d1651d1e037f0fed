"""Whatever is changed in a law file is refused with file and line, or the law runs."""

import pytest
from tests.rules.test_law_check_runs import GAMES, problems_of, run_everything
from tests.rules.typed_spoilings import typed_spoilings

from selo.cases import offer_everything
from selo.cases.generate import rule_proof
from selo.law.files.events_file import EventOrigin
from selo.protocol.messages import Offer
from selo.rounds.generate import find_table_model, generate_scripts
from selo.rules.procedure.step_reader import find_events_file, read_constraints
from selo.rules.readings import Readings

#: Spoilings of each instrument, behind full and always.
MANY, FEW = 60, 2


def hold_typed_spoilings(copy, folder, game, count, seed):
    """Return how many spoilings of a folder were refused, and how many ran."""
    refused = ran = 0
    for path, text, what in typed_spoilings(folder, count, seed):
        given = path.read_text(encoding="utf-8")
        path.write_text(text, encoding="utf-8")
        try:
            law, problems = problems_of(copy)
            if problems:
                refused += 1
                assert all(one.line > 0 and one.path.exists() for one in problems), problems
            else:
                ran += 1
                run_everything(law, game, copy.specs)
                read_constraints(law, game, Readings(law, {}))
                if (file := find_events_file(law, game)) and find_table_model(law, game):
                    (known,) = offer_everything(law, [game]).games
                    offer = Offer(
                        game=game, methods=["table"], bets=list(known.bets), forces=True,
                        happens=[one.id for one in file.events if one.by is EventOrigin.TABLE],
                    )  # fmt: skip
                    generate_scripts(law, game, offer, seed=1, count=5)
        except AssertionError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, it must name the spoiling
            pytest.fail(f"{path.name}: {what}: {type(error).__name__}: {error}")
        finally:
            path.write_text(given, encoding="utf-8")
    return refused, ran


def test_a_few_typed_spoilings_are_refused_or_run(copy, monkeypatch):
    # The other games are proven by the law that ships.
    monkeypatch.setattr(rule_proof, "list_games", lambda _: ["pai-kao"])
    refused, ran = hold_typed_spoilings(
        copy, copy.specs / "portaria-96-85-m", "pai-kao", FEW, "few"
    )

    assert refused + ran == FEW


@pytest.mark.full
@pytest.mark.parametrize("folder", [*(f"specs/{name}" for name in GAMES), "bilingual"])
def test_many_typed_spoilings_are_refused_or_run(copy, monkeypatch, folder):
    game = GAMES.get(folder.removeprefix("specs/"), "pai-kao")
    monkeypatch.setattr(rule_proof, "list_games", lambda _: [game])

    refused, ran = hold_typed_spoilings(copy, copy.path(folder), game, MANY, "many")

    assert refused + ran == MANY
    assert refused > MANY // 4
