"""Self-test: planted faults and generated mutants, and the kill score."""
