"""``selo dossier new``: what a run knows is filled in, and refusals name every key at once."""

import datetime as dt
import json
from fractions import Fraction

import jsonschema
import pytest

from selo.cli.schemas.published_schemas import build_schema
from selo.examine.plan.plan_terms import PlannedGame
from selo.law.status import macau_today
from selo.report.content.house_edge import ExactOdds, compute_house_edges
from selo.report.model.dossier import read_dossier
from selo.report.phrases import Labels


@pytest.fixture(scope="module")
def written(selo, small, tmp_path_factory):
    path = tmp_path_factory.mktemp("dossier") / "dossier.yaml"
    return selo("dossier", "new", small, "--out", path), path


def test_product_client_and_days_come_from_the_run(written):
    done, path = written

    dossier = read_dossier(path)

    assert done.returncode == 0, done.stderr
    assert [(part.name, part.version) for part in dossier.item.parts] == [
        ("Reference games", "1.0")
    ]
    assert dossier.client.name == "Reference vendor"
    assert dossier.time_zone == "UTC+08:00"
    assert dossier.issued == macau_today()
    assert dossier.kind == "test-report"


def test_what_only_people_know_stays_empty(written):
    dossier = read_dossier(written[1])

    assert (dossier.number, dossier.place, dossier.item.on) == ("", "", None)
    assert dossier.valid_until is None


def test_files_with_digests_and_the_days_of_the_run_stand_there_as_comments(written):
    text = written[1].read_text(encoding="utf-8")
    today = dt.datetime.now(dt.timezone(dt.timedelta(hours=8))).date().isoformat()

    assert "#   fixtures/vendors/pai_kao.py  sha256:" in text
    assert f"from {today} to {today} (Macau)" in text


def test_what_it_prints_as_json_has_the_published_shape(selo, small, tmp_path):
    done = selo("dossier", "new", small, "--out", tmp_path / "d.yaml", "--json")

    jsonschema.validate(json.loads(done.stdout), build_schema("dossier-new"))


def test_a_dossier_is_never_overwritten(selo, small, written):
    before = written[1].read_bytes()
    written[1].write_bytes(before + b"# mine\n")

    again = selo("dossier", "new", small, "--out", written[1])

    assert again.returncode == 3
    assert written[1].read_bytes() == before + b"# mine\n"


@pytest.mark.parametrize("game", ["fish-prawn-crab", "craps"])
def test_each_key_tells_its_own_edge_and_no_other(law, game):
    odds = ExactOdds(law, {point.id: point.default for point in law.divergences if point.default})
    planned = PlannedGame(game=game, bets=[], options={}, methods=[])
    keys = list(odds.list_declared_keys(planned))
    assert len({key for key, _ in keys}) == len(keys) > 5

    for key, edge in keys:
        declared = {game: {key: str(edge)}}
        told = [
            found
            for found in compute_house_edges(odds, Labels(law), [planned], declared)
            if found.declared is not None
        ]
        assert [(Fraction(found.exact), found.agrees) for found in told] == [(edge, True)], key


def test_a_refusal_names_the_key_of_every_missing_field_at_once(selo, small, written, tmp_path):
    done = selo(
        "report", small, "--dossier", written[1], "--kind", "certificate", "--out", tmp_path / "d"
    )

    assert done.returncode == 2
    for key in ("number", "issuer.name", "client.licence", "item.on", "valid_until", "signatories"):
        assert f"({key})" in done.stderr


def test_every_wrong_line_of_a_dossier_is_told_at_once(selo, small, written, tmp_path):
    text = written[1].read_text(encoding="utf-8")
    spoiled = tmp_path / "dossier.yaml"
    spoiled.write_text(
        text.replace("revision: 1", "revision: first").replace("recipients: []", "adressees: []")
    )

    done = selo("report", small, "--dossier", spoiled, "--out", tmp_path / "d")

    assert done.returncode == 3
    assert "revision: " in done.stderr
    assert "`adressees`" in done.stderr


def test_every_declared_edge_that_is_no_number_is_told_by_key(selo, small, tmp_path):
    path = tmp_path / "dossier.yaml"
    path.write_text("declared_edges: {craps: {field: much, come: 1%}, bacara: {tie: more}}\n")

    done = selo("report", small, "--dossier", path, "--out", tmp_path / "d")

    assert done.returncode == 3
    assert "declared_edges.craps.field: much, declared_edges.bacara.tie: more" in done.stderr
