"""Reports that nobody examined, with the real words of the law, for tests of how they are told."""

import datetime as dt
import hashlib
import itertools

import msgspec
from tests.games import GAMES

from selo.examine.findings.finding import Finding, FindingOrigin, cite_ground
from selo.law.citation import cite
from selo.law.files.provision_file import Way
from selo.law.ledger import list_forces
from selo.report.content.finding_sheets import FindingSheetWriter
from selo.report.content.instruments_in_scope import articles_in_scope, norms_in_scope
from selo.report.model.dossier import Body, DossierSignatory, Opinion, ProductPart
from selo.report.model.report_model import (
    REPORT_FORMAT,
    AdoptedReading,
    Attachment,
    CountRecord,
    DatesRecord,
    DocumentKind,
    Evidence,
    FileRecord,
    GameRecord,
    GroupRecord,
    HouseEdge,
    ItemRecord,
    Method,
    MissingRequirement,
    OfferedGameRecord,
    OpenPoint,
    ProvisionRecord,
    Report,
    Seed,
    StatementRecord,
    StatisticRecord,
    Totals,
)
from selo.report.phrases.composition import words
from selo.report.phrases.labels import Labels
from selo.rules.mutants import find_cause
from selo.rules.readings import Readings
from selo.text.multilingual import Text, Words
from selo.vendors.sandbox import GUARANTEES
from selo.verdict.observations import EntryTrust, Person, Photo, Witness, WitnessAnswer
from selo.verdict.overall import OVERALL_EXITS, Overall
from selo.verdict.provision_verdict import Result, VerdictReason

DAY = dt.date(2026, 1, 31)
SOME_DIGEST = hashlib.sha256(b"synthetic").hexdigest()
#: What is attached, by name.
FILES = {
    "evidence.jsonl.zst": b"evidence" * 400,
    "plan.json": b'{"plan":1}\n',
    "specs.lock.json": b'{"spec_digest":"00"}\n',
    "witness-1.yaml": b"form: 1\n",
}
_MAIN = (Way.EXAMINATION, Way.PROCEDURE, Way.CONFIGURATION, Way.STATISTICS, Way.INSPECTION)
_REASONS = {
    Result.CONFORMS: VerdictReason.EXAMINED,
    Result.WITNESSED: VerdictReason.WITNESSED,
    Result.VIOLATES: VerdictReason.VIOLATION,
    Result.NOT_EXAMINED: VerdictReason.NOT_TESTABLE,
}


def twice(pt, zh):
    return Words(pt=pt, zh=zh, en=pt)


def won(prize, commission=0):
    return {"result": "win", "prize": prize, "commission": commission, "stake": 100}


