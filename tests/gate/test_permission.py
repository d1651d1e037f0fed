"""Permissions: what they may say, that they are refused where they do not hold, what they do."""

import datetime as dt
import json
import subprocess

import jsonschema
import msgspec
import pytest
import yaml
from tests.tools import needs

from selo.cli.schemas.published_schemas import build_schema
from selo.errors import SeloError, UsageError
from selo.examine.run.granted_permissions import GrantedPermission, apply_permissions
from selo.gate.permission import options_to_permit, read_permission
from selo.gate.permission_scope import verify_permission
from selo.gate.permission_signature import Trust, verify_signature
from selo.protocol.messages import Authorisation, Description
from selo.rules.checks.game_check import list_games
from selo.signing.keys.certificates import load_revocations
from selo.signing.keys.demo_authority import CertificateUse
from selo.verdict.rulings import RulingSource, adopt_rulings

POINT = "96-85-m-annex--order-direction"
DAY = dt.date(2026, 6, 1)


# What it may say.


@pytest.mark.parametrize(
    ("parts", "says"),
    [
        ({"games": {"roulette": []}}, "there is no game “roulette”"),
        ({"games": {}}, "games"),
        ({"rulings": {}}, "it contains no permission and no ruling"),
        ({"rulings": {"no-such-point": "x"}}, "unknown divergence 'no-such-point'"),
        ({"rulings": {POINT: "sideways"}}, f"unknown reading of {POINT}: 'sideways'"),
        (
            {"rulings": {"21-96-m-3-c--leaning-dice": "stacked-only"}},
            "is not of the games of this permission, but of fish-prawn-crab",
        ),
        ({"expires": "2025-12-31"}, "it expires before it is issued"),
        ({"permission": ""}, "permission"),
        ({"more": 1}, "unknown field `more`"),
        ({"games": {"bacara": [{"option": "colour", "values": ["red"]}]}}, "may need permission"),
        (
            {"games": {"bacara": [{"option": "commission", "values": ["none"]}]}},
            "commission is never 'none'",
        ),
        (
            {"games": {"bacara": [{"option": "jackpot-fixed-amounts", "values": ["A"]}]}},
            "approves amounts without saying which",
        ),
        (
            {
                "games": {
                    "bacara": [
                        {
                            "option": "jackpot-fixed-amounts",
                            "values": ["A"],
                            "amounts": {"full-moon": 1},
                        }
                    ]
                }
            },
            "this combination has no fixed amount",
        ),
        ({"games": {"craps": [{"option": "commission", "values": ["x"]}]}}, "craps"),
    ],
)
def test_what_the_law_does_not_know_is_refused_with_file_and_line(law, permission, parts, says):
    path = permission(signed=False, **{"rulings": {}, **parts})

    with pytest.raises(SeloError) as refused:
        read_permission(path.read_bytes(), path, law)

    assert str(refused.value).startswith(f"{path}:")
    assert says in str(refused.value)


def test_what_can_be_permitted_is_what_the_law_asks_permission_for(law):
    able = {game: options_to_permit(law, game) for game in list_games(law)}

    assert {game for game, options in able.items() if options} == {"bacara"}
    assert able["bacara"]["commission"] == ["five-percent", "half-on-six", "dragon-push"]
    assert able["bacara"]["jackpot-fixed-amounts"] == ["A", "B", "C"]


def test_the_example_of_the_docs_is_a_permission(root, law, tmp_path):
    text = (root / "docs" / "gate.md").read_text("utf-8")
    example = next(one for one in text.split("```yaml\n") if one.startswith("permission:"))
    content = example.partition("```")[0].encode()

    found = read_permission(content, tmp_path / "permission.yaml", law)

    assert found.games["bacara"][1].amounts == {"paradise-straight": 100000}


# Its signature.


@needs("openssl")
def test_openssl_finds_the_signature_good_and_an_altered_file_not(office, permission):
    path = permission()
    command = [
        "openssl", "cms", "-verify", "-binary", "-inform", "DER", "-in", f"{path}.p7s",
        "-content", str(path), "-CAfile", str(office.root), "-out", "/dev/null",
    ]  # fmt: skip

    good = subprocess.run(command, capture_output=True, check=False)
    path.write_bytes(path.read_bytes() + b"\n")
    altered = subprocess.run(command, capture_output=True, check=False)

    assert good.returncode == 0, good.stderr
    assert altered.returncode != 0


