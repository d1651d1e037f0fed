"""Findings: collected, shrunk to a minimal example, put to a vendor again."""
