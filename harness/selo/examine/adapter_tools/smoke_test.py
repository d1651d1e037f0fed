"""Checks that an adapter follows the protocol, before its game is examined."""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.cases import Scope
from selo.cases.generate import RoundDealer
from selo.cases.generate.case_stream import stream_cases
from selo.examine.findings.declaration_findings import judge_declarations
from selo.examine.vendor_description import (
    DeclaredLimits,
    Introduction,
    check_declared_files,
    description_change,
    introduce_vendor,
)
from selo.law.files.events_file import EventRole
from selo.protocol import messages as m
from selo.protocol.schema import game_words
from selo.rules.declarations.declaration_models import RequirementStatus
from selo.vendors import HttpTransport, InProcessTransport
from selo.vendors.faults import AdapterFault, FaultKind, VendorBroken, make_fault
from selo.vendors.session import count_fault

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from selo.cases import Case
    from selo.law import Law
    from selo.protocol.messages import Offer
    from selo.protocol.schema import GameWords
    from selo.vendors.reply_reader import Reply
    from selo.vendors.session import Session


_CASE_COUNT: Final = 60
_DRAW_COUNT: Final = 32
#: Rounds that are drawn to see whether additional cards come by the drawing rule.
_RULE_COUNT: Final = 1000
#: How often a round is told to go on.
_MAX_PAUSES: Final = 8
_INDEX: Final = re.compile(r"\[\d+\]")
_MIRRORED_ORDER: Final = {"higher": "lower", "lower": "higher", "equal": "equal"}


class SmokeState(enum.StrEnum):
    """How a check ended."""

    GOOD = "good"
    NOTE = "note"
    WRONG = "wrong"
    SKIPPED = "skipped"


@dataclass(frozen=True, kw_only=True)
class SmokeCheck:
    """One check and its result."""

    name: str
    state: SmokeState
    slots: dict[str, str] = field(default_factory=dict)
    faults: tuple[AdapterFault, ...] = ()


def run_smoke_checks(
    session: Session, law: Law, games: list[str] | None = None, folder: Path | None = None
) -> Iterator[SmokeCheck]:
    """Yield each check as soon as it is done, at last that of an orderly end."""
    try:
        introduction = introduce_vendor(session, law, games)
        yield _check("describe", introduction.faults, name=introduction.description.product.name)
        yield from _check_description(session, introduction, folder)
        yield from _check_refusals(session)
        for offer in introduction.offers():
            if games is None or offer.game in games:
                yield from _check_game(session, law, offer, introduction)
        again: Any = session.ask("describe", {})
        difference = description_change(introduction.description, again)
        yield _check("same-description", () if difference is None else (difference,))
    except VendorBroken as error:
        yield SmokeCheck(name="answers", state=SmokeState.WRONG, faults=(error.fault,))
        return
    yield _check("end", tuple(session.end()))


def _check(name: str, faults: tuple[AdapterFault, ...], /, **slots: object) -> SmokeCheck:
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
    session: Session, introduction: Introduction, folder: Path | None
) -> Iterator[SmokeCheck]:
    """Check the description: version, games, files."""
    if _version_number(introduction.description.protocol) > _version_number(m.VERSION):
        yield _note("version", version=introduction.description.protocol, ours=m.VERSION)
    for game in introduction.unknown:
        yield _note("unknown-game", game=game)
    count = len(introduction.description.files)
    if not count:
        yield _note("no-files")
    elif isinstance(session.transport, HttpTransport):
        yield _note("files-unseen", count=count)
    else:
        yield _check(
            "files", tuple(check_declared_files(introduction.description, folder)), count=count
        )


