"""The commands as a person types them: whole output and exit code."""

import json
from itertools import pairwise

import jsonschema
import pytest

from selo import __version__
from selo.cli.schemas.published_schemas import build_schema
from selo.law.file_schemas import file_schema
from selo.law.spec_digest import compute_spec_digest


def test_check_says_what_was_proven_and_the_digest(selo, law):
    done = selo("law", "check")

    assert done.returncode == 0
    assert done.stdout == (
        "instruments  6\n"
        f"provisions   {len(law.provisions)}\n"
        f"divergences  {len(law.divergences)}\n"
        f"repairs      {len(law.sources.log.repairs)}\n"
        f"terms        {len(law.glossary.terms)}\n"
        "source lines 1691, each accounted for\n"
        "proven       structure, quotation, partition, concordance, register, events, force, "
        "rules, settlements, rounds\n"
        f"spec digest  sha256:{compute_spec_digest(law)}\n"
    )
    assert done.stderr == ""


def test_check_names_file_line_and_remedy_and_fails(selo, copy):
    line = copy.replace(
        "specs/portaria-21-96-m/articles/art-07.yaml", "「小」各注。", "「中」各注。"
    )

    done = selo(
        "law", "check", "--specs", str(copy.specs), "--bilingual", str(copy.bilingual), cwd="/"
    )

    assert done.returncode == 3
    assert done.stdout == ""
    path = str(copy.path("specs/portaria-21-96-m/articles/art-07.yaml")).lstrip("/")
    first, hint = next(
        (one, following)
        for one, following in pairwise(done.stderr.splitlines())
        if "art-07.yaml" in one
    )
    assert first == (
        f"{path}:{line}: portaria-21-96-m/7: the zh text is not what the source 001:310-311 says: "
        "«…同，通吃「大」「中」各注。…» stands for «…同，通吃「大」「小」各注。…»"
    )
    assert hint == "  hint: Restore the text, or log a scanning error in bilingual/repairs.yaml."
    assert done.stderr.splitlines()[-1].startswith("Problems found: ")


@pytest.mark.full
def test_check_as_json_is_for_programs(selo, law):
    done = selo("law", "check", "--json")

    assert json.loads(done.stdout) == {
        "clean": True,
        "spec_digest": compute_spec_digest(law),
        "proven": [
            "structure",
            "quotation",
            "partition",
            "concordance",
            "register",
            "events",
            "force",
            "rules",
            "settlements",
            "rounds",
        ],
        "problems": [],
    }


def test_a_missing_folder_is_one_clear_error(selo, tmp_path):
    done = selo("law", "check", "--specs", str(tmp_path / "nowhere"))

    assert done.returncode == 3
    assert "nowhere" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_ledger_is_complete_and_follows_its_schema(selo, law):
    book = json.loads(selo("law", "ledger", "--json").stdout)

    jsonschema.validate(book, file_schema("ledger"))
    assert [row["id"] for row in book["provisions"]] == list(law.provisions)
    assert book["spec_digest"] == compute_spec_digest(law)


def test_show_prints_both_texts_citations_status_and_open_points(selo):
    done = selo("law", "show", "portaria-21-96-m/3/c", "--as-of", "2000-01-01")

    assert done.returncode == 0
    for words in (
        "portaria-21-96-m/3/c",
        "Procedimentos · 程序",
        "c) Dados sobrepostos",
        "C. 翹骰：當庄荷將盅蓋揭開，發覺骰子相疊或斜靠不平",
        "alínea c) do artigo 3.º",
        "第三條C項",
        "No later act known to us on 2000-01-01.",
        "procedure",
        "21-96-m-3-c--leaning-dice",
    ):
        assert words in done.stdout


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("pt", "Em 2010-01-01 já estava revogado"),
        ("zh", "2010-01-01時已被"),
        ("en", "Already revoked on 2010-01-01"),
    ],
)
def test_show_says_plainly_that_a_text_is_no_longer_law(selo, language, words):
    done = selo("law", "show", "portaria-21-96-m/7", "--as-of", "2010-01-01", "--lang", language)

    assert words in done.stdout


