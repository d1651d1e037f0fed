"""One module for each command: its work."""