def _version_number(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def _check_refusals(session: Session) -> Iterator[SmokeCheck]:
    """Check that an adapter refuses what it cannot serve, and goes on afterwards."""
    for name, method, params, codes in (
        ("unknown-method", "selo.nothing", {}, {m.NO_METHOD}),
        ("wrong-params", "settle", {"game": "selo-nothing"}, {m.WRONG_PARAMS, m.NOT_OFFERED}),
    ):
        ((_, reply),) = session.ask_all(method, [params], reads="end")
        if reply.error is None:
            problem = make_fault(FaultKind.NOT_REFUSED, method=method)
            yield _check(name, (problem,))
        elif reply.error.code not in codes:
            wanted = ", ".join(map(str, sorted(codes)))
            yield _note("other-code", method=method, code=reply.error.code, wanted=wanted)
        else:
            yield _check(name, ())


def _check_game(
    session: Session, law: Law, offer: Offer, introduction: Introduction
) -> Iterator[SmokeCheck]:
    words = game_words(law, offer.game)
    missing = [
        judgement
        for judgement in judge_declarations(law, offer, {}).judgements
        if judgement.status is RequirementStatus.MISSING
    ]
    if missing:
        # Each thing and each provision once, in the order of the law.
        texts = ["; ".join(dict.fromkeys(judgement.about for judgement in missing))]
        texts.append(", ".join(dict.fromkeys(judgement.provision for judgement in missing)))
        yield _note("undeclared", game=offer.game, what=texts[0], provisions=texts[1])
    yield from _note_withheld(offer)
    absent = [name for name in words.abilities if name not in offer.methods]
    if absent:
        yield _note("not-offered", game=offer.game, what=", ".join(absent))
    scope = Scope(games=tuple(game for game in introduction.scope.games if game.game == offer.game))
    cases = list(islice(stream_cases(law, scope, budget="quick", seed=0), 4 * _CASE_COUNT))
    limits = DeclaredLimits(law, [offer])
    if "settle" in offer.methods:
        asked = _cases_with_every_bet([case for case in cases if case.method == "settle"], offer)
        yield from _check_settle(session, offer.game, asked, limits)
    if "compare" in offer.methods:
        yield from _check_compare(
            session, offer.game, [case for case in cases if case.method == "compare"], limits
        )
    if "draw" in offer.methods:
        yield from _check_draw(session, words, law)
    if "table" in offer.methods:
        yield _check_table(session, words, offer)


def _note_withheld(offer: Offer) -> Iterator[SmokeCheck]:
    """Note what the vendor declares so that it will not be certified as the product's."""
    for who in sorted({via for via in offer.via.values() if via != m.ENGINE}):
        names = sorted(name for name, via in offer.via.items() if via == who)
        yield _note(f"via-{who}", game=offer.game, what=", ".join(names))
    if offer.cannot:
        yield _note("cannot", game=offer.game, what=", ".join(offer.cannot))
    if offer.level != m.FULL:
        yield _note("level", game=offer.game, level=offer.level)
    if offer.largest_stake is not None:
        yield _note("largest-stake", game=offer.game, stake=offer.largest_stake)
    if offer.stake_step != 1:
        yield _note("stake-step", game=offer.game, stake=offer.stake_step)


def _cases_with_every_bet(cases: list[Case], offer: Offer) -> list[Case]:
    """Return a few cases, first those that are needed to place every offered bet at least once."""
    missing = set(offer.bets)
    first: list[Case] = []
    rest: list[Case] = []
    for case in cases:
        bets = {bet.get("bet") for bet in case.bets}
        (first if bets & missing else rest).append(case)
        missing -= bets
    return [*first, *rest][:_CASE_COUNT]


def _check_settle(
    session: Session, game: str, cases: list[Case], limits: DeclaredLimits
) -> Iterator[SmokeCheck]:
    """Check that settlements are well formed, and the same when asked again."""
    asked = [case.params() for case in cases]
    faults: list[AdapterFault] = []
    # The second time backwards: a pure function does not remember earlier calls.
    form = limits.form_of(game, "settle")
    answers = [reply for _, reply in session.ask_all("settle", asked, reads=form)]
    again = [reply for _, reply in session.ask_all("settle", asked[::-1], reads=form)][::-1]
    for case, reply, repeated in zip(cases, answers, again, strict=True):
        problem = _find_settle_fault(case, limits.check(case, reply), repeated)
        if problem is not None:
            sent = msgspec.json.encode(case.params())
            faults.append(msgspec.structs.replace(problem, sent=sent))
    yield _check("settle", _first_of_each_kind(faults), game=game, count=len(asked))
    settled = [one for reply in answers if reply.result for one in reply.result.settlements]
    yield from _note_stub("settle", game, [getattr(one, "result", "") for one in settled])


def _find_settle_fault(case: Case, reply: Reply, repeated: Reply) -> AdapterFault | None:
    """Return what is wrong with the answers to one case."""
    if reply.fault is not None:
        return reply.fault
    if reply.error is not None:
        return _error_fault("settle", reply.error)
    problem = None
    if reply.skipped is None:
        problem = count_fault(len(case.bets), len(reply.result.settlements))
    answers = [reply.result or reply.skipped, repeated.result or repeated.skipped]
    if problem is None and answers[0] != answers[1]:
        problem = make_fault(FaultKind.NOT_PURE, method="settle", raw=msgspec.json.encode(answers))
    return problem


def _check_compare(
    session: Session, game: str, cases: list[Case], limits: DeclaredLimits
) -> Iterator[SmokeCheck]:
    """Check that comparisons are well formed, and mirrored when the hands are swapped."""
    faults: list[AdapterFault] = []
    pairs = [(case.a, case.b) for case in cases[:_CASE_COUNT]]
    asked = [{"game": game, "a": a, "b": b} for a, b in pairs]
    back = [{"game": game, "a": b, "b": a} for a, b in pairs]
    answers = [reply for _, reply in session.ask_all("compare", asked)]
    mirrored = [reply for _, reply in session.ask_all("compare", back)]
    for case, reply, mirror in zip(cases, answers, mirrored, strict=False):
        for answer in (limits.check(case, reply), limits.check(case, mirror)):
            if answer.fault is not None:
                faults.append(answer.fault)
            elif answer.error is not None:
                faults.append(_error_fault("compare", answer.error))
        if (
            reply.result
            and mirror.result
            and _MIRRORED_ORDER[reply.result.order] != mirror.result.order
        ):
            faults.append(make_fault(FaultKind.NOT_PURE, method="compare"))
    yield _check("compare", _first_of_each_kind(faults), game=game, count=len(asked))
    orders = [reply.result.order for reply in answers if reply.result]
    yield from _note_stub("compare", game, orders)


def _note_stub(method: str, game: str, answers: list[str]) -> Iterator[SmokeCheck]:
    """Note a method that tells every case the same, as before it is filled in."""
    if len(answers) > 1 and len({*answers}) == 1 and answers[0]:
        yield _note("stub", game=game, method=method, count=len(answers), answer=answers[0])


def _check_draw(session: Session, words: GameWords, law: Law) -> Iterator[SmokeCheck]:
    """Check that draws are outcomes of the game, and as many as were asked for.

    Additional cards that come otherwise than by the drawing rule are noted and no fault: no
    article that is held has that rule.
    """
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
    yield _check("draw", _first_of_each_kind(faults), game=words.game, count=_DRAW_COUNT)
    if not faults:
        more: Any = session.ask("draw", {**params, "count": _RULE_COUNT})
        dealer = RoundDealer.from_law(law)
        wrong = [one for one in more.outcomes if dealer.is_dealt_by_rule(one) is False]
        if wrong:
            shown = msgspec.json.encode(wrong[0]).decode()
            counts = {"count": len(wrong), "drawn": len(more.outcomes)}
            yield _note("drawing-rule", game=words.game, outcome=shown, **counts)


def _check_table(session: Session, words: GameWords, offer: Offer) -> SmokeCheck:
    """Check that a table opens, admits people, takes a bet, goes on and closes."""
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
    """Return the acts that let people arrive at the table, as far as the vendor stages them."""
    return [
        {"act": "happen", "event": words.schemas[f"{words.game}.event.{name}"]["examples"][0]}
        for name in offer.happens
        if name == words.act_of(EventRole.ARRIVES)
    ]


def _bet_acts(words: GameWords, offer: Offer) -> list[dict[str, Any]]:
    """Return the act that places the first offered bet; the table may refuse it."""
    act = words.act_of(EventRole.LAYS)
    if act is None or not offer.bets:
        return []
    laid = dict(words.schemas[f"{words.game}.bet.{offer.bets[0]}"]["examples"][0])
    # At a table the player who places a bet is its bettor.
    laid.pop("bettor", None)
    return [{"act": act, "ticket": "注-1", "player": "p1", **laid}]


def _wording_fault(problem: str, spoken: Any = None) -> AdapterFault:
    path, _, text = problem.partition(": ")
    raw = b"" if spoken is None else msgspec.json.encode(spoken)
    return make_fault(FaultKind.WRONG_WORDS, problem=text, path=path, raw=raw)


def _error_fault(method: str, error: m.Fault) -> AdapterFault:
    return make_fault(FaultKind.ERROR_ANSWER, method=method, code=error.code, problem=error.message)


def _first_of_each_kind(faults: list[AdapterFault]) -> tuple[AdapterFault, ...]:
    """Return the first fault of each kind and place."""
    first: dict[tuple[str, str], AdapterFault] = {}
    for reported in faults:
        # The same fault in another element of a list is the same kind.
        first.setdefault((reported.kind, _INDEX.sub("[]", reported.path)), reported)
    return tuple(first.values())


def lacks_protection(session: Session) -> bool:
    """Return whether the vendor runs without full isolation."""
    confinement = session.transport.confinement
    if confinement is None:
        return isinstance(session.transport, InProcessTransport)
    return not (confinement.network and confinement.files)
