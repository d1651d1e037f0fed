"""Whatever is changed in a log or in its heads is noticed, also by whoever holds valid keys."""

import datetime as dt
import json
import string

import msgspec
import pytest
from tests.registry.conftest import WHY, issued

from selo.registry import read_registry_policy
from selo.registry.certificate_registry import CertificateRegistry
from selo.registry.registry_events import (
    EventKind,
    UnreadableLine,
    decode_signature,
    make_line,
    parse_line,
)
from selo.registry.status.status_list import look_up_in_list, make_status_list
from selo.registry.tree_heads import parse_head

#: Of base64, in the order of their values.
LETTERS = string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/"


@pytest.fixture
def lived(registry, happen):
    """Return a registry in which something has happened."""
    happen("issue", **issued("SELO-1"))
    happen("commit", commitment="6" * 64)
    happen("suspend", certificate="SELO-1")
    happen("reinstate", certificate="SELO-1")
    happen("issue", **issued("SELO-2"))
    happen("withdraw", certificate="SELO-2")
    return registry


def files(registry):
    return registry.folder / "log.jsonl", registry.folder / "heads.jsonl"


def problems(registry, office, **kept):
    log = registry.check(read_registry_policy(office.policy), **kept)
    return [problem.key for problem in log.problems]


def test_a_log_that_nobody_touched_has_no_problem(lived, office):
    assert problems(lived, office) == []


