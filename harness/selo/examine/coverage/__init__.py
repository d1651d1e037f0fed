"""Decisive coverage: which provisions a plan or a run covers, and which it lost."""
