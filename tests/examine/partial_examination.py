"""Examines the settlements of a vendor that gives less than everything, in this process."""

from dataclasses import dataclass
from typing import Any

from tests.fixture_modules import load_fixture

from selo.cases.case_encoding import CaseEncoder
from selo.cases.oracle import Oracle
from selo.examine.analysis import EvidenceAnalysis
from selo.examine.conclusion import summarise_verdicts
from selo.examine.coverage import (
    coverage_of,
    find_offer_gaps,
    lost_provisions,
    withheld_provisions,
)
from selo.examine.exchange import ReductionLog
from selo.examine.exchange.chunk_exchange import ask_chunk
from selo.examine.findings import collect_findings
from selo.examine.plan import Plan, terms_of
from selo.examine.vendor_description import DeclaredLimits, introduce_vendor
from selo.vendors import InProcessTransport
from selo.vendors.resource_limits import DEFAULT_LIMITS
from selo.vendors.session import Session
from selo.verdict.rulings import NO_RULINGS, adopt_rulings


@dataclass(frozen=True, kw_only=True)
class Examined:
    """What was seen of a vendor, and what is said of it."""

    analysis: EvidenceAnalysis
    lines: list[bytes]
    summary: Any
    findings: list[Any]
    withheld: dict[Any, Any]

    def verdict(self, provision):
        """Return the result and the reason of one provision."""
        found = next(one for one in self.summary.provisions if one.provision == provision)
        return str(found.result), str(found.reason)

    def conforming(self):
        """Return the provisions that conform."""
        return {str(one.provision) for one in self.summary.provisions if one.result == "conforms"}

    @property
    def fault_kinds(self):
        """The kinds of faults of the adapter."""
        return {str(fault.kind) for fault in self.analysis.faults}


def session_with(vendor):
    return Session(InProcessTransport("vendor", given=vendor), DEFAULT_LIMITS)


PARTIAL = load_fixture("adapters/python/partial.py")
UNABLE = PARTIAL.UNABLE


def load_partial(game, manner, fault="lawful"):
    return PARTIAL.load(game, manner, fault)


def default_rulings(law):
    return adopt_rulings(law, defaults=True)


def examine(law, vendor, game, *, rulings=NO_RULINGS, with_coverage=True):
    """Put every case of the smallest plan to a vendor, and return what follows.

    Without coverage nothing conforms; findings and faults are the same.
    """
    session = session_with(vendor)
    introduced = introduce_vendor(session, law, [game])
    assert introduced.faults == ()
    terms = terms_of(
        law, introduced.scope, as_of="2026-01-01", text_as_stored=True,
        rulings=dict(rulings.followed),
        budget="quick", seed=1, provisions=[],
    )  # fmt: skip
    analysis = EvidenceAnalysis(law=law, terms=terms)
    oracle, limits = Oracle(law, terms.rulings), DeclaredLimits(law, terms.games)
    lines = []
    for chunk in Plan(law, terms).chunks():
        answered = ask_chunk(session, oracle, chunk, CaseEncoder(), limits)
        lines += answered.lines
        analysis.add_chunk(answered)
    findings = list(collect_findings(analysis.locate_causes(), ReductionLog()))
    covered = coverage_of(law, terms).counts() if with_coverage else {}
    gaps = find_offer_gaps(law, terms, introduced.description, covered)
    offers = introduced.description.games
    applicable = gaps.applicable(covered)
    withheld = withheld_provisions(law, analysis, offers, applicable) if with_coverage else {}
    lost = lost_provisions(law, analysis) if with_coverage else {}
    summary = summarise_verdicts(
        law, analysis, findings=findings, covered=applicable, missing=gaps.lacking,
        rulings=rulings, declarations={}, lost=lost,
        withheld=withheld,
    )  # fmt: skip
    return Examined(
        analysis=analysis, lines=lines, summary=summary, findings=findings, withheld=withheld
    )
