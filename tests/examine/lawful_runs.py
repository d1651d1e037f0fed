"""Runs of the lawful reference vendor, each of one game, with a seed and a world of its own.

python -m tests.examine.lawful_runs FIRST COUNT

A run has a plan of its own seed, of which it asks some chunks of cases, free rounds repeated as
forced ones and as cases, and draws in as many looks as they need. Nothing may be found: chance is
accused once in as many runs as `chance.yaml` states.
"""

import resource
import sys

import msgspec
from tests.examine.free_play import play_freely
from tests.fixture_modules import load_fixture

from selo.cases.case_encoding import CaseEncoder
from selo.cases.oracle import Oracle
from selo.draws.draw_verdict import DrawResult
from selo.examine.exchange.chunk_exchange import ask_chunk
from selo.examine.findings import origin_of
from selo.examine.findings.draw_findings import collect_draw_findings
from selo.examine.plan import Plan
from selo.examine.vendor_description import DeclaredLimits
from selo.law import load_law
from selo.vendors import InProcessTransport
from selo.vendors.resource_limits import DEFAULT_LIMITS
from selo.vendors.sandbox.plausible_world import world_at
from selo.vendors.session import Session

GAMES = ("fish-prawn-crab", "craps", "three-card-baccarat", "fortune-three-card-poker", "bacara")
CHUNKS = 3


class LawfulRun(msgspec.Struct, frozen=True):
    """What was found in a run."""

    game: str
    #: Findings, faults and wrong answers.
    findings: list[str]
    cases: int
    #: Tests of chance that were not passed.
    doubted: list[str]


def run_lawfully(law, number):
    """Return what one run finds."""
    game = GAMES[number % len(GAMES)]
    vendor = load_fixture("adapters/python/reference.py").ReferenceVendor([game])
    spelling = world_at(f"lawful {number}", number).spelling
    results, terms = play_freely(
        law, vendor, game, seed=f"lawful {number}", draws=True, spelling=spelling
    )
    findings = list(collect_draw_findings(law, terms, results, origin_of(terms)))
    found = [one.cause for one in findings if one.verdict != "open"]
    if results.free.tally.has_faults:
        found.append("fault at a table")
    found += ["unlike" for _ in results.free.tally.unlike]
    session = Session(InProcessTransport(game, given=vendor), DEFAULT_LIMITS, spelling)
    oracle, limits, cases = Oracle(law, terms.rulings), DeclaredLimits(law, terms.games), 0
    chunks = list(Plan(law, terms).chunks())
    for at in range(CHUNKS):
        chunk = chunks[(number * CHUNKS + at) * 7 % len(chunks)]
        answered = ask_chunk(session, oracle, chunk, CaseEncoder(), limits)
        cases += answered.cases
        lines = [msgspec.json.decode(answered.lines[close]) for close in answered.close]
        found += [f"case {line['n']}" for line in lines if line.get("right") is not True]
    told = [one.test for one in results.statistics if one.verdict is not DrawResult.FAIR]
    return LawfulRun(game, found, cases, told)


def main():
    """Run so many and print what was found, and the processor time of each."""
    law = load_law()
    first, count = map(int, sys.argv[1:])
    for number in range(first, first + count):
        run = run_lawfully(law, number)
        used = resource.getrusage(resource.RUSAGE_SELF).ru_utime
        print(number, run, f"{used:.1f} s", flush=True)  # noqa: T201 - what it is for


if __name__ == "__main__":
    main()
