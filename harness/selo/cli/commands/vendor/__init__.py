"""Commands on a vendor's adapter."""
