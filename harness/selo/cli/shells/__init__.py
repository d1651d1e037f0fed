"""Completion of command lines, one module for each shell, all from the same tree of commands."""
