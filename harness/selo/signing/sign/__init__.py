"""Signing a prepared document."""
