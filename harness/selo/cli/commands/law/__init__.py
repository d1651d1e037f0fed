"""Commands on the law."""
