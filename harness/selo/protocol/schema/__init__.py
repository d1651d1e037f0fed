"""JSON Schemas of each game on the wire, and readers that validate against them."""
