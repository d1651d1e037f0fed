"""Is an adapter sane, before its game is judged? One check after the other, each in plain words."""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.cases import Scope
from selo.cases.generate.case_stream import stream
from selo.examine.description.describe_check import (
    Introduction,
    check_declared_files,
    description_change,
    introduce_vendor,
)
from selo.examine.findings.declaration_findings import judge_declarations
from selo.protocol import messages as m
from selo.protocol.schema import game_words
from selo.rules.declarations import Standing
from selo.vendors import Inside, Web
from selo.vendors.faults import Fault, Kind, VendorBroken, fault
from selo.vendors.session import counted

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from selo.cases import Case
    from selo.law.loader import Law
    from selo.protocol.messages import Offer
    from selo.protocol.schema import GameWords
    from selo.vendors.reply_reader import Reply
    from selo.vendors.session import Session

_CASE_COUNT: Final = 60
_DRAW_COUNT: Final = 32
#: A round goes on this often at most; then its adapter has lost its way.
_MAX_PAUSES: Final = 8
_INDEX: Final = re.compile(r"\[\d+\]")
#: How the names of events begin by which people come to a table.
_ARRIVAL_PREFIX: Final = "take-"
_MIRRORED_ORDER: Final = {"higher": "lower", "lower": "higher", "equal": "equal"}


class SmokeState(enum.StrEnum):
    """How a check ended."""

    GOOD = "good"
    NOTE = "note"
    WRONG = "wrong"
    SKIPPED = "skipped"


@dataclass(frozen=True, kw_only=True)
class SmokeCheck:
    """One check, and what came of it."""

    name: str
    state: SmokeState
    slots: dict[str, str] = field(default_factory=dict)
    faults: tuple[Fault, ...] = ()


def run_smoke_checks(
    session: Session, law: Law, games: list[str] | None = None, folder: Path | None = None
) -> Iterator[SmokeCheck]:
    """Yield every check as soon as it is done; the last is the orderly end."""
    try:
        known = introduce_vendor(session, law, games)
        yield _check("describe", known.faults, name=known.description.product.name)
        yield from _check_description(session, known, folder)
        yield from _check_refusals(session)
        for offer in known.offers():
            if games is None or offer.game in games:
                yield from _check_game(session, law, offer, known)
        again: Any = session.ask("describe", {})
        difference = description_change(known.description, again)
        yield _check("same-description", () if difference is None else (difference,))
    except VendorBroken as error:
        yield SmokeCheck(name="answers", state=SmokeState.WRONG, faults=(error.fault,))
        return
    yield _check("end", tuple(session.end()))


def _check(name: str, faults: tuple[Fault, ...], /, **slots: object) -> SmokeCheck:
    return SmokeCheck(
        name=name,
        state=SmokeState.WRONG if faults else SmokeState.GOOD,
        slots={key: str(value) for key, value in slots.items()},
        faults=faults,
    )


def _note(name: str, /, **slots: object) -> SmokeCheck:
    return SmokeCheck(
        name=name, state=SmokeState.NOTE, slots={key: str(value) for key, value in slots.items()}
    )


def _check_description(
    session: Session, known: Introduction, folder: Path | None
) -> Iterator[SmokeCheck]:
    """Check what the description says: version, games, files."""
    if known.description.protocol != m.VERSION:
        yield _note("version", version=known.description.protocol, ours=m.VERSION)
    for game in known.unknown:
        yield _note("unknown-game", game=game)
    count = len(known.description.files)
    if not count:
        yield _note("no-files")
    elif isinstance(session.transport, Web):
        yield _note("files-unseen", count=count)
    else:
        yield _check("files", tuple(check_declared_files(known.description, folder)), count=count)


def _check_refusals(session: Session) -> Iterator[SmokeCheck]:
    """Check how an adapter refuses what it cannot serve; it must go on afterwards."""
    for name, method, params, codes in (
        ("unknown-method", "selo.nothing", {}, {m.NO_METHOD}),
        ("wrong-params", "settle", {"game": "selo-nothing"}, {m.WRONG_PARAMS, m.NOT_OFFERED}),
    ):
        ((_, reply),) = session.ask_all(method, [params], reads="end")
        if reply.error is None:
            said = fault(Kind.NOT_REFUSED, method=method)
            yield _check(name, (said,))
        elif reply.error.code not in codes:
            wanted = ", ".join(map(str, sorted(codes)))
            yield _note("other-code", method=method, code=reply.error.code, wanted=wanted)
        else:
            yield _check(name, ())


