"""Outcomes of a vendor's own random source, held against the exact chances of the law."""
