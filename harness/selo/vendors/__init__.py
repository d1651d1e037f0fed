"""Sessions with vendors over four transports: limits, isolation, faults."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.vendors.fault_store import store_faults
    from selo.vendors.http_transport import HttpTransport
    from selo.vendors.in_process import InProcessTransport
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "HttpTransport",
    "InProcessTransport",
    "faults",
    "reply_reader",
    "resource_limits",
    "sandbox",
    "session",
    "store_faults",
    "vendor_address",
    "vendor_start",
]
