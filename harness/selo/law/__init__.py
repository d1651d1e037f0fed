"""The law as data: instruments, articles and provisions, loaded, cited, dated and digested."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.law.citation import cite
    from selo.law.loader import Law, LocatedProvision, load_law
    from selo.law.spec_digest import compute_spec_digest
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "Law",
    "LocatedProvision",
    "citation",
    "cite",
    "compute_spec_digest",
    "file_schemas",
    "ledger",
    "load_law",
    "loader",
    "status",
]
