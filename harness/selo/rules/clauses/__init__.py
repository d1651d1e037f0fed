"""Clauses as written in the law files: their models and their reader."""
