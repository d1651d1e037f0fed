"""A registry of certificates: an append-only, signed log, and what is done with it.

Every event is checked before it is written, exactly as `check_log` checks it afterwards; then a new
head is signed over the longer log. Writers come one after another.
"""

from __future__ import annotations

import datetime as dt
import secrets
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from selo.registry.event_signature import SignatureChecker, sign_content
from selo.registry.log_signers import head_problem, signers_of
from selo.registry.log_storage import keep_address, open_storage
from selo.registry.registry_check import CLOCK_TOLERANCE, check_log, event_problems
from selo.registry.registry_events import (
    NO_LINE,
    EventKind,
    LogLine,
    RegistryEvent,
    UnreadableLine,
    make_line,
    parse_line,
    registry_id,
)
from selo.registry.registry_policy import HEAD, read_registry_policy
from selo.registry.tree_heads import TreeHead, make_signed_head, parse_head
from selo.signing.keys.certificates import certificate_name
from selo.storage import read_bounded
from selo.text import user_error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from selo.registry.log_storage import LogStorage
    from selo.registry.registry_check import CheckedLog
    from selo.registry.registry_policy import RegistryPolicy
    from selo.registry.tree_heads import SignedHead
    from selo.signing.keys import SigningKey

    #: Returns a time stamp in DER over a signature.
    StampSignature = Callable[[bytes], bytes]

