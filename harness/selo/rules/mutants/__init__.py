"""Mutants: games in which the rule of one provision is changed in one small way."""