def _check_game(
    session: Session, law: Law, offer: Offer, known: Introduction
) -> Iterator[SmokeCheck]:
    words = game_words(law, offer.game)
    missing = [
        one for one in judge_declarations(law, offer, {}).now if one.standing is Standing.MISSING
    ]
    if missing:
        # In the order of the law, each thing and each provision once.
        told = ["; ".join(dict.fromkeys(one.about for one in missing))]
        told.append(", ".join(dict.fromkeys(one.provision for one in missing)))
        yield _note("undeclared", game=offer.game, what=told[0], provisions=told[1])
    scope = Scope(games=tuple(game for game in known.scope.games if game.game == offer.game))
    cases = list(islice(stream(law, scope, budget="quick", seed=0), 4 * _CASE_COUNT))
    if "settle" in offer.methods:
        asked = _cases_with_every_bet([case for case in cases if case.method == "settle"], offer)
        yield _check_settle(session, offer.game, asked)
    if "compare" in offer.methods:
        yield _check_compare(
            session, offer.game, [case for case in cases if case.method == "compare"]
        )
    if "draw" in offer.methods:
        yield _check_draw(session, words)
    if "table" in offer.methods:
        yield _check_table(session, words, offer)


def _cases_with_every_bet(cases: list[Case], offer: Offer) -> list[Case]:
    """Return a few cases in which every bet offered is made at least once, if there are such."""
    missing = set(offer.bets)
    first: list[Case] = []
    rest: list[Case] = []
    for case in cases:
        made = {bet.get("bet") for bet in case.bets}
        (first if made & missing else rest).append(case)
        missing -= made
    return [*first, *rest][:_CASE_COUNT]


def _check_settle(session: Session, game: str, cases: list[Case]) -> SmokeCheck:
    """Check that cases are settled in shape, and the same when they are asked again."""
    asked = [case.params() for case in cases]
    faults: list[Fault] = []
    # Twice, and the second time backwards: what is pure does not remember.
    answers = [reply for _, reply in session.ask_all("settle", asked)]
    again = [reply for _, reply in session.ask_all("settle", asked[::-1])][::-1]
    for params, reply, repeated in zip(asked, answers, again, strict=True):
        found = _find_settle_fault(params, reply, repeated)
        if found is not None:
            faults.append(msgspec.structs.replace(found, sent=msgspec.json.encode(params)))
    return _check("settle", _first_of_each_kind(faults), game=game, count=len(asked))


def _find_settle_fault(params: dict[str, Any], reply: Reply, repeated: Reply) -> Fault | None:
    """Return what is wrong with the answer to one case."""
    if reply.fault is not None:
        return reply.fault
    if reply.error is not None:
        return _error_fault("settle", reply.error)
    found = counted(len(params["bets"]), len(reply.result.settlements))
    if found is None and reply.result != repeated.result:
        answers = [reply.result, repeated.result]
        found = fault(Kind.NOT_PURE, method="settle", raw=msgspec.json.encode(answers))
    return found


def _check_compare(session: Session, game: str, cases: list[Case]) -> SmokeCheck:
    """Check that hands are compared in shape, and the other way round with the other answer."""
    faults: list[Fault] = []
    pairs = [(case.a, case.b) for case in cases[:_CASE_COUNT]]
    asked = [{"game": game, "a": one, "b": other} for one, other in pairs]
    back = [{"game": game, "a": other, "b": one} for one, other in pairs]
    answers = [reply for _, reply in session.ask_all("compare", asked)]
    mirrored = [reply for _, reply in session.ask_all("compare", back)]
    for reply, other in zip(answers, mirrored, strict=True):
        for one in (reply, other):
            if one.fault is not None:
                faults.append(one.fault)
            elif one.error is not None:
                faults.append(_error_fault("compare", one.error))
        if (
            reply.result
            and other.result
            and _MIRRORED_ORDER[reply.result.order] != other.result.order
        ):
            faults.append(fault(Kind.NOT_PURE, method="compare"))
    return _check("compare", _first_of_each_kind(faults), game=game, count=len(asked))


