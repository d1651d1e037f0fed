"""The gate: what the vendor knows to be wrong, what the authority permits, and the exit code."""
