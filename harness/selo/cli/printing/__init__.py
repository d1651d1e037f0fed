"""Printers of results."""
