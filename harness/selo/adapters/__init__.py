"""How Selo reaches a vendor's game: four transports, one session, and what may go wrong."""
