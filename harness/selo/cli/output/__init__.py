"""Output: terminal, streams, progress, exit codes, errors."""
