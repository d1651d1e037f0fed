"""One article is shown without the rest, and nobody can leave a case of it out or guess another."""

import json
import sys

import msgspec
import pytest
import zstandard

from selo.errors import SeloError
from selo.evidence.evidence_reader import EvidenceReader
from selo.evidence.inclusion_proof import HiddenSubtree
from selo.evidence.merkle import leaf_hash
from selo.evidence.run_files import CASES_FILE, DRAWS_FILE
from selo.examine.disclosure import DisclosureBroken, check_disclosure, expand_provisions

VENDOR = f"{sys.executable} fixtures/adapters/python/reference.py"
PROVISION, OTHER = "portaria-96-85-m/annex/103", "portaria-96-85-m/annex/99"


def examine(selo, folder, *more):
    selo("seal", "new", "--vendor", VENDOR, "--out", str(folder / "seal.json"))
    selo(
        "examine", "--vendor", VENDOR, "--rulings", "defaults", "--text-as-stored",
        "--seal", str(folder / "seal.json"), "--out", str(folder / "run"), *more,
    )  # fmt: skip
    return folder / "run"


@pytest.fixture(scope="module")
def run(selo, tmp_path_factory):
    return examine(selo, tmp_path_factory.mktemp("sealed"), "--game", "pai-kao")


@pytest.fixture(scope="module")
def disclosed(selo, run):
    path = run.parent / "103.disclosure"
    done = selo("evidence", "disclose", str(run), "--provision", PROVISION, "--out", str(path))
    assert done.returncode == 0, done.stderr
    return path


def roots_of(run):
    log = json.loads((run / "run.json").read_text(encoding="utf-8"))
    return {CASES_FILE: log["evidence_root"], DRAWS_FILE: log.get("draws_root")}


def items_of(path):
    return [
        json.loads(line)
        for line in zstandard.ZstdDecompressor()
        .stream_reader(path.read_bytes())
        .read()
        .splitlines()
    ]


def write(path, items):
    text = b"".join(msgspec.json.encode(item) + b"\n" for item in items)
    path.write_bytes(zstandard.ZstdCompressor().compress(text))
    return path


def test_every_case_about_the_provision_is_shown_and_no_other(run, disclosed, law):
    checked = check_disclosure(disclosed, law, roots_of(run))
    # The line of the annex ranks these tiles; the register numbers it, not our code.
    about = [item for item in items_of(disclosed) if item.get("type") == "line"]

    assert checked.provisions == [PROVISION]
    assert checked.shown == {"right": len(about) - 2}
    assert 0 < len(about) - 2 < checked.lines - 2
    assert checked.hidden == checked.lines - len(about)


def drop(items):
    """Put the hash of a shown leaf in its place, as whoever hides it would."""
    at = next(n for n, item in enumerate(items) if item.get("type") == "line" and item["at"] > 0)
    shown = items[at]
    leaf = leaf_hash(bytes.fromhex(shown["salt"]) + shown["line"].encode())
    items[at] = msgspec.to_builtins(
        HiddenSubtree(first=shown["at"], end=shown["at"] + 1, hash=leaf.hex())
    )


def shown_cases(items):
    return [item for item in items if item.get("type") == "line" and item["at"] > 0][:-1]


def replace_answer(items):
    item = shown_cases(items)[0]
    value = json.loads(item["line"])
    value["answer"] = {"order": "lower" if value["answer"]["order"] == "higher" else "higher"}
    item["line"] = json.dumps(value, sort_keys=True, separators=(",", ":"))


def exchange_lines(items):
    one, other = shown_cases(items)[:2]
    one["line"], other["line"] = other["line"], one["line"]


def exchange_salted_lines(items):
    one, other = shown_cases(items)[:2]
    for name in ("line", "salt"):
        one[name], other[name] = other[name], one[name]


def guess_salt(items):
    shown_cases(items)[0]["salt"] = "00" * 32


def take_salt_off(items):
    del shown_cases(items)[0]["salt"]


def claim_another(items):
    items[0]["provisions"] = [OTHER]


def claim_one_more(items):
    items[0]["provisions"].append(OTHER)


def hide_header(items):
    item = items[2]
    leaf = leaf_hash(bytes.fromhex(item["salt"]) + item["line"].encode())
    items[2] = msgspec.to_builtins(HiddenSubtree(first=0, end=1, hash=leaf.hex()))


def say_smaller(items):
    items[1]["size"] -= 1


def repeat_leaf(items):
    items.insert(3, items[2])


def add_part(items):
    items.append({"type": "part", "file": "draws.jsonl.zst", "size": 2})


FORGERIES = [
    drop, replace_answer, exchange_lines, exchange_salted_lines, guess_salt, take_salt_off,
    claim_another, claim_one_more, hide_header, say_smaller, repeat_leaf, add_part,
]  # fmt: skip


@pytest.mark.parametrize("forge", FORGERIES, ids=lambda forge: forge.__name__)
def test_no_forged_disclosure_holds(run, disclosed, law, tmp_path, forge):
    items = items_of(disclosed)
    forge(items)

    with pytest.raises(DisclosureBroken):
        check_disclosure(write(tmp_path / "forged", items), law, roots_of(run))


