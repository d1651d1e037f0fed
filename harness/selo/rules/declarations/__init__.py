"""What a vendor declares of its tables, checked against the law."""
