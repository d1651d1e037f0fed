"""Scripts analysed: step coverage, exercised provisions, shrinking."""
