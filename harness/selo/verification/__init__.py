"""Whether a document is what it says: checked by anybody, years later, believing nobody."""
