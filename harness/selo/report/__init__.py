"""From one examination to its documents: one model of the result, many formats."""