def test_a_program_is_told_that_a_file_was_altered(selo_here, office, permission):
    path = permission()
    path.write_bytes(path.read_bytes() + b"\n")

    code, printed, told = selo_here("permission", "check", path, "--trust", office.root, "--json")

    error = json.loads(printed)["error"]
    jsonschema.validate({"error": error}, build_schema("error"))
    assert (code, error["exit"], error["code"]) == (6, 6, "tampered")
    assert error["message"] in told


@needs("openssl")
def test_a_signature_that_openssl_made_is_good(office, permission, tmp_path):
    path = permission(signed=False)
    own, others = tmp_path / "own.pem", tmp_path / "others.pem"
    secret = f"pass:{office.secret.read_text().strip()}"
    unpack = ["openssl", "pkcs12", "-in", str(office.p12), "-passin", secret, "-nodes"]
    for what, where in (("-clcerts", own), ("-cacerts", others)):
        subprocess.run([*unpack, what, "-out", str(where)], check=True, capture_output=True)
    subprocess.run(
        ["openssl", "cms", "-sign", "-binary", "-in", str(path), "-signer", str(own),
         "-certfile", str(others), "-outform", "DER", "-out", f"{path}.p7s"],
        check=True, capture_output=True,
    )  # fmt: skip

    signer = verify_signature(
        path.read_bytes(), path.with_name(f"{path.name}.p7s").read_bytes(), path, office.trust()
    )

    assert signer.name == office.name
    assert signer.demonstration is True


@pytest.mark.parametrize(
    "asked",
    [
        {"now": dt.datetime(2019, 1, 1, tzinfo=dt.UTC)},
        {"now": dt.datetime(2098, 1, 1, tzinfo=dt.UTC)},
        {"use": CertificateUse.TIME},
    ],
    ids=["expired", "not-yet", "for-timestamps"],
)
def test_a_certificate_that_does_not_hold_is_not_trusted(law, office, permission, asked):
    _, key = office.issued(**asked)

    with pytest.raises(UsageError, match="who is not trusted here"):
        verify_permission(permission(key=key), law, office.trust())


def test_a_certificate_that_was_withdrawn_is_not_trusted(law, office, permission):
    trust = Trust(roots=office.trust().roots, revocations=[load_revocations(office.revoked())])
    path = permission()

    with pytest.raises(UsageError, match="who is not trusted here"):
        verify_permission(path, law, trust)


def test_the_certificate_of_the_signer_itself_can_be_trusted(law, office, permission):
    trust = Trust(roots=[office.key.certificate])

    assert verify_permission(permission(), law, trust).signer.name == office.name


def test_nobody_is_trusted_unless_named(law, permission):
    with pytest.raises(UsageError, match="no trusted signer was named") as refused:
        verify_permission(permission(), law, Trust())

    assert refused.value.code == "tampered"


def test_every_flipped_byte_of_the_content_is_noticed(office, permission):
    path = permission()
    content = path.read_bytes()
    signature = path.with_name(f"{path.name}.p7s").read_bytes()

    for at in range(0, len(content), 7):
        flipped = bytearray(content)
        flipped[at] ^= 1
        with pytest.raises(UsageError):
            verify_signature(bytes(flipped), signature, path, office.trust())


# Where it holds.


def test_it_must_hold_on_the_day_of_the_law_and_on_the_day_of_the_examination(
    law, office, permission, description
):
    one = verify_permission(
        permission(issued="2026-01-01", expires="2026-12-31"), law, office.trust()
    )

    one.require({DAY}, description, ["pai-kao"])
    for days, says in (
        ({DAY, dt.date(2025, 12, 31)}, "is valid only from 2026-01-01"),
        ({DAY, dt.date(2027, 1, 1)}, "expired on 2026-12-31"),
    ):
        with pytest.raises(UsageError, match=says):
            one.require(days, description, ["pai-kao"])


@pytest.mark.parametrize(
    "product",
    [
        {"vendor": "Vendor with a planted fault", "name": "Other games"},
        {"vendor": "Another vendor", "name": "Reference games"},
        {"vendor": "Vendor with a planted fault", "name": "Reference games", "versions": ["2.0"]},
    ],
)
def test_it_is_for_one_product_only(law, office, permission, description, product):
    one = verify_permission(permission(product=product), law, office.trust())

    with pytest.raises(UsageError, match="is for "):
        one.require({DAY}, description, ["pai-kao"])


