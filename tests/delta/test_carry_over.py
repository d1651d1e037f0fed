"""What a certificate may carry over: every condition has a case in which it alone is not met."""

import datetime as dt

import msgspec
import pytest

from selo.delta import CarryDecision, EarlierCertificate, read_change_policy
from selo.delta.carry_over import CarryObstacle
from selo.engine import ENGINE
from selo.examine.behaviour import CarriedProvision, Predecessor
from selo.examine.plan import Plan
from selo.report.model.dossier import DocumentKind
from selo.verdict import Result
from selo.verification.document_parts import open_document

DAY = dt.date(2026, 6, 1)
PRIZE = "portaria-21-96-m/6/h"
OTHER = "portaria-21-96-m/6/i"


@pytest.fixture(scope="session")
def certificate(sides, root):
    """The report of a certificate of the lawful build: the fields that carrying over reads."""
    kept = open_document((root / "fixtures/documents/engine-1/document.pdf").read_bytes()).report
    description = sides["lawful"].header.description
    some = kept.provisions[0]
    return msgspec.structs.replace(
        kept,
        kind=DocumentKind.CERTIFICATE,
        number="C-1",
        item=msgspec.structs.replace(
            kept.item, vendor=description.vendor.name, product=description.product.name
        ),
        dates=msgspec.structs.replace(
            kept.dates, first_day=DAY, issued=DAY, valid_until=DAY + dt.timedelta(days=365)
        ),
        provisions=[
            msgspec.structs.replace(some, id=name, result=Result.CONFORMS)
            for name in sides["lawful"].law.provisions
        ],
    )


@pytest.fixture
def decide(sides, certificate):
    """Decide on what the refactored build carries over, with some things changed."""

    def of(report=None, header=None, terms=None, day=DAY, policy=None, **changes):
        before, after = sides["lawful"], sides["refactored"]
        return CarryDecision(
            earlier=EarlierCertificate(
                report=report or certificate,
                header=header or before.header,
                law=before.law,
                canonical=before.canonical,
            ),
            law=after.law,
            terms=terms or after.header.terms,
            first_day=day,
            policy=policy or read_change_policy(),
            **{
                "description": after.header.description,
                "canonical": after.canonical,
                **changes,
            },
        )

    return of


def test_the_same_behaviour_under_the_same_law_is_carried_over(decide):
    carried = decide().carried()

    assert carried[PRIZE] == CarriedProvision(certificate="C-1", examined_on=DAY, times=1)
    assert len(carried) > 30


def test_only_a_certificate_is_carried_over_from(decide, certificate):
    report = msgspec.structs.replace(certificate, kind=DocumentKind.TEST_REPORT)

    assert decide(report).obstacles()[PRIZE] is CarryObstacle.NOT_CERTIFIED
    assert not decide(report).carried()


@pytest.mark.parametrize("result", [one for one in Result if one is not Result.CONFORMS])
def test_only_what_conformed_is_carried_over(decide, certificate, result):
    provisions = [
        msgspec.structs.replace(one, result=result) if one.id == PRIZE else one
        for one in certificate.provisions
    ]

    decision = decide(msgspec.structs.replace(certificate, provisions=provisions))

    assert decision.obstacles()[PRIZE] is CarryObstacle.NOT_CERTIFIED
    assert decision.obstacles()[OTHER] is None


@pytest.mark.parametrize("days", [-1, 366])
def test_the_certificate_was_valid_when_the_run_began(decide, days):
    assert decide(day=DAY + dt.timedelta(days=days)).obstacles()[PRIZE] is CarryObstacle.EXPIRED


def test_a_certificate_without_end_is_not_carried_over_from(decide, certificate):
    dates = msgspec.structs.replace(certificate.dates, valid_until=None)

    decision = decide(msgspec.structs.replace(certificate, dates=dates))

    assert decision.obstacles()[PRIZE] is CarryObstacle.EXPIRED


