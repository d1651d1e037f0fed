"""Exact odds of every bet: nothing sampled, nothing rounded, every number out of the law files."""