@pytest.fixture(scope="session")
def description(root, vendor):
    """Return what the reference vendor says of itself."""
    done = subprocess.run(
        vendor().split(" "),
        input=b'{"jsonrpc":"2.0","id":"1","method":"describe","params":{}}\n',
        capture_output=True,
        check=True,
        cwd=root,
        timeout=60,
    )
    answer = json.loads(done.stdout.splitlines()[0])["result"]
    return msgspec.convert(answer, Description)


# What it does.


def test_its_rulings_are_adopted_with_whom_and_when(law, office, permission):
    one = verify_permission(permission(), law, office.trust())

    (ruled,) = adopt_rulings(law, permitted=one.rulings()).adopted

    assert (ruled.divergence, ruled.source) == (POINT, RulingSource.PERMISSION)
    assert ruled.by == f"{office.name} (DEMO-1)"
    assert ruled.on == dt.date(2026, 1, 1)


def test_it_prevails_over_the_defaults_and_is_not_contradicted(law, office, permission):
    rulings = {POINT: "higher-number-higher"}
    one = verify_permission(permission(rulings=rulings), law, office.trust())

    assert (
        adopt_rulings(law, defaults=True, permitted=one.rulings()).reading(POINT) == rulings[POINT]
    )
    assert adopt_rulings(law, rulings, permitted=one.rulings()).reading(POINT) == rulings[POINT]
    with pytest.raises(UsageError, match="but the authority ruled “higher-number-higher”"):
        adopt_rulings(law, {POINT: "lower-number-higher"}, permitted=one.rulings())


def test_of_what_the_authority_signed_the_word_of_the_vendor_no_longer_counts(description):
    def entry(option, value, document):
        return Authorisation(
            option=option, values=[value], document=document, used_from=DAY, granted=DAY
        )

    own = [entry("commission", "dragon-push", "own"), entry("jackpot", "A", "own")]
    offer = msgspec.structs.replace(description.games[0], game="bacara", authorisations=own)
    said = msgspec.structs.replace(description, games=[offer])
    signed = GrantedPermission(
        number="1", issuer="x", issued=DAY, expires=DAY, sha256="", certificate_sha256="",
        demonstration=True, games={"bacara": [entry("commission", "half-on-six", "signed")]},
    )  # fmt: skip

    (then,) = apply_permissions(said, [signed]).games

    assert [(one.option, one.values, one.document) for one in then.authorisations] == [
        ("jackpot", ["A"], "own"),
        ("commission", ["half-on-six"], "signed"),
    ]
    assert apply_permissions(said, []) is said


# As it is typed.


def test_a_permission_decides_an_open_point_in_the_gate(gate, office, permission, tmp_path):
    others = {
        "96-85-m-annex--five-point-tiles": "either-five",
        "96-85-m-annex-99--seven-point-tiles": "any-seven",
        "96-85-m-annex-102--six-point-tiles": "either-six",
        "96-85-m-annex-106--nine-point-tiles": "either-nine",
        "96-85-m-annex--zero-pairs-differ": "rank-decides",
        "96-85-m-annex--equal-ranks": "nobody-wins",
        "96-85-m-annex--ranks-not-held": "held-only",
    }
    path = permission(rulings={POINT: "lower-number-higher", **others})
    trust = ("--permission", path, "--trust", office.root)

    without, _, _ = gate(rulings=None)
    code, printed, told = gate(*trust, rulings=None)

    assert (without, code) == (2, 0)
    assert f"permission DEMO-1 of {office.name}, until 2099-12-31" in printed
    assert [one["number"] for one in told["permissions"]] == ["DEMO-1"]
    result = json.loads((tmp_path / "run-1" / "result.json").read_text("utf-8"))
    assert {one["source"] for one in result["header"]["adopted"]} == {"permission"}
    (kept,) = (tmp_path / "run-1" / "permissions").glob("*.yaml")
    assert kept.read_bytes() == path.read_bytes()


@pytest.mark.parametrize(
    ("parts", "trusted", "code", "says"),
    [
        ({"expires": "2026-01-02"}, True, 3, "expired on 2026-01-02"),
        ({"issued": "2098-01-01"}, True, 3, "valid only from 2098-01-01"),
        ({"product": {"vendor": "x", "name": "y"}}, True, 3, "is for x, y (*)"),
        ({"games": {"craps": []}, "rulings": {"97-85-m-5--point-kept": ""}}, True, 3, ""),
        ({"signed": False}, True, 6, "has no signature"),
        ({}, False, 6, "no trusted signer was named"),
    ],
    ids=["expired", "not-yet", "other-product", "malformed", "unsigned", "untrusted"],
)
def test_a_permission_that_does_not_hold_stops_the_gate(
    gate, office, permission, parts, trusted, code, says
):
    path = permission(**parts)
    trust = ("--trust", office.root) if trusted else ()

    left, printed, told = gate("--permission", path, *trust)

    assert (left, told) == (code, None)
    assert says in printed


