"""Compiled mutants: mutants of the law that are compiled once, on first use."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from selo.rules.mutants import ANSWER_ERRORS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selo.rules.mutants import Mutant


class CompiledMutant:
    """A mutant of the law that is compiled on first use."""

    def __init__(self, variant: Mutant) -> None:
        self.variant = variant
        self.provision, self.cause = variant.provision, variant.cause
        self.is_line = variant.is_line
        self.was, self.now = variant.was, variant.now

    @cached_property
    def _bets(self) -> frozenset[str]:
        return self.variant.bets()

    @cached_property
    def _game(self) -> Any:
        try:
            # Only settlements are needed, never their derivation.
            return self.variant.compile().without_reasons()
        except ANSWER_ERRORS as error:
            return error

    def bets(self) -> frozenset[str]:
        """Return the bets that the mutant can affect."""
        return self._bets

    def compile(self) -> Any:
        """Return the compiled game, or raise if the mutant does not compile."""
        if isinstance(self._game, Exception):
            raise self._game
        return self._game

    def compile_with(self, others: Sequence[CompiledMutant]) -> Any:
        """Return the game that answers as several mutants do together."""
        return self.variant.compile_with([other.variant for other in others]).without_reasons()

    def with_value(self, field: str, value: Any, part: str | None = None) -> CompiledMutant | None:
        """Return the mutant that gives a field of the clause another value."""
        variant = self.variant.with_value(field, value, part)
        return None if variant is None else CompiledMutant(variant)

    @cached_property
    def _displaced(self) -> list[CompiledMutant]:
        return [CompiledMutant(mutant) for mutant in self.variant.displaced()]

    def displaced(self) -> list[CompiledMutant]:
        """Return the mutants that have the line of an order at every other place."""
        return self._displaced
