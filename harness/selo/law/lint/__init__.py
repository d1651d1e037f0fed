"""Lints of the law files: structure, quotations, partition, concordance, register."""