#: One finding for each kind of equipment, and one in a round.
FOUND = (
    {
        "game": "fish-prawn-crab",
        "provisions": ["portaria-21-96-m/6/h"],
        "method": "settle",
        "params": {
            "game": "fish-prawn-crab",
            "options": {},
            "outcome": {"dice": ["fish", "fish", "fish"]},
            "bets": [{"bet": "three-of-figure", "choice": "fish", "stake": 100}],
        },
        "bet": 0,
        "expected": won(15000),
        "observed": won(18000),
        "money": 3000,
        "besides": ["portaria-21-96-m/5/h"],
    },
    {
        "game": "craps",
        "provisions": ["portaria-97-85-m/5"],
        "method": "settle",
        "params": {
            "game": "craps",
            "options": {},
            "outcome": {"throws": [[4, 2], [0, 6], [4, 4]]},
            "bets": [{"at": 0, "bet": "hard-way", "choice": 8, "stake": 100}],
        },
        "bet": 0,
        "expected": won(900),
        "observed": won(700),
        "money": -200,
        "cause": "prize hard-way: odds 9:1 become 7:1",
        "besides": ["portaria-97-85-m/2/1"],
    },
    {
        "game": "bacara",
        "provisions": ["despacho-2-2009/18/1"],
        "method": "settle",
        "params": {
            "game": "bacara",
            "options": {},
            "outcome": {"banker": ["7D", "7H", "2C"], "player": ["7H", "7S", "7C"]},
            "bets": [{"bet": "banker", "bettor": "1", "stake": 100}],
        },
        "bet": 0,
        "expected": won(100, 5),
        "observed": won(100, 4),
        "money": 1,
        "besides": ["despacho-2-2009/13/1/2"],
    },
    {
        "game": "three-card-baccarat",
        "provisions": ["portaria-22-96-m/9/5"],
        "method": "settle",
        "params": {
            "game": "three-card-baccarat",
            "options": {},
            "outcome": {"banker": ["QC", "9S", "10H"], "seats": {"1": ["KH", "4S", "5D"]}},
            "bets": [{"bet": "tie", "seat": "1", "stake": 100}],
        },
        "bet": 0,
        "expected": won(2000),
        "observed": won(2500),
        "money": 500,
        "besides": ["portaria-22-96-m/8/3/par-1"],
    },
    {
        "game": "pai-kao",
        "provisions": ["portaria-96-85-m/annex/98", "portaria-96-85-m/annex/100"],
        "method": "compare",
        "params": {"game": "pai-kao", "a": ["1/4", "3/3"], "b": ["4/6", "5/6"]},
        "bet": None,
        "expected": {"order": "higher"},
        "observed": {"order": "equal"},
        "money": None,
    },
    {
        "game": "fish-prawn-crab",
        "provisions": ["portaria-21-96-m/2"],
        "method": "round",
        "cause": "accepted",
        "params": {
            "game": "fish-prawn-crab",
            "acts": [
                {"act": "force", "outcome": {"dice": ["crab", "crab", "coin"]}},
                *(
                    {"act": "place-bet", "bet": "big", "player": "ana", "stake": 100, "ticket": one}
                    for one in "abcdefghijklmnopqrst"
                ),
                {"act": "go-on"},
            ],
            "group": "written",
            "name": "bets-before-the-sign",
            "reason": "no bet is taken before the sign lights up",
            "provisions": ["portaria-21-96-m/2"],
        },
        "bet": None,
        "expected": {},
        "observed": {"act": 1, "event": "place-bet", "bet": "big", "answer": "accepted"},
        "money": None,
    },
    {
        "game": "fortune-three-card-poker",
        "provisions": ["despacho-78-2008/10/2"],
        "method": "settle",
        "params": {
            "game": "fortune-three-card-poker",
            "options": {},
            "outcome": {"croupier": ["AS", "2S", "3S"], "places": {"1": ["AH", "AD", "AC"]}},
            "bets": [{"bet": "pair-plus", "place": "1", "stake": 100}],
        },
        "bet": 0,
        "expected": won(2500),
        "observed": won(3000),
        "money": 500,
        "besides": ["despacho-78-2008/5/1/2"],
    },
)


def sheets(law, number, games=GAMES):
    """Return so many findings of some games, the kinds of them in turn."""
    write = FindingSheetWriter(Labels(law), "MOP", 2, law)
    kinds = itertools.cycle([_with_cause(law, one) for one in FOUND if one["game"] in games])
    return [_sheet(law, write, kind, at) for at, kind in zip(range(1, number + 1), kinds)]  # noqa: B905 - the kinds never end


def _with_cause(law, kind):
    cause = find_cause(law, kind["provisions"], Readings(law), kind.get("cause", ""))
    return {**kind, "cause_parts": cause}


def _sheet(law, write, kind, at):
    named = [*kind["provisions"], *kind.get("besides", [])]
    found = Finding(
        id=f"F-{at:03}",
        verdict="violates",
        game=kind["game"],
        provisions=kind["provisions"],
        cause=kind.get("cause", ""),
        cause_parts=kind["cause_parts"],
        times=at * 13,
        ways=1,
        first=at,
        method=kind["method"],
        params=kind["params"],
        bet=kind["bet"],
        expected=kind["expected"],
        observed=kind["observed"],
        money=kind["money"],
        law=[cite_ground(law, name, []) for name in named],
        readings=[],
        origin=FindingOrigin(selo="0.1.0", spec_digest=SOME_DIGEST, rulings={}),
    )
    made = write.write(found)
    money = "138,888.89" if kind["money"] else None
    return msgspec.structs.replace(made, per_million=money, per_million_is=money and "counted")


def provisions(law, games, findings):
    """Return every provision of some games: it conforms unless a finding names it."""
    broken = {}
    for one in findings:
        for name in one.provisions:
            broken.setdefault(name, []).append(one.id)
    held = [one for one in law.provisions.values() if one.instrument.game in games]
    forces = list_forces(law)
    return [
        _provision(law, one, at, broken.get(one.id, []), forces[one.id])
        for at, one in enumerate(held)
    ]


