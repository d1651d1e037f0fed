"""The protocol described: methods, OpenRPC document, Markdown chapter."""
