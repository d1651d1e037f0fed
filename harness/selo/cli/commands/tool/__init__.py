"""Commands on Selo itself."""