def _provision(law, held, at, broken, force):
    ways = [Way(held.provision.verified_by), *map(Way, held.provision.also)]
    counts = any(way in _MAIN for way in ways)
    result = Result.VIOLATES if broken else Result.CONFORMS
    if ways == [Way.INSPECTION] and not broken:
        result = Result.WITNESSED
    if not counts:
        result = Result.NOT_EXAMINED
    cited = cite(law, held)
    return ProvisionRecord(
        id=held.id,
        instrument=held.instrument.id,
        game=held.instrument.game,
        article=held.article.article.article,
        citation=Text(pt=cited.pt, zh=cited.zh),
        full_citation=Text(pt=cited.pt_full, zh=cited.zh_full),
        text=held.provision.text,
        ways=ways,
        force=force,
        result=result,
        reason=_REASONS[result],
        because=words(f"verdict.reason.{_REASONS[result]}"),
        counts=counts,
        parts=[],
        cases=0 if not counts else 815 + at,
        decisive=0 if not counts else 25,
        findings=broken[:5],
        faults=[],
        followed=[],
        witnesses=[_witness(held.id)] if result is Result.WITNESSED else [],
        divergences=[],
        evidence=at + 2 if counts else None,
        planted=2 if counts else None,
        killed=2 if counts else None,
    )


def _witness(provision):
    return Witness(
        provision=provision,
        signed=EntryTrust.VALID,
        result=WitnessAnswer.MET,
        observation="Demonstration entry",
        examiner=Person(name="Demonstration examiner 1", number="D-1"),
        second=Person(name="Demonstration examiner 2", number="D-2"),
        date=DAY,
        place="Demonstration table",
        photos=(Photo(file="table.jpg", sha256=SOME_DIGEST),),
        form=hashlib.sha256(FILES["witness-1.yaml"]).hexdigest(),
    )


def attachments():
    kinds = ("evidence", "plan", "specs", "witness")
    return [
        Attachment(
            name=name,
            what=words(f"report.attachment.{kind}"),
            sha256=hashlib.sha256(data).hexdigest(),
            size=len(data),
            attached=True,
        )
        for (name, data), kind in zip(FILES.items(), kinds, strict=True)
    ]


def report(law, *, kind=DocumentKind.CERTIFICATE, games=GAMES, findings=0, **changes):
    """Return a report of some games with so many findings; `changes` replace its fields."""
    found = sheets(law, findings, games)
    told = provisions(law, games, found)
    overall = Overall.VIOLATES if found else Overall.CONFORMS
    attached = attachments()
    names = Labels(law)
    instruments = {one.instrument.game: one.instrument.id for one in law.folders}
    made = Report(
        format=REPORT_FORMAT,
        kind=kind,
        demonstration=False,
        number="SELO-2026-0001",
        revision=1,
        supersedes=None,
        scheme=words("report.scheme"),
        overall=overall,
        exit=OVERALL_EXITS[overall],
        counts=_counts(told),
        aside=sum(not one.counts for one in told),
        games=[
            GameRecord(
                game=game,
                name=names.game(game),
                instrument=instruments[game],
                overall=Overall.VIOLATES
                if any(one.game == game for one in found)
                else Overall.CONFORMS,
                counts=_counts([one for one in told if one.game == game]),
                aside=0,
            )
            for game in games
        ],
        issuer=Body(
            name="Demonstration laboratory",
            address="1, Demonstration Street, Macau",
            contact="laboratory@demonstration.example",
            licence="DEMONSTRATION-ACCREDITATION-1",
        ),
        client=Body(name="Demonstration client", licence="DEMONSTRATION-LICENCE-2"),
        recipients=["Demonstration bureau"],
        place="Demonstration laboratory",
        item=_item(),
        offered=[
            OfferedGameRecord(
                game=game,
                name=names.game(game),
                methods=["settle", "table"],
                bets=["small", "big"],
                options={"limits": ["none", "declared"]},
                forces=True,
            )
            for game in games
        ],
        dates=DatesRecord(
            received=dt.date(2026, 1, 15),
            first_day=dt.date(2026, 1, 20),
            last_day=dt.date(2026, 1, 22),
            issued=DAY,
            valid_until=dt.date(2027, 1, 31),
            time_zone="UTC+08:00",
        ),
        norms=norms_in_scope(law, games, DAY),
        method=_method(games),
        cases=[
            CountRecord(
                game=game, method="settle", cases=815, right=815, different=0, silent=0, faults=0
            )
            for game in games
        ],
        articles=list(articles_in_scope(law, games)),
        provisions=told,
        findings=found,
        faults=[],
        open_points=[_open()] if found else [],
        statistics=[_statistic(game) for game in games[:1]],
        edges=[_edge(games[0], at) for at in range(1, 8)],
        evidence=Evidence(
            root=SOME_DIGEST, lines=19225, cases=18977, rounds=246, file=attached[0]
        ),
        attachments=attached,
        forms=[attached[-1].sha256],
        opinions=[
            Opinion(says=twice("Uma opinião", "一項意見"), basis="experience", by="Demonstration 1")
        ],
        conditions=[
            words("report.condition.files"),
            words("report.condition.until", day="2027-01-31"),
        ],
        limits=[words(f"report.limit.{name}") for name in ("items", "in-full", "change")],
        deviations=[],
        permissions=[],
        known_issues=[],
        signatories=[_signatory("laboratory"), _signatory("bureau")],
        missing=[] if not found else [_missing()],
        totals=Totals(
            provisions=len(told), examined=len(told) - 30, witnessed=11, not_examinable=27,
            silent=60, divergent=72, cases=18977, rounds=246,
        ),
        statement=StatementRecord(
            verdict=words(f"report.verdict.{overall}"),
            covers=words("report.statement.covers"),
            rule=words("report.statement.rule"),
            risk=words("report.statement.risk"),
            recommendation=words(f"report.recommendation.{overall}"),
            verify=words("report.statement.verify"),
        ),
    )  # fmt: skip
    return msgspec.structs.replace(made, **changes)


