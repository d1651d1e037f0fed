"""The content of a report, derived from evidence and law."""
