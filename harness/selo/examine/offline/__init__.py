"""Examination by files: vectors out, answers back."""
