"""What a project says once instead of on every command line: ``selo.toml``, or ``[tool.selo]``."""
