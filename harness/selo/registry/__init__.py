"""The registry of certificates: an append-only signed log that says what is valid today."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.registry.certificate_registry import CertificateRegistry
    from selo.registry.registry_policy import read_registry_policy
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "CertificateRegistry",
    "certificate_lookup",
    "certificate_states",
    "file_identification",
    "read_registry_policy",
    "registry_check",
    "registry_copy",
    "registry_events",
    "registry_policy",
    "tree_heads",
]
