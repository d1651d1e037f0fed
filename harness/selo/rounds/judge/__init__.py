"""Judges a played round: order of events, answers to acts, settlement."""
