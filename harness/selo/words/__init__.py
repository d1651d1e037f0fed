"""The words: gazette sources, repairs, page rules, numerals, glossary, and how YAML is read."""
