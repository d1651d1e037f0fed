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
from selo.examine.exchange.describe_check import Introduced, changed, files_differ, introduced
from selo.examine.findings.declaration_findings import judged
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

_CASES: Final = 60
_DRAWN: Final = 32
#: A round goes on this often at most; then its adapter has lost its way.
_MOST_PAUSES: Final = 8
_NUMBER: Final = re.compile(r"\[\d+\]")
#: How the names of events begin by which people come to a table.
_ARRIVING: Final = "take-"
_MIRRORED: Final = {"higher": "lower", "lower": "higher", "equal": "equal"}


class State(enum.StrEnum):
    """How a check ended."""

    GOOD = "good"
    NOTE = "note"
    WRONG = "wrong"
    SKIPPED = "skipped"


@dataclass(frozen=True, kw_only=True)
class Check:
    """One check, and what came of it."""

    name: str
    state: State
    slots: dict[str, str] = field(default_factory=dict)
    faults: tuple[Fault, ...] = ()


def smoke(
    session: Session, law: Law, games: list[str] | None = None, folder: Path | None = None
) -> Iterator[Check]:
    """Yield every check as soon as it is done; the last is the orderly end."""
    try:
        known = introduced(session, law, games)
        yield _of("describe", known.faults, name=known.description.product.name)
        yield from _declared(session, known, folder)
        yield from _manners(session)
        for offer in known.offers():
            if games is None or offer.game in games:
                yield from _game(session, law, offer, known)
        again: Any = session.ask("describe", {})
        difference = changed(known.description, again)
        yield _of("same-description", () if difference is None else (difference,))
    except VendorBroken as error:
        yield Check(name="answers", state=State.WRONG, faults=(error.fault,))
        return
    yield _of("end", tuple(session.end()))


def _of(name: str, faults: tuple[Fault, ...], /, **slots: object) -> Check:
    return Check(
        name=name,
        state=State.WRONG if faults else State.GOOD,
        slots={key: str(value) for key, value in slots.items()},
        faults=faults,
    )


def _note(name: str, /, **slots: object) -> Check:
    return Check(
        name=name, state=State.NOTE, slots={key: str(value) for key, value in slots.items()}
    )


def _declared(session: Session, known: Introduced, folder: Path | None) -> Iterator[Check]:
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
        yield _of("files", tuple(files_differ(known.description, folder)), count=count)


def _manners(session: Session) -> Iterator[Check]:
    """Check how an adapter refuses what it cannot serve; it must go on afterwards."""
    for name, method, params, codes in (
        ("unknown-method", "selo.nothing", {}, {m.NO_METHOD}),
        ("wrong-params", "settle", {"game": "selo-nothing"}, {m.WRONG_PARAMS, m.NOT_OFFERED}),
    ):
        ((_, reply),) = session.ask_all(method, [params], reads="end")
        if reply.error is None:
            said = fault(Kind.NOT_REFUSED, method=method)
            yield _of(name, (said,))
        elif reply.error.code not in codes:
            wanted = ", ".join(map(str, sorted(codes)))
            yield _note("other-code", method=method, code=reply.error.code, wanted=wanted)
        else:
            yield _of(name, ())


def _game(session: Session, law: Law, offer: Offer, known: Introduced) -> Iterator[Check]:
    words = game_words(law, offer.game)
    missing = [one for one in judged(law, offer, {}).now if one.standing is Standing.MISSING]
    if missing:
        # In the order of the law, each thing and each provision once.
        told = ["; ".join(dict.fromkeys(one.about for one in missing))]
        told.append(", ".join(dict.fromkeys(one.provision for one in missing)))
        yield _note("undeclared", game=offer.game, what=told[0], provisions=told[1])
    scope = Scope(games=tuple(game for game in known.scope.games if game.game == offer.game))
    cases = list(islice(stream(law, scope, budget="quick", seed=0), 4 * _CASES))
    if "settle" in offer.methods:
        asked = _telling([case for case in cases if case.method == "settle"], offer)
        yield _settles(session, offer.game, asked)
    if "compare" in offer.methods:
        yield _compares(session, offer.game, [case for case in cases if case.method == "compare"])
    if "draw" in offer.methods:
        yield _draws(session, words)
    if "table" in offer.methods:
        yield _round(session, words, offer)


def _telling(cases: list[Case], offer: Offer) -> list[Case]:
    """Return a few cases in which every bet offered is made at least once, if there are such."""
    missing = set(offer.bets)
    first: list[Case] = []
    rest: list[Case] = []
    for case in cases:
        made = {bet.get("bet") for bet in case.bets}
        (first if made & missing else rest).append(case)
        missing -= made
    return [*first, *rest][:_CASES]


def _settles(session: Session, game: str, cases: list[Case]) -> Check:
    """Check that cases are settled in shape, and the same when they are asked again."""
    asked = [case.params() for case in cases]
    faults: list[Fault] = []
    # Twice, and the second time backwards: what is pure does not remember.
    answers = [reply for _, reply in session.ask_all("settle", asked)]
    again = [reply for _, reply in session.ask_all("settle", asked[::-1])][::-1]
    for params, reply, repeated in zip(asked, answers, again, strict=True):
        found = _settled(params, reply, repeated)
        if found is not None:
            faults.append(msgspec.structs.replace(found, sent=msgspec.json.encode(params)))
    return _of("settle", _first(faults), game=game, count=len(asked))


