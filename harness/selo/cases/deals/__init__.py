"""Hands of a pack of cards, and tables to which they are dealt."""

__all__ = ["sample_hands", "table_deals"]
