"""Checks of ``selo doctor``."""
