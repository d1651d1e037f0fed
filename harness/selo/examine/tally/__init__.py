"""Tallies of answers: counts, differences, and which readings they fit."""
