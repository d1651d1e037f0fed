"""Plays live rounds and writes their lines of evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from selo.evidence.canonical_json import encode_canonical
from selo.rounds import PlayedScript, Script, play_scripts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.rounds.judge import RoundJudge
    from selo.vendors.session import Session


#: The method, and the default group, of a round in the evidence.
ROUND: Final = "round"


class RoundsLeftOut(list[str]):
    """Why some rounds of a game are not played."""


class PlayedRound(msgspec.Struct, frozen=True):
    """A played round: its line of evidence except for the number."""

    before: bytes
    after: bytes
    different: bool

    def line(self, number: int) -> bytes:
        """Return the line with its number."""
        return b"%b%d%b" % (self.before, number, self.after)


def play_rounds(
    session: Session, judge: RoundJudge, scripts: list[Script]
) -> Iterator[PlayedRound]:
    """Play scripts and yield the line of evidence of each."""
    for script, played in play_scripts(session, scripts):
        differences = judge.judge(script, played)
        yield PlayedRound(
            *_parts_around_number(script, played, good=not differences), bool(differences)
        )


def round_line(number: int, script: Script, played: PlayedScript, *, good: bool) -> bytes:
    """Return the line of evidence of a round that was judged good or not."""
    before, after = _parts_around_number(script, played, good=good)
    return b"%b%d%b" % (before, number, after)


def _parts_around_number(
    script: Script, played: PlayedScript, *, good: bool
) -> tuple[bytes, bytes]:
    """Return the parts of a line before and after its number: names are sorted."""
    before = encode_canonical(
        {
            "answer": msgspec.to_builtins(played),
            "game": script.game,
            "group": script.group or ROUND,
            "method": ROUND,
        }
    )
    after = encode_canonical(
        {
            "params": msgspec.to_builtins(script),
            "right": good and not played.faults and not played.declined,
        }
    )
    return before[:-1] + b',"n":', b"," + after[1:]
