"""What every way of reaching a vendor has in common: lines go out, lines come back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from selo.vendors.faults import AdapterFault
    from selo.vendors.sandbox import Confinement


class Transport(Protocol):
    """Carries messages, one line each, to a vendor and back."""

    #: How the vendor was reached, for people: the command, the address, the object.
    name: str
    #: How many lines may be under way at once.
    window: int
    #: What holds the vendor back, where it runs under our care.
    confinement: Confinement | None

    def send(self, line: bytes) -> None:
        """Put a line on its way; never waits for the vendor."""

    def receive(self, seconds: float) -> bytes:
        """Return the next line that comes back, without its end, or raise `VendorBroken`."""

    def stderr(self) -> bytes:
        """Return the last of what the vendor wrote to its error stream."""

    def end(self) -> list[AdapterFault]:
        """End the vendor after its answer to `end`; return what was not orderly about it."""

    def kill(self) -> None:
        """Make an end at once and leave nothing behind; harmless when there is nothing left."""
