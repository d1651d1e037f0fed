"""What travels without the log: a signed list of all certificates, and a code of one."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.registry.status.registry_source import (
        RegistrySource,
        ask_registry,
        open_source,
        read_kept_heads,
        tells_files,
    )
    from selo.registry.status.status_list import SignedStatusList
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "RegistrySource",
    "SignedStatusList",
    "ask_registry",
    "log_proof",
    "open_source",
    "read_kept_heads",
    "registry_source",
    "status_code",
    "status_list",
    "tells_files",
]
