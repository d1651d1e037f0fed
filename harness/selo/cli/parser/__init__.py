"""The command line: parsers, help, usage errors, defaults."""
