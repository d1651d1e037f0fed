"""Fault localisation: which provision and which misreading explain wrong answers."""
