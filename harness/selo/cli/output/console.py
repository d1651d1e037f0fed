"""The console of rich, which must not choose an exit code of its own."""

from __future__ import annotations

from rich.console import Console


class Screen(Console):
    """A console that says when its reader has gone away."""

    def on_broken_pipe(self) -> None:
        """Pass it on: rich would leave with 1, by which a game breaks the law."""
        raise BrokenPipeError
