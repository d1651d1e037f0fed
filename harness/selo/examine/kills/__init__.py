"""Kill matrix: which cases would be settled differently by a mutant of the law."""
