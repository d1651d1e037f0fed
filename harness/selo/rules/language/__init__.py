"""The condition language of the law files: vocabulary, type check, compilation to Python."""
