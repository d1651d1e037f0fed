"""Formats of a report: JSON, JUnit, SARIF, terminal, HTML; pages of the law."""
