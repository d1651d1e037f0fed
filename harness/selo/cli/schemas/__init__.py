"""Schemas of everything that ``--json`` prints: one type for each command."""
