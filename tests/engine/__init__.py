"""The engine: what judging depends on, and a document of each engine that every build verifies."""
