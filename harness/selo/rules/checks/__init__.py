"""Checks over all readings: every game compiles, and every reading has an effect."""
