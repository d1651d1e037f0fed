"""The outcome of an examination: phases, verdicts, result file."""
