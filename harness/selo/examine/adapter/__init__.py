"""Tools for adapter authors: smoke test and templates."""
