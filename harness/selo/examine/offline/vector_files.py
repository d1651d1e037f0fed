"""Examination by files: questions out on one day, answers back on another, no line between.

A folder of vectors holds ``requests.jsonl``, which travels to the vendor, and ``vectors.json``,
which stays here: from it the same cases and the same ids come again when answers are graded.
The vendor's own adapter answers the file as it would answer us, line by line.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from itertools import count, islice
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec
from msgspec import Meta

from selo import __version__
from selo.cases import Offered, Scope, everything
from selo.cases.generate.case_stream import stream
from selo.cases.group import Budget
from selo.cases.oracle import Oracle
from selo.examine.exchange.describe_check import declared_wrongly, offered_of
from selo.examine.offline import table_transcript
from selo.examine.offline.answer_file import Answers
from selo.examine.offline.table_transcript import tables_of
from selo.examine.plan.live_rounds import Rounds, line_of, scripts_of
from selo.examine.tally import Tally
from selo.law.spec_digest import spec_digest
from selo.protocol import messages as m
from selo.rounds.judge import Judge
from selo.rules.checks.game_check import games as known_games
from selo.rules.readings import Readings
from selo.text import wrong
from selo.vendors.faults import Kind, VendorBroken, broken

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from selo.cases import Case
    from selo.law.loader import Law
    from selo.rounds import Script
    from selo.vendors.reply_reader import Reply

REQUESTS: Final = "requests.jsonl"
HEADER: Final = "vectors.json"
_ID_DIGITS: Final = 16
_KEY_BYTES: Final = 16
_CASE_METHODS: Final = ("settle", "compare")
#: What tells the names of tables from the ids of requests.
_TABLE: Final = "table-"
_encode: Final = msgspec.json.Encoder().encode


class Game(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was asked of one game."""

    game: str
    methods: list[str]
    bets: list[str]
    options: dict[str, list[Any] | m.Range]


