"""The interface of transports to a vendor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from selo.vendors.faults import AdapterFault
    from selo.vendors.sandbox import Confinement


class Transport(Protocol):
    """Carries messages to a vendor and back, one per line."""

    #: The command, URL or object by which the vendor is reached.
    name: str
    #: The number of lines that may be in flight at once.
    window: int
    #: The isolation of a vendor's process that Selo started.
    confinement: Confinement | None

    def send(self, line: bytes) -> None:
        """Send a line without waiting for the vendor."""

    def receive(self, seconds: float) -> bytes:
        """Return the next line received, without its newline, or raise `VendorBroken`."""

    def stderr(self) -> bytes:
        """Return the tail of the vendor's error stream."""

    def end(self) -> list[AdapterFault]:
        """End the vendor after its answer to `end`; return the faults of a disorderly end."""

    def kill(self) -> None:
        """End the vendor at once and leave nothing behind; may be called repeatedly."""
