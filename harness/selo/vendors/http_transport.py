"""Transport to a vendor's HTTP server on this machine: one message per request, as JSON."""

from __future__ import annotations

import ipaddress
import queue
import re
import threading
from typing import TYPE_CHECKING, Final
from urllib.parse import SplitResult, urlsplit

from selo.text import user_error
from selo.vendors.faults import AdapterFault, FaultKind, VendorBroken, vendor_broken
from selo.vendors.http_connection import HttpConnection

if TYPE_CHECKING:
    from selo.vendors.resource_limits import Limits
    from selo.vendors.sandbox import Confinement

#: Characters allowed in a request target.
_PRINTABLE: Final = re.compile(r"[!-~]*")
_THREAD_JOIN_SECONDS: Final = 10.0


class HttpTransport:
    """A vendor's server, reached over a few kept-alive connections."""

    window = 2
    confinement: Confinement | None = None

    def __init__(self, address: str, limits: Limits) -> None:
        self.name = address
        checked = _parse_local_address(address)
        self._outgoing: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._incoming: queue.SimpleQueue[bytes | VendorBroken] = queue.SimpleQueue()
        self._connections = [HttpConnection(checked, limits) for _ in range(self.window)]
        self._threads = [
            threading.Thread(target=self._work, args=(connection,), daemon=True)
            for connection in self._connections
        ]
        for thread in self._threads:
            thread.start()

    def send(self, line: bytes) -> None:
        """Send a line without waiting for the vendor."""
        self._outgoing.put(line)

    def receive(self, seconds: float) -> bytes:
        """Return the next answer from any connection."""
        try:
            answer = self._incoming.get(timeout=seconds)
        except queue.Empty:
            received = max(
                (connection.received_bytes() for connection in self._connections), key=len
            )
            self.kill()
            raise vendor_broken(FaultKind.LATE, seconds=f"{seconds:g}", raw=received) from None
        if isinstance(answer, VendorBroken):
            self.kill()
            raise answer
        return answer

    def stderr(self) -> bytes:
        """Return nothing: the error stream of a server is not accessible."""
        return b""

    def end(self) -> list[AdapterFault]:
        """Close the connections."""
        self.kill()
        return []

    def kill(self) -> None:
        """Close the connections and stop their threads."""
        for connection in self._connections:
            connection.stop()
            self._outgoing.put(None)
        for thread in self._threads:
            thread.join(_THREAD_JOIN_SECONDS)

    def _work(self, connection: HttpConnection) -> None:
        while (line := self._outgoing.get()) is not None:
            try:
                self._incoming.put(connection.exchange(line))
            except VendorBroken as error:
                self._incoming.put(error)
                break
            except Exception as error:  # noqa: BLE001 - a thread that dies silently is a hang
                self._incoming.put(vendor_broken(FaultKind.HTTP_BROKEN, because=repr(error)))
                break
        connection.close()


def _parse_local_address(address: str) -> SplitResult:
    """Return the parts of an address, which must be on this machine: traffic never leaves it."""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError as error:
        raise user_error("address", address=address, error=error) from error
    if parts.username is not None or parts.password is not None:
        # The message does not repeat the address: it may contain a password.
        raise user_error("address-secret")
    if not parts.hostname or port == 0:
        raise user_error("address-host", address=address)
    if not _PRINTABLE.fullmatch(parts.netloc + parts.path + parts.query):
        raise user_error("address-characters", address=address)
    if not _is_loopback(parts.hostname):
        raise user_error("address-elsewhere", host=parts.hostname)
    return parts


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