def _counts(told):
    return {result: sum(one.result is result for one in told if one.counts) for result in Result}


def _item():
    return ItemRecord(
        vendor="Reference vendor",
        contact="vendor@demonstration.example",
        product="Reference games",
        version="1.0",
        files=[
            FileRecord(
                path=f"games/part-{at}.py", sha256=SOME_DIGEST, size=4000 + at, sha1="0" * 40
            )
            for at in range(1, 7)
        ],
        currency="MOP",
        decimals=2,
        rounding={"prize": "down", "commission": "down"},
        random="The random source of the operating system",
        parts=[
            ProductPart(name="engine", version="1.0"),
            ProductPart(name="pay table", version="1.0"),
        ],
        platform="Demonstration platform",
        received=dt.date(2026, 1, 15),
        condition="complete",
    )


def _method(games):
    return Method(
        selo="0.1.0",
        protocol="1.0",
        spec_digest=SOME_DIGEST,
        plan=SOME_DIGEST,
        as_of=DAY,
        text_as_stored=True,
        budget="full",
        seed=Seed(number=4711, commitment=SOME_DIGEST, revealed="5eed"),
        tool={"selo": "0.1.0", "python": "3.11"},
        confinement=dict.fromkeys(GUARANTEES, True),
        groups=[
            GroupRecord(
                game=game,
                name="every-case",
                reason=twice("todos os casos", "全部個案"),
                cases=216,
                complete=True,
            )
            for game in games
        ],
        adopted=[
            AdoptedReading(
                question=twice("pergunta", "問題"),
                divergence="21-96-m-3-c--leaning-dice",
                reading="stacked-or-leaning",
                says=twice("Dados sobrepostos ou encostados", "骰子相疊或斜靠"),
                source="file",
                by="Demonstration bureau",
                on=DAY,
                decides=True,
            )
        ],
        provisions=[],
        vendor_command="python reference.py",
        left_out=[],
    )  # fmt: skip


def _open():
    return OpenPoint(
        divergence="21-96-m-3-c--leaning-dice",
        provisions=["portaria-21-96-m/3/c"],
        question=twice("Dados encostados", "骰子斜靠"),
        readings={"a": twice("Uma leitura", "一種解讀"), "b": twice("Outra leitura", "另一種解讀")},
        default="a",
        follows="b",
        times=2,
        cases=2,
        ruled=None,
    )


def _statistic(game):
    return StatisticRecord(
        test="chi-square", game=game, provisions=[], sample=100000, statistic="4.21", freedom=5,
        p_value="0.52", level="0.001", result="fair", power="0.999",
    )  # fmt: skip


def _edge(game, at):
    return HouseEdge(
        game=game, bet="small", name=f"Aposta {at}", exact=f"{at}/36", decimal=f"{at / 0.36:.4f}%",
        declared=f"{at / 0.36:.2f}%", observed=f"{at / 0.36 + 0.2:.2f}%",
    )  # fmt: skip


def _signatory(role):
    return DossierSignatory(
        name=f"Demonstration signatory of the {role}",
        capacity=Words(pt="Director técnico (demonstração)", zh="技術主管（示範）", en="Manager"),
        role=role,
    )


def _missing():
    return MissingRequirement(key="overall", says=twice("Há violações", "存在違規"))
