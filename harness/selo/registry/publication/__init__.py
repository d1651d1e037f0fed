"""What the public reads of a registry: pages, tables, a feed, badges, and a copy of the log."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.registry.publication.publisher import Publication, publish_registry
    from selo.registry.publication.registry_tables import PublishedRegistry
else:
    __getattr__ = front_door(__name__)

__all__ = ["Publication", "PublishedRegistry", "publish_registry"]
