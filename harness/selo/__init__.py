"""Selo examines casino game software against the law of Macau, article by article."""

__version__ = "0.1.0"