def test_new_sign_and_check_are_the_way_of_a_permission(selo_here, office, vendor, tmp_path):
    path = tmp_path / "permission.yaml"
    assert selo_here("permission", "new", "--vendor", vendor(), "--out", path)[0] == 0
    text = path.read_text("utf-8")
    assert '  name: "Reference games"' in text
    sign = ("permission", "sign", path, "--p12", office.p12, "--passphrase-file", office.secret)

    empty, _, errors = selo_here(*sign)
    text = text.replace('permission: ""', "permission: DEMO-2")
    (line,) = [one for one in text.splitlines() if f"# {POINT}: " in one]
    path.write_text(text.replace(line, f"    {POINT}: lower-number-higher,"), "utf-8")
    other, _, other_errors = selo_here(*sign)
    text = path.read_text("utf-8").replace('issuer: ""', f'issuer: "{office.name}"')
    path.write_text(text, "utf-8")
    signed, told, _ = selo_here(*sign)
    check = ("permission", "check", path, "--trust", office.root)
    holds, printed, _ = selo_here(*check, "--vendor", vendor(), "--json")

    assert (empty, other, signed, holds) == (3, 3, 0, 0)
    assert "permission" in errors
    assert "issuer" in other_errors
    assert office.name in told
    judge = jsonschema.Draft202012Validator(build_schema("permission-check"))
    assert [one.message for one in judge.iter_errors(json.loads(printed))] == []
    assert json.loads(printed)["standing"] == "holds"


def test_every_line_of_a_new_permission_can_be_uncommented(selo_here, law, tmp_path):
    path = tmp_path / "permission.yaml"
    selo_here("permission", "new", "--game", "bacara", "--game", "craps", "--out", path)
    text = path.read_text("utf-8")
    head, _, body = text.partition('permission: ""')
    assert all(line.startswith("#") for line in head.splitlines())
    commented = [one for one in body.splitlines() if one.lstrip().startswith("# ")]

    whole = yaml.safe_load(body.replace("    # ", "    "))

    assert yaml.safe_load(body)["games"] == {"bacara": [], "craps": []}
    assert not yaml.safe_load(body)["rulings"]
    # Nothing is lost, and no key stands twice.
    options = sum(map(len, whole["games"].values()))
    assert options + len(whole["rulings"]) + len(whole["texts"]) == len(commented)
    assert whole["texts"] == ["despacho-2-2009", "portaria-97-85-m"]
    assert {one["option"] for one in whole["games"]["bacara"]} == set(
        options_to_permit(law, "bacara")
    )


def test_a_reading_must_be_chosen_before_a_permission_rules_on_it(selo_here, office, tmp_path):
    path = tmp_path / "permission.yaml"
    selo_here("permission", "new", "--game", "pai-kao", "--out", path)
    text = path.read_text("utf-8").replace('permission: ""', "permission: DEMO-3")
    text = text.replace('issuer: ""', f'issuer: "{office.name}"').replace('""', '"x"')
    path.write_text(text.replace(f"    # {POINT}", f"    {POINT}"), "utf-8")

    code, _, told = selo_here(
        "permission", "sign", path, "--p12", office.p12, "--passphrase-file", office.secret
    )

    assert code == 3
    assert POINT in told


def test_a_permission_is_never_written_over(selo_here, tmp_path):
    path = tmp_path / "permission.yaml"
    path.write_text("mine")

    code, _, errors = selo_here("permission", "new", "--out", path)

    assert code == 3
    assert "Give a new file" in errors
    assert path.read_text() == "mine"


@pytest.mark.parametrize(
    ("words", "code", "standing"),
    [
        ((), 0, "holds"),
        (("--on", "2100-01-01"), 3, "expired"),
        (("--on", "2025-01-01"), 3, "not-yet"),
        (("--game", "craps"), 3, "other-games"),
    ],
)
def test_check_says_how_it_stands(selo_here, office, permission, words, code, standing):
    done, printed, _ = selo_here(
        "permission", "check", permission(), "--trust", office.root, "--json", *words
    )

    assert (done, json.loads(printed)["standing"]) == (code, standing)
