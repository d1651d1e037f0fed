"""Validating the signatures of a document, offline."""
