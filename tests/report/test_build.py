"""A report is built from the evidence of a run, and from nothing else that could change."""

import datetime as dt
import hashlib
import json

import msgspec
import pytest

from selo.cases.generate.case_stream import list_groups
from selo.cases.scope import offer_everything
from selo.evidence.evidence_reader import EvidenceReader
from selo.examine.coverage.plan_coverage import ENOUGH
from selo.examine.selftest.kill_score import game_edition
from selo.examine.selftest.provision_score import ProvisionSums
from selo.examine.selftest.provision_selftest import provision_edition
from selo.law.files.provision_file import Way
from selo.law.loader import load_law
from selo.report.content.instruments_in_scope import instrument_digest
from selo.report.content.provision_results import (
    count_planted_faults,
    count_totals,
    describe_selftest,
)
from selo.report.content.report_builder import build_document, build_report
from selo.report.model.dossier import Dossier
from selo.text.message_catalogue import group_reason
from selo.verdict.provision_verdict import VerdictReason


def test_verdicts_are_those_of_the_evidence(small, report):
    recorded = msgspec.json.decode((small / "result.json").read_bytes())

    told = {one.id: str(one.result) for one in report.provisions}

    assert told == {one["provision"]: one["result"] for one in recorded["summary"]["provisions"]}


def test_why_a_group_is_tried_is_said_in_every_language(law):
    every = [
        (game, group.name)
        for game, group in list_groups(
            law, offer_everything(law), budget="full", seed=0, rulings={}
        )
    ]
    reasons = [group_reason(*key) for key in every]

    assert len(every) > 50
    # Without a message, a group has only its name.
    assert [key for key, reason in zip(every, reasons, strict=True) if reason.en == key[1]] == []
    assert all(len({reason.pt, reason.zh, reason.en}) == 3 for reason in reasons)


def test_a_ruling_that_decided_a_case_is_told_apart_from_one_that_did_not(certifiable):
    decides = {one.divergence: one.decides for one in certifiable[0].method.adopted}

    # Which of two numbers ranks higher decides every comparison; a name in letters decides none.
    assert decides["96-85-m-annex--order-direction"]
    assert not decides["96-85-m--romanised-names"]


def test_only_rulings_on_the_games_in_scope_are_told(certifiable):
    report, _ = certifiable

    assert report.method.adopted
    assert all(one.divergence.startswith("96-85-m-") for one in report.method.adopted)


def test_the_seed_is_the_one_that_was_committed_to(certifiable, sealed):
    run = msgspec.json.decode((sealed / "run.json").read_bytes())

    seed = certifiable[0].method.seed

    assert (seed.revealed, len(seed.commitment)) == (run["sealed"]["seed"], 64)


def test_every_attachment_is_known_by_the_digest_of_its_bytes(report, small, law):
    enclosed = {one.name: one.read() for one in build_document(small, law).enclosures}

    assert {one.name: one.sha256 for one in report.attachments} == {
        name: hashlib.sha256(content).hexdigest() for name, content in enclosed.items()
    }


def test_files_are_told_with_size_and_both_digests(report, root):
    for one in report.item.files:
        content = (root / one.path).read_bytes()
        assert (one.size, one.sha256, one.sha1) == (
            len(content),
            hashlib.sha256(content).hexdigest(),
            hashlib.sha1(content, usedforsecurity=False).hexdigest(),
        )


def test_the_sorts_of_provisions_add_up(report, certifiable):
    for told in (report.totals, certifiable[0].totals):
        seen = told.examined + told.witnessed - told.both

        assert seen + told.not_examinable + told.unseen == told.provisions


def test_what_was_examined_and_witnessed_is_counted_once_more(law, report):
    first, second, *others = report.provisions
    both = msgspec.structs.replace(first, cases=5, reason=VerdictReason.EXAMINED_AND_WITNESSED)
    waiting = msgspec.structs.replace(second, cases=0, reason=VerdictReason.NOT_WITNESSED)

    told = count_totals(law, [both, waiting, *others], {"cases": 0, "rounds": 0})

    assert (told.both, told.unseen) == (1, 1)


def test_counting_that_stopped_is_told_as_at_least(report):
    for one in report.provisions:
        for part in one.parts:
            assert part.at_least == (part.way is Way.EXAMINATION and part.decisive >= ENOUGH)
    assert any(part.at_least for one in report.provisions for part in one.parts)


def test_limits_say_where_revocation_is_shown_and_how_long_evidence_is_kept(certifiable, report):
    told, dossier = certifiable

    for language in ("pt", "zh", "en"):
        said = " ".join(one.get(language) for one in told.limits)
        assert dossier.register.get(language) in said
        assert dossier.retention.get(language) in said
    assert not any("{" in one.pt for one in report.limits)


def test_the_statement_says_how_far_the_examination_went(report):
    assert report.method.budget == "quick"
    assert "exame breve" in report.statement.extent.pt
    assert "簡測，為三級檢測中最小者" in report.statement.extent.zh


def test_how_the_law_stands_on_the_day_is_stated_in_every_language(report):
    (norm,) = report.norms

    assert norm.standing == "amended"
    assert all("58/91/M" in norm.status.get(language) for language in ("pt", "zh", "en"))