def test_a_line_of_another_provision_does_not_stand_in_for_one(selo, run, law, tmp_path):
    path = tmp_path / "99.disclosure"
    selo("evidence", "disclose", str(run), "--provision", OTHER, "--out", str(path))
    items = items_of(path)
    items[0]["provisions"] = [PROVISION]

    with pytest.raises(DisclosureBroken, match="left out"):
        check_disclosure(write(tmp_path / "forged", items), law, roots_of(run))


def test_another_root_is_refused(disclosed, law):
    with pytest.raises(DisclosureBroken, match="known root"):
        check_disclosure(disclosed, law, {CASES_FILE: "0" * 64, DRAWS_FILE: None})


def test_what_is_left_out_cannot_be_guessed(run, disclosed):
    """Whoever knows every line but not the secret cannot tell which hash is which."""
    secret = EvidenceReader(run).secret()
    text = zstandard.ZstdDecompressor().stream_reader(disclosed.read_bytes()).read()
    single = [
        item for item in items_of(disclosed) if item.get("end", 0) - item.get("first", 0) == 1
    ]
    lines = list(EvidenceReader(run))

    assert single
    for item in single:
        assert item["hash"] != leaf_hash(lines[item["first"]]).hex()
    assert secret is not None
    assert secret not in text
    assert secret.hex().encode() not in text


def test_the_secret_is_another_in_each_run_and_the_salts_of_a_run_differ(disclosed):
    salts = [item["salt"] for item in items_of(disclosed) if "salt" in item]

    assert len(set(salts)) == len(salts)


def test_a_redacted_run_keeps_its_root_and_lacks_what_was_taken_out(selo, run, law, tmp_path):
    path = tmp_path / "public"
    done = selo("evidence", "redact", str(run), "--provision", PROVISION, "--out", str(path))
    roots = roots_of(run)

    checked = check_disclosure(path, law, roots)

    assert done.returncode == 0
    assert 0 < checked.hidden < checked.lines
    with pytest.raises(DisclosureBroken, match="left out"):
        check_disclosure(path, law, roots, [PROVISION])


def test_an_article_that_only_its_paragraphs_hold_is_shown_with_all_of_them(law):
    names = expand_provisions(law, ["portaria-96-85-m/annex"])

    assert {PROVISION, OTHER} <= names
    with pytest.raises(SeloError):
        expand_provisions(law, ["portaria-96-85-m/ann"])


def test_the_command_says_what_is_proved(selo, run, disclosed):
    done = selo(
        "evidence", "check", str(disclosed), "--root", roots_of(run)[CASES_FILE], "--lang", "en"
    )

    assert done.returncode == 0
    assert f"No line about {PROVISION} is left out." in done.stdout


@pytest.mark.parametrize("content", [b"", b"x", b"\x28\xb5\x2f\xfd", zstandard.compress(b"{}\n")])
def test_a_file_that_is_no_disclosure_is_refused_by_name(selo, run, tmp_path, content):
    (tmp_path / "file").write_bytes(content)

    done = selo("evidence", "check", str(tmp_path / "file"), "--root", roots_of(run)[CASES_FILE])

    assert done.returncode == 6
    assert "Traceback" not in done.stderr


def test_evidence_without_salts_is_not_redacted_and_its_disclosure_says_so(selo, tmp_path):
    selo(
        "examine", "--vendor", VENDOR, "--game", "pai-kao", "--rulings", "defaults",
        "--text-as-stored", "--out", str(tmp_path / "run"),
    )  # fmt: skip
    words = (str(tmp_path / "run"), "--provision", PROVISION, "--out", str(tmp_path / "file"))

    redacted = selo("evidence", "redact", *words)
    shown = selo("evidence", "disclose", *words)

    assert (redacted.returncode, shown.returncode) == (3, 2)


@pytest.mark.full
def test_rounds_free_tables_and_draws_belong_to_a_provision(selo, law, tmp_path):
    run = examine(selo, tmp_path, "--game", "fish-prawn-crab")
    path = tmp_path / "file"
    name = "portaria-21-96-m/7"
    done = selo("evidence", "disclose", str(run), "--provision", name, "--out", str(path))
    roots = roots_of(run)

    checked = check_disclosure(path, law, roots)

    assert done.returncode == 0
    assert checked.provisions == [name]
    assert {"right", "round", "free-round"} <= checked.shown.keys()
    for kind in ("round", "free-round"):
        items = items_of(path)
        at = next(
            n
            for n, item in enumerate(items)
            if item.get("type") == "line" and f'"method":"{kind}"' in item["line"]
        )
        shown = items[at]
        leaf = leaf_hash(bytes.fromhex(shown["salt"]) + shown["line"].encode())
        items[at] = msgspec.to_builtins(
            HiddenSubtree(first=shown["at"], end=shown["at"] + 1, hash=leaf.hex())
        )
        with pytest.raises(DisclosureBroken, match="left out"):
            check_disclosure(write(tmp_path / kind, items), law, roots)
