"""A status list: the state of every certificate in one signed file, to be carried along.

It names the head of the log from which it was made, and is good for as long as that head is. Who
may sign heads may sign lists. The policy that its reader trusts must be the one it was made under.
Each certificate is a row without names of fields, which keeps a long list short.
"""

from __future__ import annotations

import base64
import datetime as dt
from typing import TYPE_CHECKING, Literal

import msgspec

from selo.evidence.canonical_json import NotCanonical, decode_canonical, encode_canonical
from selo.registry.certificate_lookup import RegistryAnswer
from selo.registry.certificate_states import CertificateBook, CertificateState, apply_expiry
from selo.registry.event_signature import BadSignature, SignatureChecker, sign_content
from selo.registry.log_signers import head_problem
from selo.registry.registry_check import RegistryProblem
from selo.registry.registry_events import (
    RegisteredFile,
    RegisteredProduct,
    RegistryTampered,
    Sha1,
    Sha256,
    UnreadableLine,
    decode_signature,
    require_utc,
)
from selo.registry.registry_policy import HEAD
from selo.registry.tree_heads import SignedHead
from selo.storage import bounded_read, read_bounded
from selo.text import user_error

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from selo.registry.certificate_registry import CertificateRegistry
    from selo.registry.certificate_states import CertificateRecord
    from selo.registry.registry_check import CheckedLog
    from selo.registry.registry_policy import RegistryPolicy
    from selo.signing.keys import SigningKey


class ListedFile(
    msgspec.Struct, frozen=True, kw_only=True, array_like=True, forbid_unknown_fields=True
):
    """A file of a product."""

    path: str
    size: int
    sha256: Sha256
    sha1: Sha1


class ListedCertificate(
    msgspec.Struct, frozen=True, kw_only=True, array_like=True, forbid_unknown_fields=True
):
    """A certificate, as its events had made it when the list was made."""

    number: str
    state: CertificateState
    since: dt.datetime
    valid_until: dt.date | None
    document: Sha256 | None
    successor: str
    vendor: str
    name: str
    version: str
    listed_files: list[ListedFile]

    def __post_init__(self) -> None:
        """Refuse a time that cannot be one of a registry."""
        require_utc(self.since)

    @property
    def product(self) -> RegisteredProduct:
        """What it is about."""
        return RegisteredProduct(vendor=self.vendor, name=self.name, version=self.version)

    @property
    def files(self) -> Sequence[RegisteredFile]:
        """The files of the product; none in a list without files."""
        return [
            RegisteredFile(path=file.path, size=file.size, sha256=file.sha256, sha1=file.sha1)
            for file in self.listed_files
        ]

    def state_on(self, day: dt.date) -> CertificateState:
        """Return the state on `day`, which must not be before the list was made."""
        return apply_expiry(self.state, self.valid_until, day)


