"""Witness forms: what only a person can see, as YAML, as HTML, and read back."""
