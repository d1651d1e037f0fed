"""The protocol described: methods, OpenRPC document, Markdown chapter."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.protocol.description.markdown import chapter
    from selo.protocol.description.openrpc import document, schema, written
else:
    __getattr__ = front_door(
        __name__,
        {
            "markdown": ["chapter"],
            "openrpc": ["document", "schema", "written"],
        },
    )

__all__ = ["chapter", "document", "schema", "written"]
