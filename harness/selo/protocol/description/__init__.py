"""The protocol described: methods, OpenRPC document, Markdown chapter."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.protocol.description.markdown import render_chapter
    from selo.protocol.description.openrpc import (
        openrpc_document,
        render_document,
        standalone_schema,
    )
else:
    __getattr__ = front_door(__name__)

__all__ = ["openrpc_document", "render_chapter", "render_document", "standalone_schema"]