def test_the_digest_of_an_instrument_changes_with_one_word(law, copy):
    instrument = next(one for one in law.folders if one.instrument.game == "pai-kao")
    copy.replace("specs/portaria-96-85-m/articles/annex.yaml", "Cheóng P’ai Iat", "Cheong P’ai Iat")
    changed = load_law(specs=copy.specs, bilingual=copy.bilingual)
    other = next(one for one in changed.folders if one.instrument.game == "pai-kao")

    assert instrument_digest(instrument) != instrument_digest(other)


FIRST, SECOND = "portaria-96-85-m/annex/98", "portaria-96-85-m/annex/99"


@pytest.fixture
def scored(law, tmp_path):
    """Return the file of a self-test of P'ai Kao, made for some edition."""

    def of(made_for=None):
        scores = [(FIRST, "killed"), (FIRST, "killed"), (SECOND, "survived")]
        whole = {
            "editions": {"pai-kao": made_for or game_edition(law, "pai-kao")},
            "counts": {},
            "accused": [],
            "scores": [
                {"game": "pai-kao", "fault": f"fault-{at}", "provision": provision,
                 "state": state, "seen": 1, "blamed": []}
                for at, (provision, state) in enumerate(scores)
            ],
        }  # fmt: skip
        path = tmp_path / "selftest.json"
        path.write_text(json.dumps(whole))
        return path

    return of


def test_planted_faults_are_counted_for_each_provision(small, law, scored):
    told = {
        one.id: (one.planted, one.killed)
        for one in build_report(small, law, selftest=scored()).provisions
    }

    assert (told[FIRST], told[SECOND]) == ((2, 2), (1, 0))
    assert told["portaria-96-85-m/annex/100"] == (None, None)


def test_a_score_of_another_edition_of_the_law_is_not_told(law, scored):
    assert count_planted_faults(law, scored()) != {}
    assert count_planted_faults(law, scored("0" * 64)) == {}


@pytest.fixture
def summed(law, tmp_path):
    """Return the file of a self-test by provision of P'ai Kao, made for some edition."""

    def of(made_for=None):
        counts = dict.fromkeys(ProvisionSums.__struct_fields__, 0)
        row = counts | {
            "game": "pai-kao", "kind": "pairs", "vendors": 7, "found": 13, "cleared": 1,
            "edition": made_for or provision_edition(law, "pai-kao"),
        }  # fmt: skip
        path = tmp_path / "summed.json"
        path.write_text(
            json.dumps({"editions": {}, "counts": {}, "accused": [], "scores": [], "sums": [row]})
        )
        return path

    return of


def test_the_score_by_provision_is_told_for_the_games_in_scope(small, law, summed):
    (row,) = build_report(small, law, selftest=summed()).selftest

    assert (row.game, row.kind, row.vendors, row.found, row.cleared) == (
        "pai-kao",
        "pairs",
        7,
        13,
        1,
    )
    assert describe_selftest(law, summed(), ["craps"]) == []


def test_a_score_by_provision_of_another_edition_is_not_told(law, summed):
    assert describe_selftest(law, summed("0" * 64), ["pai-kao"]) == []


def test_days_are_told_in_the_time_zone_of_the_dossier(small, law):
    run = msgspec.json.decode((small / "run.json").read_bytes())
    started = dt.datetime.fromisoformat(run["started"])

    days = {
        zone: build_report(small, law, Dossier(time_zone=zone)).dates.first_day
        for zone in ("UTC-12:00", "UTC+14:00")
    }

    assert days["UTC-12:00"] == (started - dt.timedelta(hours=12)).date()
    assert days["UTC+14:00"] == (started + dt.timedelta(hours=14)).date()


def test_deviations_are_told_as_they_are_given(small, law):
    report = build_report(small, law, deviations=["a known deviation"])

    assert (report.deviations, report.permissions) == (["a known deviation"], [])


@pytest.mark.parametrize(
    ("rank", "tiles"),
    [
        # (terno/terno + ás/quadra) and (quina/sena + quadra/sena), as the annex prints them.
        ("98", {"3/3", "1/4"}),
        ("100", {"5/6", "4/6"}),
    ],
)
def test_a_provision_names_a_line_of_evidence_that_decides_it(report, small, rank, tiles):
    provision = next(one for one in report.provisions if one.article == "annex" and
                     one.id.endswith(f"/{rank}"))  # fmt: skip
    # The first line is the header, so that the case with the number n is the line after the nth.
    line = json.loads(list(EvidenceReader(small))[provision.evidence + 1])

    assert line["n"] == provision.evidence
    assert tiles in (set(line["params"]["a"]), set(line["params"]["b"]))


def test_the_program_is_known_by_a_digest_over_all_its_modules(report, root):
    folder = root / "harness" / "selo"
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.py"))
    lines = [
        f"{name}\0{hashlib.sha256((folder / name).read_bytes()).hexdigest()}\n" for name in names
    ]

    assert report.method.tool["selo-sha256"] == hashlib.sha256("".join(lines).encode()).hexdigest()
