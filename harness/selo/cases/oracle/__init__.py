"""The oracle: what the law expects of a case, with its caches."""