def _check_draw(session: Session, words: GameWords) -> SmokeCheck:
    """Check that outcomes drawn are outcomes of the game, and as many as were asked for."""
    params = {"game": words.game, "options": words.default_options, "count": _DRAW_COUNT}
    drawn: Any = session.ask("draw", params)
    faults = [
        _wording_fault(problem, outcome)
        for at, outcome in enumerate(drawn.outcomes)
        if (problem := words.outcome_problem(outcome, where=f"$.result.outcomes[{at}]"))
    ]
    if len(drawn.outcomes) != _DRAW_COUNT:
        faults.append(
            _wording_fault(f"$.result.outcomes: {len(drawn.outcomes)} instead of {_DRAW_COUNT}")
        )
    return _check("draw", _first_of_each_kind(faults), game=words.game, count=_DRAW_COUNT)


def _check_table(session: Session, words: GameWords, offer: Offer) -> SmokeCheck:
    """Check that a table opens, takes people and a bet, goes on, and closes in its game's words."""
    table = {"table": "selo-smoke-甲"}
    opened: Any = session.ask(
        "table.open", {**table, "game": words.game, "options": words.default_options}
    )
    events: list[Any] = list(opened.events)
    going = [{"act": "go-on"}] * _MAX_PAUSES
    for act in [*_arrival_acts(words, offer), *_bet_acts(words, offer), *going]:
        acted: Any = session.ask("table.act", {**table, "act": act})
        events += acted.events
    closed: Any = session.ask("table.close", table)
    events += closed.events
    faults = [
        _wording_fault(problem, event)
        for at, event in enumerate(events)
        if (problem := words.event_problem(event, where=f"$.result.events[{at}]"))
    ]
    if not events:
        faults.append(_wording_fault("$.result.events: nothing ever happens at this table"))
    return _check("table", _first_of_each_kind(faults), game=words.game, count=len(events))


def _arrival_acts(words: GameWords, offer: Offer) -> list[dict[str, Any]]:
    """Return the acts by which somebody comes to the table, where they can be staged."""
    return [
        {"act": "happen", "event": words.schemas[f"{words.game}.event.{name}"]["examples"][0]}
        for name in offer.happens
        if name.startswith(_ARRIVAL_PREFIX)
    ]


def _bet_acts(words: GameWords, offer: Offer) -> list[dict[str, Any]]:
    """Return the act by which the first bet offered is placed; it may well be refused."""
    if not offer.bets:
        return []
    laid = dict(words.schemas[f"{words.game}.bet.{offer.bets[0]}"]["examples"][0])
    # At a table whoever places a bet is its bettor.
    laid.pop("bettor", None)
    return [{"act": "place-bet", "ticket": "注-1", "player": "p1", **laid}]


def _wording_fault(problem: str, spoken: Any = None) -> Fault:
    path, _, said = problem.partition(": ")
    raw = b"" if spoken is None else msgspec.json.encode(spoken)
    return fault(Kind.WRONG_WORDS, problem=said, path=path, raw=raw)


def _error_fault(method: str, error: m.Fault) -> Fault:
    return fault(Kind.ERROR_ANSWER, method=method, code=error.code, problem=error.message)


def _first_of_each_kind(faults: list[Fault]) -> tuple[Fault, ...]:
    """Return the first fault of each kind: one example says as much as sixty."""
    found: dict[tuple[str, str], Fault] = {}
    for reported in faults:
        # Whether it is the first event or the seventh makes no other kind of it.
        found.setdefault((reported.kind, _INDEX.sub("[]", reported.path)), reported)
    return tuple(found.values())


def lacks_protection(session: Session) -> bool:
    """Return whether the vendor runs without all the protection there could be."""
    confinement = session.transport.confinement
    if confinement is None:
        return isinstance(session.transport, Inside)
    return not (confinement.network and confinement.files)
