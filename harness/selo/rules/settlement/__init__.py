"""Compiled games: settle bets, compare hands, and derive every result from provisions."""
