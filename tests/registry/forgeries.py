"""Kinds of forgery of a registry, made by a generator: each has a name and what is shown then.

Whoever has no key changes bytes. Whoever has one signs what they may not, or what did not happen.
"""

import copy
import dataclasses
import datetime as dt
import json

import msgspec
from tests.registry.conftest import WHY, issued

from selo.evidence.merkle import Frontier, leaf_hash
from selo.registry.event_signature import sign_content
from selo.registry.registry_events import (
    NO_LINE,
    EventKind,
    EventReason,
    RegistryEvent,
    line_hash,
    make_line,
)
from selo.registry.status.status_code import _PURPOSE, CodedStatus, StatusCode
from selo.registry.status.status_list import SignedStatusList, StatusList, list_certificates
from selo.registry.tree_heads import TreeHead, make_signed_head, parse_head
from selo.signing.keys.certificates import certificate_name, key_digest

BEGIN = dt.datetime(2026, 1, 5, 9, tzinfo=dt.UTC)
DAY = dt.timedelta(days=1)
#: The day on which everything is asked.
NOW = BEGIN + 20 * DAY
REGISTRY = "7" * 64
LAB, BUREAU = ("laboratory",), ("bureau",)
BOTH = ("laboratory", "bureau")
#: What really happened: kind, who signed, and the fields.
LIFE = [
    ("open", BUREAU, {}),
    ("commit", LAB, {"commitment": "6" * 64}),
    ("issue", LAB, issued("SELO-1")),
    ("suspend", BUREAU, {"certificate": "SELO-1", "reason": WHY}),
    ("reinstate", BOTH, {"certificate": "SELO-1", "reason": WHY}),
    ("issue", LAB, issued("SELO-2")),
    ("supersede", BUREAU, {"certificate": "SELO-1", "successor": "SELO-2", "reason": WHY}),
    ("issue", LAB, issued("SELO-3")),
    ("withdraw", LAB, {"certificate": "SELO-3", "reason": WHY}),
    ("issue", LAB, issued("SELO-4")),
    ("revoke", BOTH, {"certificate": "SELO-4", "reason": WHY}),
    ("issue", LAB, issued("SELO-5")),
    ("suspend", BUREAU, {"certificate": "SELO-5", "reason": WHY}),
]
#: The states that are true on the day, by number.
TRUTH = {
    "SELO-1": "superseded", "SELO-2": "valid", "SELO-3": "withdrawn", "SELO-4": "revoked",
    "SELO-5": "suspended",
}  # fmt: skip


@dataclasses.dataclass
class Shown:
    """A log and its heads as somebody shows them."""

    raw_lines: list
    raw_heads: list

    def lines(self):
        return iter(self.raw_lines)

    def heads(self):
        return iter(self.raw_heads)

    def last_head(self):
        return self.raw_heads[-1] if self.raw_heads else None


