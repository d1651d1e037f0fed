"""Commands on the registry of certificates."""