def spoilt_lines(lines):
    """Yield a name and the lines of every small change of a log."""
    for at in range(len(lines)):
        yield f"drop {at}", [*lines[:at], *lines[at + 1 :]]
        yield f"repeat {at}", [*lines[:at], lines[at], *lines[at:]]
        if at:
            yield f"swap {at}", [*lines[: at - 1], lines[at], lines[at - 1], *lines[at + 1 :]]
        for name, changed in spoilt_values(json.loads(lines[at])):
            yield f"line {at}: {name}", [*lines[:at], canonical(changed), *lines[at + 1 :]]
        yield f"space {at}", [*lines[:at], lines[at].replace(b":", b": ", 1), *lines[at + 1 :]]
    for size in range(len(lines)):
        yield f"cut to {size}", lines[:size]


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def spoilt_values(value, path=""):
    """Yield every change of one value inside of a line, by its path."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield f"{path}/{name} removed", {key: value[key] for key in value if key != name}
            for text, changed in spoilt_values(inner, f"{path}/{name}"):
                yield text, {**value, name: changed}
        yield f"{path} more", {**value, "more": 1}
    elif isinstance(value, list):
        yield f"{path} emptied", []
        yield f"{path} doubled", [*value, *value]
        for at, inner in enumerate(value):
            for text, changed in spoilt_values(inner, f"{path}[{at}]"):
                yield text, [*value[:at], changed, *value[at + 1 :]]
    elif isinstance(value, int):
        yield f"{path} + 1", value + 1
    else:
        # Another last character but one, so that a digest stays a digest and a time a time.
        yield f"{path} changed", value[:-2] + ("1" if value[-2:-1] != "1" else "2") + value[-1:]
        yield f"{path} blank", ""


@pytest.mark.parametrize("step", [17, pytest.param(1, marks=pytest.mark.full)])
def test_every_change_of_a_line_is_noticed(lived, office, step):
    log, _ = files(lived)
    whole = log.read_bytes()
    tried = 0

    for name, lines in list(spoilt_lines(whole.splitlines()))[::step]:
        if lines == whole.splitlines():
            continue
        log.write_bytes(b"".join(line + b"\n" for line in lines))
        assert problems(lived, office), name
        tried += 1

    assert tried > 150 // step


@pytest.mark.parametrize("step", [11, pytest.param(1, marks=pytest.mark.full)])
def test_every_change_of_a_head_is_noticed(lived, office, step):
    _, heads = files(lived)
    whole = heads.read_bytes()

    for name, lines in list(spoilt_lines(whole.splitlines()))[::step]:
        harmless = name.startswith(("drop", "repeat", "cut")) and lines[-1:] == [
            whole.splitlines()[-1]
        ]
        # A stamp is not trusted here; an older head that is left out is not missed.
        if harmless or "stamp" in name or lines == whole.splitlines():
            continue
        heads.write_bytes(b"".join(line + b"\n" for line in lines))
        assert problems(lived, office), name


@pytest.mark.parametrize("text", ["AR==", "AQJ=", "AQ", "A Q==", "AQ==\n", "é"])
def test_a_signature_has_only_one_spelling(text):
    assert [decode_signature(one) for one in ("AQ==", "AQI=")] == [b"\x01", b"\x01\x02"]

    with pytest.raises(UnreadableLine, match="not base64"):
        decode_signature(text)


def test_a_signature_of_a_head_or_a_list_that_is_spelt_otherwise_is_noticed(lived, office):
    def spelt_otherwise(signed):
        signature = signed.signature.rstrip("=")
        padding = signed.signature[len(signature) :]
        # The last letter before the padding holds bits that no decoder looks at.
        other = LETTERS[LETTERS.index(signature[-1]) ^ 1]
        return msgspec.structs.replace(signed, signature=signature[:-1] + other + padding)

    def made_until_padded(make):
        # The size of a signature varies a little each time.
        tried = (make() for _ in range(100))
        return next(one for one in tried if one.signature.endswith("="))

    _, heads = files(lived)
    policy = read_registry_policy(office.policy)
    head = made_until_padded(lambda: lived.write_head(office.bureau))
    now = dt.datetime.now(dt.UTC).replace(microsecond=0)
    made = made_until_padded(lambda: make_status_list(lived, office.bureau, files=False, at=now))

    told = look_up_in_list(spelt_otherwise(made), policy).problems
    *before, _ = heads.read_bytes().splitlines(keepends=True)
    heads.write_bytes(b"".join(before) + spelt_otherwise(head).encode() + b"\n")

    assert told == ["list-signature"]
    assert "head-signature" in problems(lived, office)


def test_a_log_that_was_rolled_back_with_its_heads_contradicts_a_head_that_somebody_kept(
    lived, office
):
    log, heads = files(lived)
    kept = parse_head(heads.read_bytes().splitlines()[-1])
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:-1]))
    heads.write_bytes(b"".join(heads.read_bytes().splitlines(keepends=True)[:-1]))

    assert problems(lived, office) == []
    assert problems(lived, office, kept_heads=[kept]) == ["rolled-back"]


def test_two_heads_shown_to_two_people_are_noticed(office, tmp_path, lived, happen):
    log, heads = files(lived)
    fork = tmp_path / "fork"
    fork.mkdir()
    for path in (log, heads):
        (fork / path.name).write_bytes(path.read_bytes())
    (fork / "policies").symlink_to(lived.folder / "policies")
    other = CertificateRegistry.at(fork)
    happen("issue", **issued("SELO-3"))
    draft = other.draft(EventKind.ISSUE, office.laboratory, **issued("SELO-4"))
    shown = other.append(other.sign(draft, office.laboratory), office.bureau)

    assert problems(lived, office) == []
    assert problems(other, office) == []
    assert problems(lived, office, kept_heads=[shown]) == ["kept-head"]


@pytest.mark.parametrize(
    ("kind", "role", "expected"),
    [
        pytest.param("issue", "bureau", "not-allowed", id="whoever-may-not"),
        pytest.param("revoke", "laboratory", "signatures", id="one-person-alone"),
    ],
)
def test_a_line_written_past_the_program_with_a_valid_key_is_noticed(
    lived, office, kind, role, expected
):
    key = getattr(office, role)
    fields = issued("SELO-9") if kind == "issue" else {"certificate": "SELO-1", "reason": WHY}
    line = lived.sign(lived.draft(EventKind(kind), key, **fields), key)
    with lived.storage.exclusive():
        lived.storage.append(line.event.number, line.encode())
    lived.write_head(office.bureau)

    assert expected in problems(lived, office)


def test_a_signature_of_another_event_does_not_serve(lived, office):
    last = parse_line(list(lived.storage.lines())[-1])
    draft = lived.draft(EventKind.ISSUE, office.laboratory, **issued("SELO-9"))
    forged = make_line(draft, last.signature_bytes())
    with lived.storage.exclusive():
        lived.storage.append(draft.number, forged.encode())
    lived.write_head(office.bureau)

    assert "signature" in problems(lived, office)


def test_another_policy_than_the_one_trusted_is_noticed(lived, office, tmp_path):
    for path in office.folder.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    loose = tmp_path / "policy.yaml"
    loose.write_text(office.policy.read_text("utf-8").replace("days: 30", "days: 31"), "utf-8")

    assert "other-policy" in [
        problem.key for problem in lived.check(read_registry_policy(loose)).problems
    ]
