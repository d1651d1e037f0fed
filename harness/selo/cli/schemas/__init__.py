"""Schemas of everything that ``--json`` prints: one type for each command."""

__all__ = ["schema_files"]
