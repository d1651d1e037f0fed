"""Models of the files under ``specs/``: closed structs, one module for each kind of file."""
