"""Proofs of lines and of older logs, time stamps of heads, and quick signatures as the slow way."""

import base64
import datetime as dt
import hashlib
import json

import jsonschema
import msgspec
import pytest
from tests.registry.conftest import SECRET, issued
from tests.registry.long_log import write_long_log
from tests.verification.certificates import run

from selo.cli.schemas.published_schemas import build_schema
from selo.errors import SeloError
from selo.registry import read_registry_policy
from selo.registry.certificate_registry import CertificateRegistry
from selo.registry.event_signature import BadSignature, SignatureChecker, _split_container
from selo.registry.registry_events import EventKind
from selo.registry.status.log_proof import find_proof_faults, prove_line, prove_older, read_proof
from selo.registry.tree_heads import parse_head
from selo.signing.keys import DemoTimeAuthority, load_pkcs12
from selo.signing.keys.timestamps import TimestampClient
from selo.signing.verify.detached_timestamp import stamp_digest

replace = msgspec.structs.replace


@pytest.fixture(scope="module")
def policy(office):
    return read_registry_policy(office.policy)


@pytest.fixture(scope="module")
def registry(office, tmp_path_factory):
    folder = tmp_path_factory.mktemp("proofs") / "registry"
    made = CertificateRegistry.begin(folder, office.policy, office.bureau, office.bureau)
    write_long_log(made, office, 23)
    return made


@pytest.fixture(scope="module")
def heads(registry):
    return [parse_head(raw) for raw in registry.storage.heads()]


def test_every_line_can_be_proven(registry, policy):
    for number in range(23):
        assert list(find_proof_faults(prove_line(registry, number), policy)) == []


def test_every_older_log_can_be_proven(registry, policy, heads):
    for old in heads:
        assert list(find_proof_faults(prove_older(registry, old), policy)) == []


#: Forgeries of the proof of a line.
FORGED = {
    "another line": lambda one, other: replace(one, line=other.line),
    "a path without its end": lambda one, _: replace(one, path=one.path[:-1]),
    "a path turned round": lambda one, _: replace(one, path=one.path[::-1]),
    "another path": lambda one, other: replace(one, path=other.path),
    "another root": lambda one, _: replace(
        one, head=replace(one.head, head=replace(one.head.head, root="0" * 64))
    ),
    "another size": lambda one, _: replace(
        one, head=replace(one.head, head=replace(one.head.head, size=24))
    ),
    "another reason": lambda one, _: replace(
        one, line=replace(one.line, event=replace(one.line.event, certificate="SELO-9"))
    ),
}


@pytest.mark.parametrize("what", FORGED)
def test_a_forged_proof_is_noticed(registry, policy, what):
    forged = FORGED[what](prove_line(registry, 5), prove_line(registry, 6))

    assert list(find_proof_faults(forged, policy))


def test_a_log_that_was_rewritten_cannot_be_proven(policy, heads, office, tmp_path):
    other = CertificateRegistry.begin(tmp_path / "o", office.policy, office.bureau, office.bureau)
    write_long_log(other, office, 30)

    assert list(find_proof_faults(prove_older(other, heads[5]), policy))


def test_the_commands_prove_and_verify(registry, office, tmp_path, capsys):
    proof, kept = tmp_path / "proof.json", tmp_path / "head.jsonl"
    kept.write_bytes(next(iter(registry.storage.heads())) + b"\n")
    for given in (("--line", 3), ("--of", "SELO-000009"), ("--head", kept)):
        proof.unlink(missing_ok=True)
        assert run("registry", "prove", registry.folder, *given, "--out", proof, "--json") == 0
        written = json.loads(capsys.readouterr().out)
        jsonschema.Draft202012Validator(build_schema("registry-prove")).validate(written)
        assert run("registry", "verify-proof", proof, "--policy", office.policy, "--json") == 0
        told = json.loads(capsys.readouterr().out)
        jsonschema.Draft202012Validator(build_schema("registry-verify-proof")).validate(told)
        if given[0] == "--of":
            assert told["event"]["kind"] == "suspend"
    proof.write_bytes(proof.read_bytes().replace(b'"size":23', b'"size":24'))
    assert run("registry", "verify-proof", proof, "--policy", office.policy) == 6
    proof.write_bytes(b" " + proof.read_bytes())
    with pytest.raises(SeloError):
        read_proof(proof)


# Time stamps


@pytest.fixture(scope="module")
def stamped(demonstration_office, tmp_path_factory):
    """A registry whose policy insists on stamps, and what stamps."""
    office = demonstration_office
    authority = DemoTimeAuthority(load_pkcs12(office.folder / "tsa.p12", SECRET))
    client = TimestampClient(authority.answer, "tsa")

    def stamp(signature):
        return base64.b64decode(stamp_digest(hashlib.sha256(signature).hexdigest(), client))

    policy = office.folder / "stamps.yaml"
    policy.write_text(office.policy.read_text("utf-8") + "stamps: true\n", encoding="utf-8")
    folder = tmp_path_factory.mktemp("stamped") / "registry"
    made = CertificateRegistry.begin(folder, policy, office.bureau, office.bureau, stamp=stamp)
    line = made.sign(
        made.draft(EventKind.ISSUE, office.laboratory, **issued("SELO-1")), office.laboratory
    )
    made.append(line, office.bureau, stamp)
    return made, read_registry_policy(policy), stamp


def test_stamped_heads_hold(stamped):
    registry, policy, _ = stamped

    assert registry.check(policy).problems == []
    assert all(parse_head(raw).stamp for raw in registry.storage.heads())


def test_a_head_without_its_stamp_is_not_written(stamped, demonstration_office):
    registry, _, _ = stamped

    with pytest.raises(SeloError, match="time stamp"):
        registry.write_head(demonstration_office.bureau)


def test_a_stamp_of_another_head_is_noticed(stamped, tmp_path):
    import shutil  # noqa: PLC0415 - only here

    registry, policy, _ = stamped
    copy = CertificateRegistry.at(shutil.copytree(registry.folder, tmp_path / "copy"))
    first, second = (parse_head(raw) for raw in copy.storage.heads())
    swapped = [replace(first, stamp=second.stamp), replace(second, stamp="")]
    (copy.folder / "heads.jsonl").write_bytes(b"".join(one.encode() + b"\n" for one in swapped))

    problems = [one.slots.get("problem", "") for one in copy.check(policy).problems]
    assert any("not one of this head" in one for one in problems)
    assert any("no time stamp" in one for one in problems)


# The quick way to check signatures


def test_the_quick_way_tells_signers_as_the_slow_way(policy, office):
    quick = SignatureChecker(policy)
    at = dt.datetime.now(dt.UTC)
    signer = office.signers["laboratory"]
    pairs = [(content, signer.sign(content, at)) for content in (b"one", b"two", b"three")]
    for content, signature in pairs:
        assert _split_container(signature) is not None
        slow = SignatureChecker(policy).signer_of(content, signature, at)
        assert quick.signer_of(content, signature, at) == slow
    content, signature = pairs[2]
    with pytest.raises(BadSignature):
        quick.signer_of(b"other", signature, at)
    # Every single byte counts, in the quick way as in the slow one.
    for place in range(0, len(signature), 7):
        spoiled = bytearray(signature)
        spoiled[place] ^= 1
        told = []
        for checker in (quick, SignatureChecker(policy)):
            try:
                told.append(checker.signer_of(content, bytes(spoiled), at))
            except BadSignature:
                told.append(None)
        assert told[0] == told[1], place
