"""The vendor protocol: its messages, its games, and its description for machines and people."""

__all__ = ["messages", "request_spelling"]