class Scribe:
    """Writes logs with the keys of an office."""

    def __init__(self, office, policy):
        self.office = office
        self.policy = policy
        self.signers = office.signers

    def name(self, role):
        return certificate_name(getattr(self.office, role).certificate)

    def write(self, life=LIFE, *, changes=None, registry=REGISTRY, head_role="bureau", lists=True):
        """Return a log in which `life` happened; `changes` are fields of single events."""
        lines, heads, previous = [], [], NO_LINE
        frontier = Frontier()
        for number, (kind, roles, fields) in enumerate(life):
            at = BEGIN + number * DAY
            event = RegistryEvent(
                registry=registry, number=number, previous=previous, kind=EventKind(kind), at=at,
                by=self.name(roles[0]),
                **({"policy": self.policy.digest} if kind == "open" else {}), **fields,
            )  # fmt: skip
            event = msgspec.structs.replace(event, **(changes or {}).get(number, {}))
            signatures = [self.signers[role].sign(event.encode(), event.at) for role in roles]
            raw = make_line(event, signatures).encode()
            lines.append(raw)
            previous = line_hash(raw)
            frontier.add([leaf_hash(raw)])
            if lists:
                heads.append(self.head(frontier, at, registry=registry, role=head_role))
        return Shown(lines, heads)

    def head(self, frontier, at, *, registry=REGISTRY, role="bureau", **other):
        values = {
            "registry": registry, "size": frontier.size, "root": frontier.root(), "at": at,
            "expires": at + 30 * DAY,
        } | other  # fmt: skip
        head = TreeHead(**values)
        return make_signed_head(head, self.signers[role].sign(head.encode(), at)).encode()

    def heads_over(self, lines):
        """Return heads over every line, signed by who may, as if nothing had happened."""
        frontier, heads = Frontier(), []
        for number, raw in enumerate(lines):
            frontier.add([leaf_hash(raw)])
            heads.append(self.head(frontier, BEGIN + number * DAY))
        return heads

    def list(self, log, shown, *, role="bureau", change=lambda rows: rows, **other):
        """Return a list that somebody signed, of rows that somebody may have changed."""
        values = {
            "policy": self.policy.digest, "at": BEGIN + 13 * DAY,
            "head": parse_head(shown.raw_heads[-1]),
            "certificates": change(list_certificates(log, files=True)),
        } | other  # fmt: skip
        made = StatusList(**values)
        return self.sign_list(made, role)

    def sign_list(self, made, role="bureau"):
        import base64  # noqa: PLC0415 - only here

        raw = sign_content(made.encode(), getattr(self.office, role), made.at)
        return SignedStatusList(list=made, signature=base64.b64encode(raw).decode())

    def code(self, head, row, *, role="bureau", named="bureau", **other):
        """Return a code that somebody signed."""
        values = {
            "registry": bytes.fromhex(head.registry), "size": head.size,
            "root": bytes.fromhex(head.root), "at": int(head.at.timestamp()),
            "expires": int(head.expires.timestamp()), "number": row.number, "state": row.state,
            "issued_at": int(row.since.timestamp()),
            "last_day": "" if row.valid_until is None else row.valid_until.isoformat(),
            "document_digest": bytes.fromhex(row.document), "successor": row.successor,
        } | other  # fmt: skip
        statement = msgspec.msgpack.encode(CodedStatus(**values))
        key = getattr(self.office, named)
        return StatusCode(
            statement=statement, key=bytes.fromhex(key_digest(key.certificate))[:8],
            signature=getattr(self.office, role).sign_raw(_PURPOSE + statement),
        )  # fmt: skip


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def other_value(value):
    """Return another value of the same kind."""
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return value[:-2] + ("1" if value[-2:-1] != "1" else "2") + value[-1:]
    if isinstance(value, list):
        return [*value, *value] if value else [1]
    return {**value, "more": 1}


