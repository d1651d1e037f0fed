"""The exchange with a vendor: chunks of cases, worker processes, reductions."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.examine.exchange.reduction_log import REDUCTION, Reducer, ReductionLog
    from selo.examine.exchange.vendor_endpoint import VendorEndpoint, VendorRestart
    from selo.examine.exchange.workers import LocalWorkforce
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "REDUCTION",
    "LocalWorkforce",
    "Reducer",
    "ReductionLog",
    "VendorEndpoint",
    "VendorRestart",
    "chunk_exchange",
    "outcome_streams",
    "product_watch",
    "work_site",
]
