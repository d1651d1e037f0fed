"""Every command works from a wheel in an environment of its own, away from any checkout."""

import shlex
import subprocess

import pytest

from selo.cli.parser.command_line import build_parser
from selo.cli.parser.command_tree import command_words, leaf_parsers

#: The lawful vendor that travels with the wheel, and the folder that it needs.
LAWFUL = "--vendor 'python3 {data}/fixtures/adapters/python/reference.py' --folder {data}/fixtures"
FAULTY = LAWFUL.replace(
    "adapters/python/reference.py", "planted/vendor.py pai-kao rank-103-counts-as-101"
)
RULED = "--game pai-kao --rulings defaults"
#: One message, with its braces doubled because a command is a pattern.
COMPARED = '{{"game": "pai-kao", "a": ["3/3", "1/4"], "b": ["5/6", "4/5"]}}'
KEY = "--p12 keys/{role}.p12 --passphrase-file passphrase"
#: Commands in the order in which somebody types them, each with its exit code.
COMMANDS = [
    ("law check", 0),
    ("law list", 0),
    ("law show portaria-96-85-m/annex/98", 0),
    ("law ledger", 0),
    ("law divergences", 0),
    ("law site site", 0),
    ("law schema article", 0),
    ("law diff 2008-12-01 2009-01-01 --game fortune-three-card-poker", 0),
    ("law intake nowhere.txt --out taken", 3),
    ("readings pai-kao", 0),
    ("steps fish-prawn-crab", 0),
    ("odds fish-prawn-crab", 0),
    ("explain fish-prawn-crab --throw fish,fish,fish --bet small", 0),
    ("protocol", 0),
    ("schema report", 0),
    ("completion bash", 0),
    ("config", 0),
    ("doctor", 0),
    ("adapter new --lang c --game pai-kao", 0),
    ("plan --game pai-kao", 0),
    ("coverage pai-kao", 0),
    ("selftest --game pai-kao", 0),
    (f"smoke {LAWFUL} --game pai-kao", 0),
    ("vectors write --game pai-kao --out vectors", 0),
    ("vectors grade vectors nothing", 3),
    (f"ask {LAWFUL} '{COMPARED}'", 0),
    (f"record {LAWFUL} vectors/requests.jsonl --out exchange.jsonl", 0),
    (f"seal new {LAWFUL} --game pai-kao --out seal.json", 0),
    ("seal check seal.json", 0),
    (f"examine {LAWFUL} {RULED} --text-as-stored --seal seal.json --out run", 0),
    ("resume run", 0),
    ("evidence check run", 0),
    ("evidence proof run 1 --out proof.json", 0),
    ("evidence verify-proof proof.json --root 00", 3),
    ("evidence disclose run --provision portaria-96-85-m/annex/98 --out article.disclosure", 0),
    ("diff run run", 0),
    ("cluster join tls://127.0.0.1:1 no-keys", 3),
    ("cluster start keys-of-a-cluster --host nowhere.invalid", 3),
    ("evidence redact run --case 1 --out public.disclosure", 0),
    ("witness new --game bacara --out witness.yaml", 0),
    ("witness check witness.yaml", 3),
    (f"examine {FAULTY} {RULED} --out faulty", 1),
    (f"replay {LAWFUL} faulty/findings/F-001.json", 0),
    (f"gate {LAWFUL} {RULED} --out gate", 0),
    ("keys demo --out keys --passphrase-file passphrase", 0),
    (f"law sign {KEY.format(role='bureau')} --out edition.json", 0),
    ("permission new --game pai-kao --out permission.yaml", 0),
    (f"permission sign {KEY.format(role='bureau')} permission.yaml", 3),
    ("permission check permission.yaml --trust keys/root.pem", 6),
    ("permission law permission.yaml --trust keys/root.pem --out law-with-bets", 6),
    ("report run --out report", 0),
    (f"sign {KEY.format(role='laboratory')} report/report.pdf --as laboratory --out signed.pdf", 3),
    ("verify report/report.pdf --policy keys/signers.yaml", 2),
    ("dossier new run --out dossier.yaml", 0),
    ("certify certificate", 3),
    ("watch --vendor nowhere/program", 3),
    ("export report/report.pdf --format csv --out exchange", 0),
    ("submit pack submission", 3),
    ("submit check submission", 3),
    ("submit message run --about F-001 --text text", 3),
    ("submit thread run", 3),
    ("registry prove registry --out proof-of-log.json", 3),
    ("registry verify-proof proof-of-log.json --policy nowhere.yaml", 3),
    (f"reproduce {LAWFUL} report/report.pdf", 0),
    ("registry init registry --policy nowhere.yaml " + KEY.format(role="bureau"), 3),
    (
        "registry issue registry report/report.pdf --signers keys/signers.yaml "
        + KEY.format(role="bureau"),
        3,
    ),
    ("registry commit registry 00 " + KEY.format(role="bureau"), 3),
    (
        "registry suspend registry SELO-1 --reason-pt p --reason-zh z " + KEY.format(role="bureau"),
        3,
    ),
    (
        "registry reinstate registry SELO-1 --reason-pt p --reason-zh z "
        + KEY.format(role="bureau"),
        3,
    ),
    ("registry revoke registry SELO-1 --reason-pt p --reason-zh z " + KEY.format(role="bureau"), 3),
    (
        "registry withdraw registry SELO-1 --reason-pt p --reason-zh z "
        + KEY.format(role="bureau"),
        3,
    ),
    (
        "registry supersede registry SELO-1 --by SELO-2 --reason-pt p --reason-zh z "
        + KEY.format(role="bureau"),
        3,
    ),
    ("registry confirm registry run/run.json " + KEY.format(role="bureau"), 3),
    ("registry amend registry keys/signers.yaml " + KEY.format(role="bureau"), 3),
    ("registry head registry  " + KEY.format(role="bureau"), 3),
    ("registry import registry copy", 3),
    ("registry status registry --out status.json " + KEY.format(role="bureau"), 3),
    ("registry publish registry site", 3),
    ("registry list registry ", 3),
    ("registry show registry SELO-1", 3),
    ("registry log registry ", 3),
    ("registry check registry ", 3),
    ("identify run --registry registry", 3),
]


