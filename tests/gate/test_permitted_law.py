"""A permission with the rules of a new bet: they are added to the law and examined like it."""

import dataclasses
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import jsonschema
import msgspec
import pytest
import yaml
from tests.gate.conftest import Office

from selo.cli.parser.command_line import parse_arguments, run_command
from selo.delta.provision_law import find_amended_provisions
from selo.edition import digest_edition, read_edition_files
from selo.errors import SeloError, UsageError
from selo.gate.permission import read_permission
from selo.gate.permitted_law import (
    PermittedLaw,
    add_permitted_law,
    find_added_law,
    find_base_edition,
    render_permitted_law,
)
from selo.law.loader import load_law
from selo.signing.signer_policy import read_policy
from selo.storage import read_json
from selo.verification.edition_signature import find_permitted_base
from selo.yaml_file import parse_yaml

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "docs" / "examples" / "permission"
NEW = "exemplo-21-33-p"
ARTICLE = f"specs/{NEW}/articles/art-01.yaml"
ACT = f"specs/{NEW}/instrument.yaml"
BET, PRIZE = f"{NEW}/1/1", f"{NEW}/1/2"
HERE = Path("permission.yaml")


def add_example(folder):
    for name in ("specs", "bilingual"):
        shutil.copytree(ROOT / name, folder / name)
    shutil.copytree(EXAMPLE / "specs" / NEW, folder / "specs" / NEW)
    for source in (EXAMPLE / "bilingual" / "sources").iterdir():
        shutil.copy(source, folder / "bilingual" / "sources")
    with (folder / "bilingual" / "sources.yaml").open("a", encoding="utf-8") as sources:
        sources.write((EXAMPLE / "bilingual" / "sources.add.yaml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def folder(once):
    """The law that ships, with the act of the example."""
    return once("law-with-permission", add_example)


@pytest.fixture(scope="module")
def whole(folder):
    return load_law(specs=folder / "specs", bilingual=folder / "bilingual")


@pytest.fixture(scope="module")
def files(law):
    return read_edition_files(law)


@pytest.fixture(scope="module")
def added(files, whole):
    return find_added_law(files, read_edition_files(whole), HERE)


@pytest.fixture(scope="module")
def plain(added):
    return {
        "permission": "DEMO-2",
        "issuer": "Authority",
        "issued": "2026-01-01",
        "expires": "2099-12-31",
        "product": {"vendor": "Reference vendor", "name": "Games with a new bet"},
        "games": {"bacara": []},
        "law": msgspec.to_builtins(added),
    }


def read(plain, law):
    content = yaml.safe_dump(plain, allow_unicode=True, sort_keys=False).encode()
    return read_permission(content, HERE, law)


def test_what_a_permission_brings_is_added_and_found_again(files, added, whole):
    grown = add_permitted_law(files, added, HERE)

    assert grown == read_edition_files(whole)
    assert find_base_edition(grown, added) == digest_edition(files) == added.edition
    assert find_base_edition(files, added) is None


def test_whoever_signs_reads_the_rules_and_not_their_encoding(added):
    text = render_permitted_law(added)

    assert parse_yaml(text, HERE).convert(_Holder).law == added
    assert "empate a nove" in text
    assert "九點和局" in text
    assert "\\u" not in text


class _Holder(msgspec.Struct):
    law: PermittedLaw


def test_a_permission_is_read_with_the_law_that_it_adds_to_or_with_the_whole(plain, law, whole):
    assert read(plain, law) == read(plain, whole)


def with_file(plain, name, change):
    law = plain["law"]
    return {
        **plain,
        "law": {**law, "files": {**law["files"], name: change(law["files"].get(name))}},
    }


def put(name, content="x: 1\n"):
    return lambda plain: with_file(plain, name, lambda _: content)


def instead(name, old, new):
    def changed(text):
        assert old in text
        return text.replace(old, new)

    return lambda plain: with_file(plain, name, changed)


#: What a permission may not bring: what is changed, and the error.
REFUSED = {
    "another edition": (
        lambda plain: {**plain, "law": {**plain["law"], "edition": "0" * 64}},
        "extends edition",
    ),
    "a file of the law that exists": (put("specs/despacho-2-2009/articles/art-13.yaml"), "a file"),
    "one more article of the law that exists": (
        put("specs/despacho-2-2009/articles/art-99.yaml"), "a file",
    ),
    "the words of people": (put("bilingual/glossary.yaml"), "a file"),
    "a source that exists": (put("bilingual/sources/000_cd01eb60b361ff9b.txt"), "a file"),
    "the events of its game": (put(f"specs/{NEW}/events.yaml"), "a file"),
    "rounds to be played": (put(f"specs/{NEW}/rounds.yaml"), "a file"),
    "chance": (put(f"specs/{NEW}/chance.yaml"), "a file"),
    "a path that leads away": (put(f"specs/{NEW}/../../x.yaml"), "a file"),
    "a source that leads away": (put("bilingual/sources/../../x.yaml"), "a file"),
    "a source with a path": (put("bilingual/sources/a/b.txt"), "a file"),
    "an absolute path": (put("/x.yaml"), "a file"),
    "no files": (lambda plain: {**plain, "law": {**plain["law"], "files": {}}}, "files"),
    "a game that it does not name": (
        lambda plain: {**plain, "games": {"craps": []}, "rulings": {}}, "not in its scope",
    ),
    "another name of the game": (instead(ACT, "en: Baccarat", "en: Other"), "refers to other"),
}  # fmt: skip
#: Those that need another law to be loaded.
REFUSED_RULES = {
    "the prize of a bet that exists": ("{prize: nine-tie,", "{prize: tie,"),
    "a result of every bet": ("{bet: nine-tie, wins: tied_at_nine}",
        '{bet: nine-tie, wins: tied_at_nine}\n      - {on: "*", result: lose}'),
    "a bet that exists": ("{bet: nine-tie, wins: tied_at_nine}", "{bet: tie, wins: tied_at_nine}"),
    "a name that the law defines": ("{define: tied_at_nine,", "{define: tied,"),
    "an option of the table": ("{bet: nine-tie, wins: tied_at_nine}",
        "{bet: nine-tie, wins: tied_at_nine}\n      - {option: commission, values: [none]}"),
    "a step of a round": ("{bet: nine-tie, wins: tied_at_nine}",
        "{bet: nine-tie, wins: tied_at_nine}\n      - {step: forbids, event: shuffle}"),
    "bets that exclude each other": ("{bet: nine-tie, wins: tied_at_nine}",
        "{bet: nine-tie, wins: tied_at_nine}\n      - {excludes: [player, nine-tie]}"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_a_permission_may_not_bring_is_refused(plain, law, name):
    change, says = REFUSED[name]

    with pytest.raises(SeloError, match=says):
        read(change(plain), law)


@pytest.mark.full
@pytest.mark.parametrize("name", REFUSED_RULES)
def test_rules_about_more_than_the_new_bets_are_refused(plain, law, name):
    with pytest.raises(UsageError, match="concerns more than the new bets"):
        read(instead(ARTICLE, *REFUSED_RULES[name])(plain), law)


@pytest.mark.parametrize(
    ("provision", "field", "value"),
    [(PRIZE, "prize", "tie"), (BET, "bet", "tie"), (BET, "define", "tied")],
)
def test_rules_of_the_law_at_hand_are_looked_at_too(plain, whole, provision, field, value):
    held = whole.provisions[provision]
    rule = [{**one, field: value} if field in one else one for one in held.provision.rule]
    other = dataclasses.replace(held, provision=msgspec.structs.replace(held.provision, rule=rule))
    law = dataclasses.replace(whole, provisions={**whole.provisions, held.id: other})

    assert rule != held.provision.rule
    with pytest.raises(UsageError, match="concerns more than the new bets"):
        read(plain, law)


def test_the_law_that_existed_is_what_it_was(law, whole):
    assert find_amended_provisions(law, whole, ["bacara"]) == [BET, PRIZE]


# Whose it is.


@pytest.fixture(scope="module")
def office(tmp_path_factory):
    return Office(tmp_path_factory.mktemp("permitting-office"))


@pytest.fixture(scope="module")
def signed(tmp_path_factory, office, plain):
    """A signed permission with the rules of a new bet."""
    from selo.gate.permission_signature import sign_permission  # noqa: PLC0415 - only here

    path = tmp_path_factory.mktemp("permission") / "permission.yaml"
    whole = {**plain, "issuer": office.name}
    path.write_text(yaml.safe_dump(whole, allow_unicode=True, sort_keys=False), encoding="utf-8")
    path.with_name(f"{path.name}.p7s").write_bytes(sign_permission(path.read_bytes(), office.key))
    return path


def policy_of(office, tmp_path, names):
    """Return the policy of somebody who trusts certain authorities."""
    text = f"roots: [{office.root}]\nrevocations: []\n"
    listed = "".join(f"  - name: {name}\n" for name in names)
    text += "laboratory:\n  - name: Laboratory 1\nbureau:\n  - name: Bureau 1\n"
    text += f"authority:\n{listed}" if listed else ""
    path = tmp_path / "signers.yaml"
    path.write_text(text, encoding="utf-8")
    return read_policy(path)


def test_only_an_authority_of_the_policy_answers_for_the_new_edition(
    signed, office, files, added, tmp_path
):
    grown = add_permitted_law(files, added, HERE)
    trusted, other = (policy_of(office, tmp_path, names) for names in ([office.name], ["Other"]))

    found = find_permitted_base(signed, grown, trusted, None)

    assert (found.base, found.signer) == (added.edition, office.name)
    assert find_permitted_base(signed, grown, other, None) is None
    assert find_permitted_base(signed, grown, None, None) is None
    # One more word in a file, and it is not what was signed.
    touched = {**grown, ARTICLE: grown[ARTICLE] + b"\n"}
    assert find_permitted_base(signed, touched, trusted, None) is None
    assert find_permitted_base(signed, files, trusted, None) is None


def test_without_the_law_that_it_brings_a_permission_is_refused(signed, office, tmp_path, capsys):
    words = ("--permission", signed, "--trust", office.root, "--out", tmp_path / "run")

    given = ["examine", "--vendor", "python3 none.py", "--game", "bacara", *map(str, words)]
    code = run_command(parse_arguments(given))

    assert code == 3
    assert "brings the rules of new bets" in capsys.readouterr().err


@pytest.mark.full
def test_a_new_bet_takes_the_whole_road(signed, office, tmp_path, folder):
    def ask(*words, status, law=None):
        chosen = {} if law is None else {"SELO_LAW": str(law)}
        done = subprocess.run(
            [sys.executable, "-m", "selo", *map(str, words)], cwd=ROOT,
            env={**os.environ, **chosen}, check=False, capture_output=True, text=True, timeout=300,
        )  # fmt: skip
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout

    out, vendor = tmp_path / "law", f"{sys.executable} fixtures/examples/nine_tie.py"
    words = ("--folder", ROOT, "--game", "bacara", "--rulings", "defaults", "--text-as-stored",
             "--permission", signed, "--trust", office.root)  # fmt: skip

    told = ask(
        "permission", "law", signed, "--trust", office.root, "--out", out, "--json", status=0
    )
    ask("examine", "--vendor", vendor, *words, "--out", tmp_path / "one", law=out, status=2)
    ask(
        "examine", "--vendor", f"{vendor} 149", *words, "--out", tmp_path / "two", law=out, status=1
    )

    schema = json.loads(
        (ROOT / "specs/schema/output/permission-law.schema.json").read_text("utf-8")
    )
    jsonschema.validate(json.loads(told), schema)
    assert (out / ARTICLE).read_bytes() == (folder / ARTICLE).read_bytes()
    for name, result in (("one", "conforms"), ("two", "violates")):
        told = read_json(tmp_path / name / "result.json", dict)["summary"]["provisions"]
        found = {one["provision"]: one["result"] for one in told}
        assert (found[BET], found[PRIZE]) == ("conforms", result)