def places(value, path=()):
    """Yield the path of every value inside of JSON."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for name, one in inner:
        yield (*path, name)
        if isinstance(one, dict | list):
            yield from places(one, (*path, name))


def changed_at(value, path, change):
    """Return JSON with one value changed, or removed where the change is None."""
    value = copy.deepcopy(value)
    inner = value
    for name in path[:-1]:
        inner = inner[name]
    if change is None:
        del inner[path[-1]]
    else:
        inner[path[-1]] = change(inner[path[-1]])
    return value


#: Times without a zone, in another one, and at the ends of what can be counted.
ODD_TIMES = (
    "2026-01-17T09:00:00", "2026-01-17T17:00:00+08:00", "9999-12-31T23:59:59Z",
    "0001-01-01T00:00:00Z",
)  # fmt: skip


def field_forgeries(raw):
    """Yield a name and the bytes of every change of one value of a JSON line, without any key."""
    value = json.loads(raw)
    for path in places(value):
        where = ".".join(str(name) for name in path if not isinstance(name, int))
        yield f"{where} changed", canonical(changed_at(value, path, other_value))
        yield f"{where} removed", canonical(changed_at(value, path, None))
        for time in ODD_TIMES if path[-1] in {"at", "expires"} else ():
            yield f"{where} is {time}", canonical(changed_at(value, path, lambda _, to=time: to))
    yield "written otherwise", raw.replace(b":", b": ", 1)
    yield "more", canonical({**value, "more": 1})


def log_forgeries(honest):
    """Yield forgeries of lines by somebody without a key, by the kind of event that they touch."""
    lines, heads = honest.raw_lines, honest.raw_heads
    for at, (kind, _, _) in enumerate(LIFE):
        for name, raw in field_forgeries(lines[at]):
            yield f"log: {kind}: {name}", Shown([*lines[:at], raw, *lines[at + 1 :]], heads)
        yield f"log: {kind}: left out", Shown([*lines[:at], *lines[at + 1 :]], heads)
        yield f"log: {kind}: repeated", Shown([*lines[:at], lines[at], *lines[at:]], heads)
        if at:
            swapped = [*lines[: at - 1], lines[at], lines[at - 1], *lines[at + 1 :]]
            yield f"log: {kind}: earlier than it was", Shown(swapped, heads)
            stolen = json.loads(lines[at])
            stolen["signatures"] = json.loads(lines[at - 1])["signatures"]
            yield (
                f"log: {kind}: with the signature of another event",
                Shown([*lines[:at], canonical(stolen), *lines[at + 1 :]], heads),
            )
        yield f"log: cut before {kind}", Shown(lines[:at], heads)


def head_forgeries(honest, scribe):
    """Yield forgeries of heads."""
    lines, heads = honest.raw_lines, honest.raw_heads
    for name, raw in field_forgeries(heads[-1]):
        # A time stamp is not relied on here.
        if not name.startswith("stamp"):
            yield f"head: {name}", Shown(lines, [*heads[:-1], raw])
    stolen = json.loads(heads[-1])
    stolen["signature"] = json.loads(heads[-2])["signature"]
    yield "head: with the signature of another head", Shown(lines, [*heads[:-1], canonical(stolen)])
    yield "head: the last one left out", Shown(lines, heads[:-1])
    yield "head: all left out", Shown(lines, [])
    yield "head: in another order", Shown(lines, [*heads[:-2], heads[-1], heads[-2]])
    frontier = Frontier()
    frontier.add([leaf_hash(raw) for raw in lines])
    end = BEGIN + 13 * DAY
    yield (
        "head: signed by who may not",
        Shown(lines, [*heads, scribe.head(frontier, end, role="laboratory")]),
    )
    yield (
        "head: of another registry, signed by who may",
        Shown(lines, [*heads, scribe.head(frontier, end, registry="8" * 64)]),
    )
    yield (
        "head: another root, signed by who may",
        Shown(lines, [*heads, scribe.head(frontier, end, root="9" * 64)]),
    )
    yield (
        "head: a longer log than there is, signed by who may",
        Shown(lines, [*heads, scribe.head(frontier, end, size=frontier.size + 1)]),
    )
    for name, at, expires in (
        ("good for longer than the policy allows", end, end + 31 * DAY),
        ("good for no time at all", end, end),
        ("earlier than what it covers", BEGIN, BEGIN + 30 * DAY),
    ):
        odd = scribe.head(frontier, at, expires=expires)
        before = heads[:-1] if at >= BEGIN + 11 * DAY else []
        yield f"head: {name}, signed by who may", Shown(lines, [*before, odd])


def insider_forgeries(scribe):
    """Yield logs that people with valid keys wrote, whole and with heads, and may not have."""
    yield from _unlawful_events(scribe.write)
    yield from _misplaced_events(scribe.write)


def _unlawful_events(write):
    def after(*more):
        return write([*LIFE, *more])

    suspended = {"certificate": "SELO-5", "reason": WHY}
    yield "state: reinstated by one person", after(("reinstate", LAB, suspended))
    yield "state: revoked by one person", after(("revoke", BUREAU, suspended))
    yield "state: revoked by one person twice", after(("revoke", ("bureau", "bureau"), suspended))
    yield "state: issued by who may not", after(("issue", BUREAU, issued("SELO-9")))
    yield (
        "state: suspended by who may not",
        after(("suspend", LAB, {"certificate": "SELO-2", "reason": WHY})),
    )
    yield (
        "state: superseded by who may not",
        after(("supersede", LAB, {"certificate": "SELO-5", "successor": "SELO-2", "reason": WHY})),
    )
    yield "state: withdrawn by who may not", after(("withdraw", BUREAU, suspended))
    yield "state: committed by who may not", after(("commit", BUREAU, {"commitment": "5" * 64}))
    yield "state: opened again", after(("open", BUREAU, {}))
    yield "state: opened by who may not", write([("open", LAB, {}), *LIFE[1:]])
    yield "state: under an unknown policy", after(("policy", BOTH, {"policy": "4" * 64}))
    yield "state: another policy by one person", after(("policy", LAB, {"policy": "4" * 64}))
    yield "state: a commitment twice", after(("commit", LAB, {"commitment": "6" * 64}))
    yield "state: a number twice", after(("issue", LAB, issued("SELO-2", document="a" * 64)))
    yield "state: without a number", after(("issue", LAB, issued("")))
    for number in ("selo-2", "SELO_2", "SEL\u041e-2", "SELO-\uff12", "SELO-2\u200b", "SELO-2 "):
        yield f"state: a number that reads alike: {number!a}", after(("issue", LAB, issued(number)))
    for text in ("x\u202ey", "x\x1by", "x\u200b", " "):
        reason = {"certificate": "SELO-2", "reason": EventReason(pt=text, zh="測試。")}
        yield f"state: a reason with {text!a}", after(("suspend", BUREAU, reason))
    for field in ("document", "evidence_root", "product", "files", "instruments"):
        blank = [] if field in {"files", "instruments"} else None
        yield (
            f"state: issued without {field}",
            after(("issue", LAB, issued("SELO-9", **{field: blank}))),
        )
    yield "state: suspended without a reason", after(("suspend", BUREAU, {"certificate": "SELO-2"}))
    for number, state in TRUTH.items():
        for kind, roles in (
            ("suspend", BUREAU), ("reinstate", BOTH), ("revoke", BOTH), ("withdraw", LAB),
        ):  # fmt: skip
            lawful = state == "valid" and kind != "reinstate"
            if not lawful and state != "suspended":
                fields = {"certificate": number, "reason": WHY}
                yield f"state: {kind} of a {state} certificate", after((kind, roles, fields))
    yield "state: suspended twice", after(("suspend", BUREAU, suspended))
    for successor in ("SELO-5", "SELO-4", "SELO-9", ""):
        fields = {"certificate": "SELO-5", "successor": successor, "reason": WHY}
        yield f"state: superseded by {successor or 'nothing'}", after(("supersede", BUREAU, fields))
    yield (
        "state: of a certificate that nobody issued",
        after(("suspend", BUREAU, {"certificate": "SELO-9", "reason": WHY})),
    )


def _misplaced_events(write):
    for number, (kind, _, _) in enumerate(LIFE):
        if number:
            early = {number: {"at": BEGIN + (number - 2) * DAY}}
            yield f"log: {kind}: dated back, with its key", write(changes=early)
        for field, value in (
            ("by", "Somebody else"), ("registry", "8" * 64), ("number", number + 1),
            ("previous", "9" * 64),
        ):  # fmt: skip
            # The first line alone says which registry this is.
            if (field, number) != ("registry", 0):
                yield (
                    f"log: {kind}: another {field}, with its key",
                    write(changes={number: {field: value}}),
                )
    yield (
        "log: another policy from the start, with its key",
        write(changes={0: {"policy": "4" * 64}}),
    )


def rewritings(scribe):
    """Yield logs that are sound in themselves: only what somebody kept contradicts them."""
    write = scribe.write
    for size in range(2, len(LIFE)):
        yield f"rewritten: rolled back before {LIFE[size][0]}", write(LIFE[:size])
    reason = EventReason(pt="Outra razão.", zh="另一理由。")
    for number, (kind, _, fields) in enumerate(LIFE):
        if "reason" in fields:
            other = {number: {"reason": reason}}
            yield f"rewritten: another reason for {kind}", write(changes=other)
    yield "rewritten: never revoked", write([one for one in LIFE if one[0] != "revoke"])
    yield "rewritten: never suspended", write(LIFE[:3] + LIFE[5:12])
    yield "rewritten: another document", write(changes={5: {"document": "a" * 64}})
    yield "rewritten: another file", write(changes={5: {"files": issued("x")["files"] * 2}})
    yield "rewritten: valid for longer", write(changes={5: {"valid_until": dt.date(2199, 1, 1)}})
    yield "rewritten: another commitment", write(changes={1: {"commitment": "5" * 64}})
    yield (
        "rewritten: one more certificate in the middle",
        write([*LIFE[:5], ("issue", LAB, issued("SELO-0")), *LIFE[5:]]),
    )
    yield "rewritten: another registry with the same life", write(registry="8" * 64)
    yield (
        "two heads: another last line",
        write([*LIFE[:-1], ("withdraw", LAB, {"certificate": "SELO-5", "reason": WHY})]),
    )


def list_forgeries(log, honest, scribe):
    """Yield forged lists as bytes, of which nothing may be believed."""
    true = scribe.list(log, honest)
    for name, raw in field_forgeries(true.encode()[:-1]):
        # A time stamp is not relied on here.
        if "stamp" not in name:
            yield f"list: {name}", raw + b"\n"
    yield "list: signed by who may not", scribe.list(log, honest, role="laboratory").encode()
    early = BEGIN + 5 * DAY
    yield "list: older than its head", scribe.list(log, honest, at=early).encode()
    late = BEGIN + 60 * DAY
    yield "list: made after its head expired", scribe.list(log, honest, at=late).encode()
    yield "list: under another policy", scribe.list(log, honest, policy="4" * 64).encode()
    frontier = Frontier()
    frontier.add([leaf_hash(raw) for raw in honest.raw_lines])
    end = BEGIN + 12 * DAY
    unsigned = parse_head(scribe.head(frontier, end, role="laboratory"))
    yield "list: with a head by who may not sign", scribe.list(log, honest, head=unsigned).encode()
    lasting = parse_head(scribe.head(frontier, end, expires=end + 31 * DAY))
    yield "list: good for longer", scribe.list(log, honest, head=lasting).encode()
    yield (
        "list: a certificate twice",
        scribe.list(log, honest, change=lambda rows: [*rows, rows[-1]]).encode(),
    )
    yield (
        "list: in another order",
        scribe.list(log, honest, change=lambda rows: rows[::-1]).encode(),
    )
    other = scribe.list(log, honest, change=lambda rows: rows[:-1])
    yield (
        "list: with the signature of another list",
        msgspec.structs.replace(true, signature=other.signature).encode(),
    )
    yield "list: cut off", true.encode()[:-40]
    yield "list: nothing", b""


def false_lists(log, honest, scribe):
    """Yield lists that are signed by who may and say what the log does not."""

    def row_with(at, **changes):
        def change(rows):
            rows[at] = msgspec.structs.replace(rows[at], **changes)
            return rows

        return scribe.list(log, honest, change=change)

    for at, (number, state) in enumerate(TRUTH.items()):
        for said in ("valid", "suspended", "revoked", "superseded", "withdrawn", "unknown"):
            if said != state:
                yield f"false list: {said} and not {state}", number, row_with(at, state=said)
    second = "SELO-2"
    yield "false list: another document", second, row_with(1, document="a" * 64)
    yield "false list: valid for longer", second, row_with(1, valid_until=dt.date(2199, 1, 1))
    yield "false list: valid for ever", second, row_with(1, valid_until=None)
    yield "false list: issued earlier", second, row_with(1, since=BEGIN)
    yield "false list: another product", second, row_with(1, version="2.0")
    yield "false list: another vendor", second, row_with(1, vendor="Somebody else")
    files = [msgspec.structs.replace(list_certificates(log, files=True)[1].listed_files[0],
                                     sha256="a" * 64)]  # fmt: skip
    yield "false list: another file", second, row_with(1, listed_files=files)
    yield "false list: another successor", "SELO-1", row_with(0, successor="SELO-5")
    yield (
        "false list: a certificate left out",
        "SELO-5",
        scribe.list(log, honest, change=lambda rows: rows[:-1]),
    )
    invented = msgspec.structs.replace(list_certificates(log, files=True)[1], number="SELO-9")
    yield (
        "false list: a certificate that nobody issued",
        "SELO-9",
        scribe.list(log, honest, change=lambda rows: [*rows, invented]),
    )


def code_forgeries(log, honest, scribe):
    """Yield forged codes as text, of which nothing may be believed."""
    head = parse_head(honest.raw_heads[-1]).head
    rows = {row.number: row for row in list_certificates(log, files=False)}
    true = scribe.code(head, rows["SELO-2"])
    status = true.status()
    changes = {
        "registry": b"\x01" * 32, "size": head.size + 1, "root": b"\x01" * 32,
        "at": status.at + 1, "expires": status.expires + 86400 * 365, "number": "SELO-5",
        "state": "suspended", "issued_at": 0, "last_day": "2199-01-01",
        "document_digest": b"\x01" * 32, "successor": "SELO-5",
    }  # fmt: skip
    for name, value in changes.items():
        lie = msgspec.msgpack.encode(msgspec.structs.replace(status, **{name: value}))
        yield f"code: another {name}", msgspec.structs.replace(true, statement=lie).text
    yield "code: signed by who may not", scribe.code(head, rows["SELO-2"], role="laboratory").text
    yield (
        "code: signed by who may not, under their own name",
        scribe.code(head, rows["SELO-2"], role="laboratory", named="laboratory").text,
    )
    lasting = {"expires": status.expires + 86400}
    yield "code: good for longer, signed", scribe.code(head, rows["SELO-2"], **lasting).text
    other = scribe.code(head, rows["SELO-5"])
    yield (
        "code: with the signature of another code",
        msgspec.structs.replace(true, signature=other.signature).text,
    )
    yield "code: without a signature", msgspec.structs.replace(true, signature=b"").text
    yield "code: of another key", msgspec.structs.replace(true, key=b"\x01" * 8).text
    yield "code: cut off", true.text[:-8]
    letter = "B" if true.text[-9] == "A" else "A"
    yield "code: a letter changed", true.text[:-9] + letter + true.text[-8:]
    yield "code: in small letters", true.text.lower()
    yield "code: with a padding", true.text + "="
    yield "code: nothing", "SELO1:"