class StatusList(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is signed: the head of the log, and every certificate of it."""

    format: Literal["selo-status-list-1"] = "selo-status-list-1"
    policy: Sha256
    at: dt.datetime
    head: SignedHead
    certificates: list[ListedCertificate]

    def __post_init__(self) -> None:
        """Refuse a time that cannot be one of a registry."""
        require_utc(self.at)

    def encode(self) -> bytes:
        """Return the canonical form, over which the registry signs."""
        return encode_canonical(self)


class SignedStatusList(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A list with its signature."""

    list: StatusList
    signature: str

    def encode(self) -> bytes:
        """Return the content of the file."""
        return encode_canonical(self) + b"\n"


def make_status_list(
    registry: CertificateRegistry, key: SigningKey, *, files: bool, at: dt.datetime
) -> SignedStatusList:
    """Return a signed list of a registry, which is checked whole first."""
    log, head = registry.check_whole()
    made = StatusList(
        policy=log.policy.digest,
        at=at,
        head=head,
        certificates=list_certificates(log, files=files),
    )
    require_head_signer(registry, log.policy, key, at)
    signature = base64.b64encode(sign_content(made.encode(), key, at)).decode("ascii")
    return SignedStatusList(list=made, signature=signature)


def require_head_signer(
    registry: CertificateRegistry, policy: RegistryPolicy, key: SigningKey, at: dt.datetime
) -> None:
    """Refuse a key that may not sign heads, and therefore neither lists nor codes."""
    probe = sign_content(b"", key, at)
    signer = SignatureChecker(policy).signer_of(b"", probe, at)
    if not policy.allows(signer, HEAD):
        raise user_error(
            "registry-not-allowed", where=str(registry.folder), event=HEAD, by=signer.name,
            certificate="", state="-",
        )  # fmt: skip


def list_certificates(log: CheckedLog, *, files: bool) -> list[ListedCertificate]:
    """Return the rows of a log, by the numbers of the certificates."""
    records = log.book.certificates
    return [list_record(records[number], files=files) for number in sorted(records)]


def list_record(record: CertificateRecord, *, files: bool) -> ListedCertificate:
    """Return the row of one certificate."""
    product = record.product
    return ListedCertificate(
        number=record.number,
        state=record.state,
        since=record.since,
        valid_until=record.valid_until,
        document=record.document,
        successor=record.successor,
        vendor="" if product is None else product.vendor,
        name="" if product is None else product.name,
        version="" if product is None else product.version,
        listed_files=[
            ListedFile(path=file.path, size=file.size, sha256=file.sha256, sha1=file.sha1)
            for file in (record.files if files else ())
        ],
    )


def read_status_list(path: Path) -> SignedStatusList:
    """Return the list in a file; only its one canonical form is accepted."""
    raw = read_bounded(path, bounded_read.DATA_LIMIT)
    try:
        signed = msgspec.convert(decode_canonical(raw.removesuffix(b"\n")), SignedStatusList)
    except (NotCanonical, msgspec.ValidationError) as error:
        raise user_error(
            "registry-list", kind=RegistryTampered, where=str(path), problem=error
        ) from error
    if signed.encode() != raw:
        problem = "the same list is written otherwise in canonical form"
        raise user_error("registry-list", kind=RegistryTampered, where=str(path), problem=problem)
    return signed


def look_up_in_list(
    signed: SignedStatusList,
    policy: RegistryPolicy | None,
    *,
    numbers: Iterable[str] = (),
    digests: Iterable[str] = (),
) -> RegistryAnswer:
    """Return what a list says of certificates by number, or by digests of files.

    Without a policy nobody has said whom to trust: nothing is checked but the shape.
    """
    answer = RegistryAnswer(head=signed.list.head.head)
    if policy is not None:
        answer.problems += _list_problems(signed, policy)
    wanted, sought = set(numbers), set(digests)
    answer.records = [
        one
        for one in signed.list.certificates
        if one.number in wanted
        or any(file.sha256 in sought or file.sha1 in sought for file in one.listed_files)
    ]
    return answer


def _list_problems(signed: SignedStatusList, policy: RegistryPolicy) -> Iterator[str]:
    made = signed.list
    head = made.head.head
    if made.policy != policy.digest:
        yield "other-policy"
    checker = SignatureChecker(policy)
    try:
        raw = decode_signature(signed.signature)
        signer = checker.signer_of(made.encode(), raw, made.at)
    except (BadSignature, UnreadableLine):
        yield "list-signature"
    else:
        if not policy.allows(signer, HEAD):
            yield "list-signature"
    if head_problem(made.head, checker) is not None:
        yield "head-signature"
    if not head.at <= made.at <= head.expires:
        yield "list-time"
    numbers = [one.number for one in made.certificates]
    if numbers != sorted(set(numbers)):
        yield "list-order"


def compare_with_log(signed: SignedStatusList, log: CheckedLog) -> list[RegistryProblem]:
    """Return in what a list contradicts a log, which may have grown since."""
    size = signed.list.head.head.size
    records = log.book.certificates
    problems = []
    rows = {one.number: one for one in signed.list.certificates}
    known = {number for number, record in records.items() if record.events[0].number < size}
    for number in sorted(known | set(rows)):
        row = rows.get(number)
        if row is None or number not in known:
            problems.append(number)
            continue
        then = record_at(records[number], size)
        files = bool(row.listed_files)
        if row != list_record(then, files=files) or (files and not then.files):
            problems.append(number)
    return [
        RegistryProblem(number=None, key="list-differs", slots={"certificate": number})
        for number in problems
    ]


def record_at(record: CertificateRecord, size: int) -> CertificateRecord:
    """Return a certificate as its events had made it when the log had `size` lines."""
    book = CertificateBook()
    for event in record.events:
        if event.number < size:
            book.take(event)
    return book.certificates[record.number]
