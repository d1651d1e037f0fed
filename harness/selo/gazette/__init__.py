"""The gazette as received: sources, logged repairs, page rules, number words, glossary."""