def test_the_certificate_is_of_the_same_product(decide, certificate):
    item = msgspec.structs.replace(certificate.item, product="Other games")

    decision = decide(msgspec.structs.replace(certificate, item=item))

    assert decision.obstacles()[PRIZE] is CarryObstacle.PRODUCT


def test_the_earlier_examination_was_no_smaller(decide, sides):
    terms = msgspec.structs.replace(sides["refactored"].header.terms, budget="full")

    assert decide(terms=terms).obstacles()[PRIZE] is CarryObstacle.EXTENT


def test_a_changed_prize_is_not_carried_over_and_all_else_is(decide, sides):
    whole, changed = decide(), decide(canonical=sides["prize"].canonical)

    assert changed.obstacles()[PRIZE] is CarryObstacle.BEHAVIOUR
    assert whole.carried().keys() - changed.carried().keys() == {PRIZE}


@pytest.mark.full
def test_without_fingerprints_nothing_is_carried_over(decide):
    decision = decide(canonical=None)

    assert decision.obstacles()[PRIZE] is CarryObstacle.NO_FINGERPRINT
    assert not decision.carried()


def chained(sides, times, day):
    link = CarriedProvision(certificate="C-0", examined_on=day, times=times)
    predecessor = Predecessor(
        certificate="C-0", sha256="0" * 64, evidence_root="0" * 64, carried={PRIZE: link}
    )
    return msgspec.structs.replace(sides["lawful"].header, predecessor=predecessor)


def test_a_provision_is_carried_over_as_often_as_the_limit_says_and_not_once_more(decide, sides):
    most = read_change_policy().limits.times

    last = decide(header=chained(sides, most - 1, DAY))
    over = decide(header=chained(sides, most, DAY))

    assert last.carried()[PRIZE] == CarriedProvision(certificate="C-0", examined_on=DAY, times=most)
    assert over.obstacles()[PRIZE] is CarryObstacle.TIMES
    assert over.obstacles()[OTHER] is None


def test_a_provision_is_carried_over_as_long_as_the_limit_says_and_no_day_more(decide, sides):
    days = dt.timedelta(days=read_change_policy().limits.days)

    last = decide(header=chained(sides, 1, DAY - days))
    over = decide(header=chained(sides, 1, DAY - days - dt.timedelta(days=1)))

    assert last.obstacles()[PRIZE] is None
    assert over.obstacles()[PRIZE] is CarryObstacle.DAYS


def test_engines_are_compatible_only_if_that_is_stated(decide, sides):
    before = sides["lawful"].header
    older = msgspec.structs.replace(before, terms=msgspec.structs.replace(before.terms, engine=0))
    stated = msgspec.structs.replace(read_change_policy(), compatible_engines=[(0, ENGINE)])

    assert decide(header=older).obstacles()[PRIZE] is CarryObstacle.ENGINE
    assert decide(header=older, policy=stated).obstacles()[PRIZE] is None


@pytest.mark.full
def test_the_plan_examines_again_only_what_is_not_carried_over(decide, sides, law):
    terms = msgspec.structs.replace(sides["refactored"].header.terms, budget="standard", seed=7)
    every = sorted(decide().carried())
    sizes = {
        name: Plan(law, msgspec.structs.replace(terms, carried=carried)).size()
        for name, carried in (
            ("nothing", []),
            ("all but one", [one for one in every if one != PRIZE]),
            ("all", every),
        )
    }
    smallest = Plan(law, msgspec.structs.replace(terms, budget="quick")).size()

    assert sizes["all"] == smallest
    assert smallest < sizes["all but one"] <= sizes["nothing"]
    # The case that decides it is asked as in a plan that carries nothing over.
    again = msgspec.structs.replace(terms, carried=[one for one in every if one != PRIZE])
    groups = {group.name for _, group in Plan(law, again).groups()}
    assert groups >= {
        group.name
        for _, group in Plan(law, msgspec.structs.replace(terms, provisions=[PRIZE])).groups()
    }


def test_what_is_carried_over_is_part_of_the_plan(sides):
    terms = sides["lawful"].header.terms

    assert terms.digest != msgspec.structs.replace(terms, carried=[PRIZE]).digest