_POLICIES: Final = "policies"
_POLICY_FILE: Final = "policy.yaml"
#: How often a log is checked again because somebody wrote to it meanwhile.
_CHECK_ATTEMPTS: Final = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class CertificateRegistry:
    """A registry in a folder; its log may be kept in a database that the folder names."""

    folder: Path
    storage: LogStorage

    @classmethod
    def at(cls, folder: Path) -> CertificateRegistry:
        """Return the registry in `folder`, or refuse a folder that holds none."""
        if not (folder / _POLICIES).is_dir():
            raise user_error("no-registry", where=str(folder))
        return cls(folder=folder, storage=open_storage(folder))

    @classmethod
    def begin(  # noqa: PLR0913 - what a registry begins with
        cls, folder: Path, policy: Path, key: SigningKey, head_key: SigningKey,
        address: str = "", *, stamp: StampSignature | None = None,
    ) -> CertificateRegistry:  # fmt: skip
        """Open a new registry under a policy, in a folder that is new or empty.

        Its log is kept there, or in the database with an address.
        """
        read = read_registry_policy(policy)
        registry = cls.prepare(folder, address)
        registry.keep_policy(policy, read)
        name = registry_id(read_bounded(policy), secrets.token_bytes(32))
        event = RegistryEvent(
            registry=name, number=0, previous=NO_LINE, kind=EventKind.OPEN, at=_now(),
            by=_name_of(key), policy=read.digest,
        )  # fmt: skip
        registry.append(registry.sign(event, key), head_key, stamp, policy=read)
        return registry

    @classmethod
    def prepare(cls, folder: Path, address: str = "") -> CertificateRegistry:
        """Return a registry without any line, in a folder that is new or empty."""
        if folder.exists() and any(folder.iterdir()):
            raise user_error("not-empty", folder=folder)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if address:
                keep_address(folder, address)
        except OSError as error:
            raise user_error("registry-write", where=str(folder), error=error) from error
        registry = cls(folder=folder, storage=open_storage(folder))
        if next(registry.storage.lines(), None) is not None:
            raise user_error("registry-taken", where=address)
        return registry

    def policy(self, digest: str) -> RegistryPolicy | None:
        """Return the policy with a digest, if it is kept here."""
        path = self.folder / _POLICIES / digest / _POLICY_FILE
        return read_registry_policy(path) if path.is_file() else None

    def policy_files(self) -> Iterator[Path]:
        """Yield the file of every policy that is kept here."""
        yield from sorted((self.folder / _POLICIES).glob(f"*/{_POLICY_FILE}"))

    def keep_policy(self, policy: Path, read: RegistryPolicy) -> None:
        """Copy a policy and the certificates that it names into the registry."""
        place = self.folder / _POLICIES / read.digest
        try:
            for name, source in ((_POLICY_FILE, policy), *read.files_beside(policy.parent)):
                target = place / name
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, target)
        except OSError as error:
            raise user_error("registry-write", where=str(place), error=error) from error

    def first_policy(self) -> RegistryPolicy:
        """Return the policy that the log itself names; whoever relies on it gives another."""
        first = next(self.storage.lines(), None)
        digest = "" if first is None else parse_line(first).event.policy or ""
        policy = self.policy(digest)
        if policy is None:
            raise user_error("registry-policy-gone", where=str(self.folder))
        return policy

    def check(
        self,
        policy: RegistryPolicy | None = None,
        *,
        kept_heads: Sequence[SignedHead] = (),
        signatures: bool = True,
    ) -> CheckedLog:
        """Check the whole log; again if it seems broken and somebody wrote to it meanwhile."""
        trusted = policy or self.first_policy()
        for attempt in range(1, _CHECK_ATTEMPTS + 1):
            before = self.storage.last_head()
            log = check_log(
                self.storage, trusted, policies=self.policy, kept_heads=kept_heads,
                signatures=signatures,
            )  # fmt: skip
            last = attempt == _CHECK_ATTEMPTS
            if last or not log.problems or before == self.storage.last_head():
                break
        return log

    def check_whole(self, policy: RegistryPolicy | None = None) -> tuple[CheckedLog, SignedHead]:
        """Check the whole log; return it with the head over all of it, or refuse it."""
        log, head = self.check(policy), self.newest_head()
        log.refuse_broken(self.folder)
        if log.head is None or head is None or head.head.size != log.size:
            raise user_error("registry-no-head", where=str(self.folder))
        return log, head

    def newest_head(self) -> SignedHead | None:
        """Return the newest head, if there is one that can be read."""
        raw = self.storage.last_head()
        try:
            return None if raw is None else parse_head(raw)
        except UnreadableLine:
            return None

    def draft(self, kind: EventKind, key: SigningKey, **fields: Any) -> RegistryEvent:
        """Return the next event, not yet signed."""
        log = self.check(signatures=False)
        if not log.size:
            raise user_error("no-registry", where=str(self.folder))
        event = RegistryEvent(
            registry=log.registry, number=log.size, previous=log.last_hash, kind=kind,
            at=self._time_after(log), by=_name_of(key), **fields,
        )  # fmt: skip
        problem = log.book.problem_with(event)
        if problem is not None:
            record = log.book.certificates.get(event.certificate)
            state = "unknown" if record is None else record.state
            raise user_error(
                f"registry-{problem}", where=str(self.folder), event=kind,
                certificate=event.certificate, state=state,
            )  # fmt: skip
        return event

    def sign(self, event: RegistryEvent, key: SigningKey) -> LogLine:
        """Return an event with its first signature."""
        self._require_readable(make_line(event, []))
        return make_line(event, [sign_content(event.encode(), key, _now())])

    def countersign(self, line: LogLine, key: SigningKey) -> LogLine:
        """Return a line with a second signature."""
        signatures = line.signature_bytes()
        return make_line(line.event, [*signatures, sign_content(line.event.encode(), key, _now())])

    def append(
        self,
        line: LogLine,
        head_key: SigningKey,
        stamp: StampSignature | None = None,
        *,
        policy: RegistryPolicy | None = None,
    ) -> SignedHead:
        """Write a line that everybody needed has signed, and sign a head over the longer log."""
        with self.storage.exclusive():
            log = self.check(policy, signatures=False)
            log.refuse_broken(self.folder)
            self._require_lawful(line, log)
            raw = line.encode()
            log.take_line(raw, line.event)
            if line.event.kind is EventKind.POLICY:
                log.policy = self.policy(line.event.policy or "") or log.policy
            # Signed and stamped before anything is written: what fails leaves nothing behind.
            signed = self._sign_head(log, head_key, stamp)
            self.storage.append(line.event.number, raw)
            self.storage.append_head(signed.encode())
            return signed

    def write_head(self, head_key: SigningKey, stamp: StampSignature | None = None) -> SignedHead:
        """Sign a new head over the log as it is, for example because the last one expires."""
        with self.storage.exclusive():
            log = self.check(signatures=False)
            log.refuse_broken(self.folder)
            signed = self._sign_head(log, head_key, stamp)
            self.storage.append_head(signed.encode())
            return signed

    def _require_lawful(self, line: LogLine, log: CheckedLog) -> None:
        """Refuse an event that `check_log` would not accept."""
        self._require_readable(line)
        event = line.event
        policy = log.policy
        where = str(self.folder)
        if (event.number, event.previous) != (log.size, log.last_hash):
            raise user_error("registry-moved", where=where, number=event.number, size=log.size)
        signers, faults = signers_of(line, SignatureChecker(policy))
        if faults:
            raise user_error("registry-signature", where=where, error=faults[0])
        problem = log.book.problem_with(event) or next(event_problems(line, signers, policy), None)
        if problem is not None:
            names = ", ".join(signer.name for signer in signers)
            raise user_error(
                f"registry-{problem}", where=where, event=event.kind, by=names,
                certificate=event.certificate, state="-",
            )  # fmt: skip

    def _require_readable(self, line: LogLine) -> None:
        """Refuse a line that nobody could read, such as one with a reason that is too long."""
        try:
            parse_line(line.encode())
        except (UnreadableLine, ValueError) as error:
            raise user_error("registry-event", where=str(self.folder), error=error) from error

    def _time_after(self, log: CheckedLog) -> dt.datetime:
        """Return the time of what comes next in a log; refuse a clock that was turned back."""
        now = _now()
        latest = max(now, log.last_at or now, log.head.at if log.head else now)
        if now + CLOCK_TOLERANCE < latest:
            raise user_error(
                "registry-clock", where=str(self.folder), now=now.isoformat(),
                latest=latest.isoformat(),
            )  # fmt: skip
        return latest

    def _sign_head(
        self, log: CheckedLog, key: SigningKey, stamp: StampSignature | None
    ) -> SignedHead:
        policy = log.policy
        at = self._time_after(log)
        head = TreeHead(
            registry=log.registry, size=log.size, root=log.root, at=at,
            expires=at + dt.timedelta(days=policy.days),
        )  # fmt: skip
        signature = sign_content(head.encode(), key, at)
        checker = SignatureChecker(policy)
        signer = checker.signer_of(head.encode(), signature, at)
        if not policy.allows(signer, HEAD):
            raise user_error(
                "registry-not-allowed", where=str(self.folder), event=HEAD, by=signer.name,
                certificate="", state="-",
            )  # fmt: skip
        signed = make_signed_head(head, signature, b"" if stamp is None else stamp(signature))
        problem = head_problem(signed, checker)
        if problem is not None:
            raise user_error("registry-head", where=str(self.folder), problem=problem)
        return signed


def _now() -> dt.datetime:
    return dt.datetime.now(dt.UTC).replace(microsecond=0)


def _name_of(key: SigningKey) -> str:
    return certificate_name(key.certificate)