class Vectors(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that decides which questions were written."""

    protocol: str
    selo: str
    spec_digest: str
    games: list[Game]
    #: What was asked of tables.
    tables: list[m.Offer]
    budget: Budget
    seed: int
    rulings: dict[str, str]
    #: From this the ids are made; whoever has it can tell one case from another.
    key: Annotated[str, Meta(pattern=f"^[0-9a-f]{{{2 * _KEY_BYTES}}}$")]
    cases: int
    rounds: int
    #: All lines, with those of describe and end.
    requests: int
    requests_sha256: str
    #: Made of everything above with the key: grading by another header would blame the vendor.
    seal: str = ""


class Graded(msgspec.Struct, frozen=True, kw_only=True):
    """What came of grading a file of answers."""

    description: m.Description
    tally: Tally
    rounds: Rounds


def scope_of(description: m.Description | None, law: Law, games: list[str] | None) -> Scope:
    """Return what may be asked: what a vendor declared, or everything the law knows."""
    if description is None:
        return everything(law, games)
    wanted = set(known_games(law)) if games is None else set(games)
    offers = [game for game in description.games if game.game in wanted]
    return Scope(games=tuple(map(offered_of, offers)))


def tables_offered(
    description: m.Description | None, law: Law, games: list[str] | None
) -> list[m.Offer]:
    """Return the tables of which may be asked: those declared, or all that the law knows."""
    wanted = known_games(law) if games is None else games
    if description is None:
        return tables_of(law, wanted)
    return [game for game in description.games if game.game in wanted and "table" in game.methods]


def write(  # noqa: PLR0913 - each is a choice of its own
    folder: Path,
    law: Law,
    scope: Scope,
    *,
    tables: list[m.Offer],
    budget: Budget,
    seed: int,
    rulings: dict[str, str],
    told: Callable[[int], None] = lambda _: None,
) -> Vectors:
    """Write the questions into a new folder and return what decides them."""
    if folder.exists() and any(folder.iterdir()):
        raise wrong("not-empty-folder", folder=folder)
    folder.mkdir(parents=True, exist_ok=True)
    vectors = Vectors(
        protocol=m.VERSION,
        selo=__version__,
        spec_digest=spec_digest(law),
        games=[_game(game) for game in scope.games],
        tables=tables,
        budget=budget,
        seed=seed,
        rulings=rulings,
        key=secrets.token_hex(_KEY_BYTES),
        cases=0,
        rounds=0,
        requests=0,
        requests_sha256="",
    )
    digest = hashlib.sha256()
    ids = _ids(vectors.key)
    asked = {"cases": 0, "rounds": 0, "requests": 0}
    with (folder / REQUESTS).open("wb") as file:
        for method, params in _questions(law, scope, vectors):
            line = _line(next(ids), method, params)
            digest.update(line)
            file.write(line)
            asked["cases"] += method in _CASE_METHODS
            asked["rounds"] += method == "table.open"
            asked["requests"] += 1
            told(1)
        file.flush()
        os.fsync(file.fileno())
    vectors = msgspec.structs.replace(vectors, **asked, requests_sha256=digest.hexdigest())
    vectors = msgspec.structs.replace(vectors, seal=_seal(vectors))
    text = msgspec.json.format(msgspec.json.encode(vectors), indent=2)
    (folder / HEADER).write_bytes(text + b"\n")
    return vectors


def _game(offered: Offered) -> Game:
    return Game(
        game=offered.game,
        methods=sorted(offered.methods),
        bets=list(offered.bets),
        options={name: _values(values) for name, values in offered.options.items()},
    )


def _values(values: Sequence[Any]) -> list[Any] | m.Range:
    # A range may hold every amount there is.
    if isinstance(values, range):
        return m.Range(start=values.start, to=values.stop - 1)
    return list(values)


def _offer(game: Game) -> Offered:
    return Offered(
        game=game.game,
        methods=frozenset(game.methods),
        bets=tuple(game.bets),
        options={
            name: range(values.start, values.to + 1) if isinstance(values, m.Range) else values
            for name, values in game.options.items()
        },
    )


def _seal(vectors: Vectors) -> str:
    plain = msgspec.json.encode(msgspec.structs.replace(vectors, seal=""))
    return hmac.digest(bytes.fromhex(vectors.key), plain, "sha256").hex()


def _line(name: str, method: str, params: Any) -> bytes:
    return _encode(m.Request(id=name, method=method, params=params)) + b"\n"


def _ids(key: str, kind: str = "") -> Iterator[str]:
    """Yield the opaque ids of a folder of vectors, or names of a kind, one after the other."""
    secret = bytes.fromhex(key)
    for number in count():
        made = hmac.digest(secret, f"{kind}{number}".encode(), "sha256")
        yield made.hex()[:_ID_DIGITS]


def _questions(law: Law, scope: Scope, vectors: Vectors) -> Iterator[tuple[str, Any]]:
    yield "describe", {}
    for case in _cases(law, scope, vectors):
        yield case.method, case.params()
    for script, table in _scripts(law, vectors):
        yield from table_transcript.asked(script, table)
    yield "end", {}


def _cases(law: Law, scope: Scope, vectors: Vectors) -> Iterator[Case]:
    methods = {game.game: game.methods for game in scope.games}
    for case in stream(
        law, scope, budget=vectors.budget, seed=vectors.seed, rulings=vectors.rulings
    ):
        if case.method in methods[case.game]:
            yield case


def _scripts(law: Law, vectors: Vectors) -> Iterator[tuple[Script, str]]:
    """Yield every script with the name of its table."""
    found, _ = scripts_of(law, vectors.tables, seed=vectors.seed, budget=vectors.budget)
    yield from zip(found, _ids(vectors.key, _TABLE), strict=False)


def read(folder: Path, law: Law) -> Vectors:
    """Return what decides the questions of a folder, if they can still be made again."""
    path = folder / HEADER
    try:
        vectors = msgspec.json.decode(path.read_bytes(), type=Vectors)
    except (OSError, msgspec.DecodeError) as error:
        raise wrong("vectors-unread", path=path, error=error) from error
    if (vectors.spec_digest, vectors.selo) != (spec_digest(law), __version__):
        raise wrong("vectors-other", path=path, selo=vectors.selo)
    if not hmac.compare_digest(vectors.seal, _seal(vectors)):
        raise wrong("vectors-altered", path=path)
    return vectors


def grade(
    folder: Path, answers: Path, law: Law, told: Callable[[int], None] = lambda _: None
) -> Graded:
    """Compare a vendor's answers with what the law expects."""
    vectors = read(folder, law)
    with Answers(answers) as coming:
        return _graded(vectors, coming, law, told)


def _graded(vectors: Vectors, coming: Answers, law: Law, told: Callable[[int], None]) -> Graded:
    scope = Scope(games=tuple(map(_offer, vectors.games)))
    tally = Tally(Oracle(law, vectors.rulings))
    rounds = Rounds(law, vectors)
    ids = _ids(vectors.key)
    digest = hashlib.sha256()

    def answer(method: str, params: Any) -> Reply:
        name = next(ids)
        digest.update(_line(name, method, params))
        told(1)
        return coming.answer(name, method)

    described = answer("describe", {})
    if described.result is None:
        raise _unfit(described, "describe")
    tally.faults += declared_wrongly(law, described.result)
    offers = {game.game: offered_of(game) for game in described.result.games}
    for case in _cases(law, scope, vectors):
        reply = answer(case.method, case.params())
        if _offered(case, offers.get(case.game)):
            tally.take(case, reply)
        else:
            tally.not_offered += 1
    judge = Judge(law, Readings(law, vectors.rulings))
    for number, (script, table) in enumerate(_scripts(law, vectors)):
        played = table_transcript.played(script, table, answer)
        if table_transcript.offered(script, described.result.games, law):
            tally.blame(one for _, one in played.faults)
            good = not judge.judge(script, played)
            rounds.take(line_of(number, script, played, good=good), right=good and played.whole)
        else:
            tally.not_offered += 1
    ended = answer("end", {})
    if ended.result is None:
        tally.faults.append(_unfit(ended, "end").fault)
    coming.finish(islice(_ids(vectors.key), vectors.requests))
    if digest.hexdigest() != vectors.requests_sha256:
        raise wrong("vectors-lost")
    return Graded(description=described.result, tally=tally, rounds=rounds)


def _offered(case: Case, offer: Offered | None) -> bool:
    """Return whether a vendor that answered at leisure offers all that a case asks for."""
    return (
        offer is not None
        and case.method in offer.methods
        and all(bet["bet"] in offer.bets for bet in case.bets)
        and offer.allows(case.options)
    )


def _unfit(reply: Reply, method: str) -> VendorBroken:
    if reply.fault is not None:
        return VendorBroken(reply.fault)
    code, said = (0, "") if reply.error is None else (reply.error.code, reply.error.message)
    return broken(Kind.ERROR_ANSWER, method=method, code=code, problem=said)
