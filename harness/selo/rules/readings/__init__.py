"""The reading followed on each open point."""
