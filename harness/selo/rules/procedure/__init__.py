"""The order of a round: step clauses compiled to an automaton over logs of events."""