def test_list_says_what_is_not_held(selo):
    done = selo("law", "list", "--as-of", "2026-01-01")

    assert "Not held: Articles 1 to 12 and 14 to 16" in done.stdout
    assert "Not held: Article 9 and all that follow" in done.stdout
    assert "combinations 1 to 97" in done.stdout


def test_list_as_json_has_the_status_of_every_article(selo):
    rows = json.loads(selo("law", "list", "--json", "--as-of", "2008-12-20").stdout)

    poker = next(row for row in rows if row["id"] == "despacho-78-2008")
    assert poker["status_by_article"]["9"]["standing"] == "amended"
    assert poker["status_by_article"]["8"]["stored_text_is_law"] is True


@pytest.mark.parametrize("name", ["21-96-m", "portaria-21-96-m", "fish-prawn-crab"])
def test_an_instrument_is_found_by_id_number_or_game(selo, name):
    done = selo("law", "list", name)

    assert done.returncode == 0
    assert "portaria-21-96-m/6/j/6" in done.stdout


def test_one_divergence_is_told_whole(selo):
    done = selo("law", "divergences", "21-96-m-3-c--leaning-dice", "--lang", "pt")

    assert done.returncode == 0
    for words in ("dois ou três dados forem encontrados sobrepostos", "骰子相疊或斜靠不平",
                  "stacked-only", "* stacked-or-leaning", "O lance soma 7"):  # fmt: skip
        assert words in done.stdout


def test_divergences_as_json_follow_the_schema_of_the_register(selo, law):
    rows = json.loads(selo("law", "divergences", "--json").stdout)

    jsonschema.validate(rows, build_schema("law-divergences"))
    # Besides what is computed of them, they are what stands in the register.
    register = [{name: one[name] for name in one if name != "importance"} for one in rows]
    jsonschema.validate({"divergences": register}, file_schema("divergences"))
    assert any(one["importance"] for one in rows)
    assert len(rows) == len(law.divergences)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["law", "show", "portaria-21-96-m/99"], "there is no provision 'portaria-21-96-m/99'"),
        (["law", "list", "roulette"], "there is no instrument 'roulette'"),
        (["law", "divergences", "nothing"], "there is no divergence 'nothing'"),
        (["law", "schema", "nothing"], "there is no schema 'nothing'"),
        (["law", "list", "--as-of", "2008-02-31"], "“2008-02-31” is not a day such as 2008-12-31"),
        (["nothing"], "unknown value “nothing”"),
    ],
)
def test_a_wrong_request_is_one_clear_message_and_exit_3(selo, arguments, says):
    done = selo(*arguments)

    assert done.returncode == 3
    assert says in done.stderr
    assert "hint:" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_version_is_the_packages(selo):
    assert selo("--version").stdout == f"selo {__version__}\n"


def test_output_into_a_pipe_has_no_escape_sequences(selo):
    for arguments in (["law", "list"], ["law", "ledger"], ["law", "show", "portaria-22-96-m/10"]):
        assert "\x1b" not in selo(*arguments).stdout


def test_a_reader_that_goes_away_is_no_error(root):
    import subprocess  # noqa: PLC0415 - only here is a shell needed
    import sys  # noqa: PLC0415
    from pathlib import Path  # noqa: PLC0415

    command = Path(sys.executable).with_name("selo")
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; '{command}' law ledger --json | head -1"],
        capture_output=True,
        text=True,
        cwd=root,
        check=False,
        timeout=180,
    )

    assert done.stdout == "{\n"
    assert "Traceback" not in done.stderr


def test_an_id_with_a_slip_is_answered_with_the_nearest(selo):
    done = selo("law", "show", "portaria-21-96-m/5/z")

    assert done.returncode == 3
    assert "there is no provision 'portaria-21-96-m/5/z'" in done.stderr
    assert "For example: portaria-21-96-m/5/" in done.stderr