def _settled(params: dict[str, Any], reply: Reply, repeated: Reply) -> Fault | None:
    """Return what is wrong with the answer to one case."""
    if reply.fault is not None:
        return reply.fault
    if reply.error is not None:
        return _error("settle", reply.error)
    found = counted(len(params["bets"]), len(reply.result.settlements))
    if found is None and reply.result != repeated.result:
        answers = [reply.result, repeated.result]
        found = fault(Kind.NOT_PURE, method="settle", raw=msgspec.json.encode(answers))
    return found


def _compares(session: Session, game: str, cases: list[Case]) -> Check:
    """Check that hands are compared in shape, and the other way round with the other answer."""
    faults: list[Fault] = []
    pairs = [(case.a, case.b) for case in cases[:_CASES]]
    asked = [{"game": game, "a": one, "b": other} for one, other in pairs]
    back = [{"game": game, "a": other, "b": one} for one, other in pairs]
    answers = [reply for _, reply in session.ask_all("compare", asked)]
    mirrored = [reply for _, reply in session.ask_all("compare", back)]
    for reply, other in zip(answers, mirrored, strict=True):
        for one in (reply, other):
            if one.fault is not None:
                faults.append(one.fault)
            elif one.error is not None:
                faults.append(_error("compare", one.error))
        if reply.result and other.result and _MIRRORED[reply.result.order] != other.result.order:
            faults.append(fault(Kind.NOT_PURE, method="compare"))
    return _of("compare", _first(faults), game=game, count=len(asked))


def _draws(session: Session, words: GameWords) -> Check:
    """Check that outcomes drawn are outcomes of the game, and as many as were asked for."""
    params = {"game": words.game, "options": words.default_options, "count": _DRAWN}
    drawn: Any = session.ask("draw", params)
    faults = [
        _words(problem, outcome)
        for at, outcome in enumerate(drawn.outcomes)
        if (problem := words.outcome_problem(outcome, where=f"$.result.outcomes[{at}]"))
    ]
    if len(drawn.outcomes) != _DRAWN:
        faults.append(_words(f"$.result.outcomes: {len(drawn.outcomes)} instead of {_DRAWN}"))
    return _of("draw", _first(faults), game=words.game, count=_DRAWN)


def _round(session: Session, words: GameWords, offer: Offer) -> Check:
    """Check that a table opens, takes people and a bet, goes on, and closes in its game's words."""
    table = {"table": "selo-smoke-甲"}
    opened: Any = session.ask(
        "table.open", {**table, "game": words.game, "options": words.default_options}
    )
    events: list[Any] = list(opened.events)
    going = [{"act": "go-on"}] * _MOST_PAUSES
    for act in [*_arrivals(words, offer), *_bet(words, offer), *going]:
        acted: Any = session.ask("table.act", {**table, "act": act})
        events += acted.events
    closed: Any = session.ask("table.close", table)
    events += closed.events
    faults = [
        _words(problem, event)
        for at, event in enumerate(events)
        if (problem := words.event_problem(event, where=f"$.result.events[{at}]"))
    ]
    if not events:
        faults.append(_words("$.result.events: nothing ever happens at this table"))
    return _of("table", _first(faults), game=words.game, count=len(events))


def _arrivals(words: GameWords, offer: Offer) -> list[dict[str, Any]]:
    """Return the acts by which somebody comes to the table, where they can be staged."""
    return [
        {"act": "happen", "event": words.schemas[f"{words.game}.event.{name}"]["examples"][0]}
        for name in offer.happens
        if name.startswith(_ARRIVING)
    ]


def _bet(words: GameWords, offer: Offer) -> list[dict[str, Any]]:
    """Return the act by which the first bet offered is placed; it may well be refused."""
    if not offer.bets:
        return []
    laid = dict(words.schemas[f"{words.game}.bet.{offer.bets[0]}"]["examples"][0])
    # At a table whoever places a bet is its bettor.
    laid.pop("bettor", None)
    return [{"act": "place-bet", "ticket": "注-1", "player": "p1", **laid}]


def _words(problem: str, spoken: Any = None) -> Fault:
    path, _, said = problem.partition(": ")
    raw = b"" if spoken is None else msgspec.json.encode(spoken)
    return fault(Kind.WRONG_WORDS, problem=said, path=path, raw=raw)


def _error(method: str, error: m.Fault) -> Fault:
    return fault(Kind.ERROR_ANSWER, method=method, code=error.code, problem=error.message)


def _first(faults: list[Fault]) -> tuple[Fault, ...]:
    """Return the first fault of each kind: one example says as much as sixty."""
    found: dict[tuple[str, str], Fault] = {}
    for reported in faults:
        # Whether it is the first event or the seventh makes no other kind of it.
        found.setdefault((reported.kind, _NUMBER.sub("[]", reported.path)), reported)
    return tuple(found.values())


def caution(session: Session) -> bool:
    """Return whether the vendor runs without all the protection there could be."""
    confinement = session.transport.confinement
    if confinement is None:
        return isinstance(session.transport, Inside)
    return not (confinement.network and confinement.files)
