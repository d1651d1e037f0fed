"""Scripts of live rounds: written, generated, and one for each prize line."""
