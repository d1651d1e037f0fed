"""The shape of everything that ``--json`` prints: one type for each command.

The types print nothing; the published schemas are made of them, and tests hold real output
against the schemas.
"""
