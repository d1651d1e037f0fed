"""Cases to ask of every game, and what the law expects of each."""
