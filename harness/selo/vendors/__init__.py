"""Sessions with vendors over four transports: limits, isolation, faults."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.vendors.fault_store import keep
    from selo.vendors.http_transport import Web
    from selo.vendors.in_process import Inside, is_object
else:
    __getattr__ = front_door(
        __name__,
        {
            "fault_store": ["keep"],
            "http_transport": ["Web"],
            "in_process": ["Inside", "is_object"],
        },
    )

__all__ = [
    "Inside",
    "Web",
    "faults",
    "is_object",
    "keep",
    "reply_reader",
    "resource_limits",
    "sandbox",
    "session",
    "vendor_address",
]
