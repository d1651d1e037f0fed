"""One module for each command: its options and its work."""
