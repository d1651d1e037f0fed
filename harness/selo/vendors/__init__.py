"""Sessions with vendors over four transports: limits, isolation, faults."""
