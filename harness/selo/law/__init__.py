"""The law: instruments, articles and provisions as data, with everything that proves them right."""