@pytest.fixture(scope="module")
def typed(wheel_home, tmp_path_factory):
    """Run what somebody types, from the wheel."""
    place = next(wheel_home.glob("lib/python*/site-packages"))
    work = tmp_path_factory.mktemp("elsewhere")
    (work / "passphrase").write_text("demonstration\n", encoding="utf-8")

    def run(words):
        typed = shlex.split(words.format(data=place / "selo" / "_data"))
        return subprocess.run(
            [wheel_home / "bin" / "selo", *typed],
            cwd=work, capture_output=True, text=True, check=False, timeout=300,
            env={"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"},
        )  # fmt: skip

    return run


@pytest.mark.parametrize("language", ["python", "javascript", "java", "c", "rust"])
def test_a_template_is_written_from_the_wheel(typed, language):
    done = typed(f"adapter new --lang {language} --game craps")

    assert done.returncode == 0, done.stderr


def test_pytest_beside_the_wheel_has_its_plugin(wheel_home, tmp_path):
    done = subprocess.run(
        [wheel_home / "bin" / "pytest", "--help"],
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    assert "--selo-vendor" in done.stdout


@pytest.mark.full
def test_every_command_works_from_the_wheel(typed):
    done = {words: typed(words) for words, _ in COMMANDS}

    assert {words: result.returncode for words, result in done.items()} == dict(COMMANDS)
    assert [result.stderr for result in done.values() if "Traceback" in result.stderr] == []


def test_no_command_is_left_out():
    names = {command_words(parser) for parser in leaf_parsers(build_parser())}

    assert {name for name in names if not any(w.startswith(name) for w, _ in COMMANDS)} == set()
