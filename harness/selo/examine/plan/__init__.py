"""The plan: cases, live rounds and draws of one examination, in order."""
