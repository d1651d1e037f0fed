"""Commands on seals, evidence and witnesses."""
