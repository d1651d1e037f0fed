"""The rules: law files compiled into exact games that settle, compare and derive their results."""
