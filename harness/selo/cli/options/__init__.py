"""Options that several commands share, resolved to values."""
