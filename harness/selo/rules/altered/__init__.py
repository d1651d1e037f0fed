"""Small changes of written clauses: how a rule could be otherwise, one step away from the law."""
