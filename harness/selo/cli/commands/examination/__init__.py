"""Commands on the examination."""
