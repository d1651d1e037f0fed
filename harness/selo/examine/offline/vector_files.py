"""Examination by files: writes requests for a vendor, and grades its file of answers later.

A folder of vectors holds ``requests.jsonl``, which goes to the vendor, and ``vectors.json``, which
stays here: it determines the same cases and the same ids again when answers are graded. The
vendor's adapter answers the file line by line, as it would answer a live examination.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from itertools import count, islice
from typing import TYPE_CHECKING, Annotated, Any, Final, Protocol

import msgspec
from msgspec import Meta

from selo import __version__
from selo.cases import OfferedGame, Scope, offer_everything
from selo.cases.generate.case_stream import stream_cases
from selo.cases.group import Budget
from selo.cases.oracle import Oracle
from selo.examine.live_rounds import RoundTally, round_line, scripts_for_offers
from selo.examine.offline import table_transcript
from selo.examine.offline.answer_file import AnswerFile
from selo.examine.offline.table_transcript import full_table_offers
from selo.examine.tally import Tally
from selo.examine.vendor_description import DeclaredLimits, check_description, offered_of
from selo.law import compute_spec_digest
from selo.protocol import messages as m
from selo.rounds.judge import RoundJudge
from selo.rules.checks import list_games as known_games
from selo.rules.readings import Readings
from selo.storage import read_json, write_file
from selo.table_values import StakeLimits
from selo.text import user_error
from selo.vendors.faults import FaultKind, VendorBroken, vendor_broken

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from selo.cases import Case
    from selo.law import Law
    from selo.rounds import PlayedScript, Script
    from selo.vendors.reply_reader import Reply


REQUESTS_FILE: Final = "requests.jsonl"
VECTORS_FILE: Final = "vectors.json"
_ID_DIGITS: Final = 16
_KEY_BYTES: Final = 16
_CASE_METHODS: Final = ("settle", "compare")
#: Distinguishes the names of tables from the ids of requests.
_TABLE_PREFIX: Final = "table-"
_encode: Final = msgspec.json.Encoder().encode


class VectorGame(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was asked of one game."""

    game: str
    methods: list[str]
    bets: list[str]
    options: dict[str, list[Any] | m.Range]
    #: What the vendor declares of its answers, as in a plan.
    cannot: list[str] = []
    level: m.Level = m.FULL
    history: bool = False
    largest_stake: int | None = None
    stake_step: int = 1
    via: dict[str, m.Via] = {}

    def offered(self) -> OfferedGame:
        """Return what was asked as an offer."""
        return _offered_game(self)


class Vectors(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that decides which questions were written."""

    protocol: str
    selo: str
    spec_digest: str
    games: list[VectorGame]
    #: The tables that live rounds are played at.
    tables: list[m.Offer]
    budget: Budget
    seed: int
    rulings: dict[str, str]
    #: The secret key of the ids, which must not tell a vendor which case a request is.
    key: Annotated[str, Meta(pattern=f"^[0-9a-f]{{{2 * _KEY_BYTES}}}$")]
    cases: int
    rounds: int
    #: The number of all requests, with describe and end.
    requests: int
    requests_sha256: str
    #: MAC over everything above: grading by an altered file would blame the vendor.
    seal: str = ""


class GradedAnswers(msgspec.Struct, frozen=True, kw_only=True):
    """A graded file of answers."""

    description: m.Description
    tally: Tally
    rounds: RoundTally


def vector_scope(description: m.Description | None, law: Law, games: list[str] | None) -> Scope:
    """Return the scope of the vectors: what a vendor offers, or everything in the law."""
    if description is None:
        return offer_everything(law, games)
    wanted = set(known_games(law)) if games is None else set(games)
    offers = [game for game in description.games if game.game in wanted]
    return Scope(games=tuple(map(offered_of, offers)))


def vector_tables(
    description: m.Description | None, law: Law, games: list[str] | None
) -> list[m.Offer]:
    """Return the tables of the vectors: those that a vendor offers, or all in the law."""
    wanted = known_games(law) if games is None else games
    if description is None:
        return full_table_offers(law, wanted)
    return [game for game in description.games if game.game in wanted and "table" in game.methods]


def write_vectors(  # noqa: PLR0913 - each is a choice of its own
    folder: Path,
    law: Law,
    scope: Scope,
    *,
    tables: list[m.Offer],
    budget: Budget,
    seed: int,
    rulings: dict[str, str],
    on_progress: Callable[[int], None] = lambda _: None,
) -> Vectors:
    """Write the requests into a new folder, and return the vectors that determine them."""
    if folder.exists() and any(folder.iterdir()):
        raise user_error("not-empty-folder", folder=folder)
    folder.mkdir(parents=True, exist_ok=True)
    vectors = Vectors(
        protocol=m.VERSION,
        selo=__version__,
        spec_digest=compute_spec_digest(law),
        games=[_vector_game(game) for game in scope.games],
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
    counts = {"cases": 0, "rounds": 0, "requests": 0}
    try:
        with (folder / REQUESTS_FILE).open("xb") as file:
            for method, params in _requests(law, scope, vectors):
                line = _request_line(next(ids), method, params)
                digest.update(line)
                file.write(line)
                counts["cases"] += method in _CASE_METHODS
                counts["rounds"] += method == "table.open"
                counts["requests"] += 1
                on_progress(1)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        # Requests without their vectors are of no use to anybody.
        (folder / REQUESTS_FILE).unlink(missing_ok=True)
        raise
    vectors = msgspec.structs.replace(vectors, **counts, requests_sha256=digest.hexdigest())
    vectors = msgspec.structs.replace(vectors, seal=_seal(vectors))
    text = msgspec.json.format(msgspec.json.encode(vectors), indent=2)
    write_file(folder / VECTORS_FILE, text + b"\n")
    return vectors


def _vector_game(offered: OfferedGame) -> VectorGame:
    return VectorGame(
        game=offered.game,
        methods=sorted(offered.methods),
        bets=list(offered.bets),
        options={name: _option_values(values) for name, values in offered.options.items()},
        cannot=list(offered.cannot),
        level=offered.level,
        history=offered.history,
        largest_stake=offered.stake_limits.largest,
        stake_step=offered.stake_limits.step,
        via=dict(sorted(offered.via.items())),
    )


def _option_values(values: Sequence[Any]) -> list[Any] | m.Range:
    # A range may be too long for a list.
    if isinstance(values, range):
        return m.Range(start=values.start, to=values.stop - 1)
    return list(values)


def _offered_game(game: VectorGame) -> OfferedGame:
    return OfferedGame(
        game=game.game,
        methods=frozenset(game.methods),
        bets=tuple(game.bets),
        options={
            name: range(values.start, values.to + 1) if isinstance(values, m.Range) else values
            for name, values in game.options.items()
        },
        cannot=tuple(game.cannot),
        level=game.level,
        history=game.history,
        via=game.via,
        stake_limits=StakeLimits(largest=game.largest_stake, step=game.stake_step),
    )


def _seal(vectors: Vectors) -> str:
    plain = msgspec.json.encode(msgspec.structs.replace(vectors, seal=""))
    return hmac.digest(bytes.fromhex(vectors.key), plain, "sha256").hex()


def _request_line(name: str, method: str, params: Any) -> bytes:
    return _encode(m.Request(id=name, method=method, params=params)) + b"\n"


def _ids(key: str, kind: str = "") -> Iterator[str]:
    """Yield the opaque ids of a folder of vectors, or of one kind of names."""
    secret = bytes.fromhex(key)
    for number in count():
        mac = hmac.digest(secret, f"{kind}{number}".encode(), "sha256")
        yield mac.hex()[:_ID_DIGITS]


def _requests(law: Law, scope: Scope, vectors: Vectors) -> Iterator[tuple[str, Any]]:
    yield "describe", {}
    for case in _cases(law, scope, vectors):
        yield case.method, case.params()
    for script, table in _scripts(law, vectors):
        yield from table_transcript.script_requests(script, table)
    yield "end", {}


def _cases(law: Law, scope: Scope, vectors: Vectors) -> Iterator[Case]:
    methods = {game.game: game.methods for game in scope.games}
    for case in stream_cases(
        law, scope, budget=vectors.budget, seed=vectors.seed, rulings=vectors.rulings
    ):
        if case.method in methods[case.game]:
            yield case


def _scripts(law: Law, vectors: Vectors) -> Iterator[tuple[Script, str]]:
    """Yield every script with the name of its table."""
    scripts, _ = scripts_for_offers(law, vectors.tables, seed=vectors.seed, budget=vectors.budget)
    yield from zip(scripts, _ids(vectors.key, _TABLE_PREFIX), strict=False)


def read_vectors(folder: Path, law: Law) -> Vectors:
    """Return the vectors of a folder; raise if they were altered or made by another edition."""
    path = folder / VECTORS_FILE
    try:
        vectors = read_json(path, Vectors)
    except (OSError, msgspec.DecodeError) as error:
        raise user_error("vectors-unread", path=path, error=error) from error
    if (vectors.spec_digest, vectors.selo) != (compute_spec_digest(law), __version__):
        raise user_error("vectors-other", path=path, selo=vectors.selo)
    if not hmac.compare_digest(vectors.seal, _seal(vectors)):
        raise user_error("vectors-altered", path=path)
    return vectors


class AnswerObserver(Protocol):
    """Learns of every question and its answer while a file is graded."""

    def described(self, vectors: Vectors, description: m.Description) -> None:
        """Learn what the vendor offers, before anything else."""

    def answered(self, case: Case, reply: Reply) -> None:
        """Learn of the answer to a case."""

    def left_out(self, case: Case) -> None:
        """Learn of a case that asks for what is not offered."""

    def played(self, script: Script, played: PlayedScript, *, good: bool) -> None:
        """Learn of a live round, and whether it was lawful."""


class _SilentObserver:
    """Ignores everything."""

    def described(self, vectors: Vectors, description: m.Description) -> None:
        """Ignore what is offered."""

    def answered(self, case: Case, reply: Reply) -> None:
        """Ignore an answer."""

    def left_out(self, case: Case) -> None:
        """Ignore a case."""

    def played(self, script: Script, played: PlayedScript, *, good: bool) -> None:
        """Ignore a round."""


def grade_answers(
    folder: Path,
    answers: Path,
    law: Law,
    on_progress: Callable[[int], None] = lambda _: None,
    observer: AnswerObserver | None = None,
) -> GradedAnswers:
    """Grade a vendor's answers against the law."""
    vectors = read_vectors(folder, law)
    with AnswerFile(answers) as answer_file:
        return _grade(vectors, answer_file, law, on_progress, observer or _SilentObserver())


def _grade(
    vectors: Vectors,
    answer_file: AnswerFile,
    law: Law,
    on_progress: Callable[[int], None],
    observer: AnswerObserver,
) -> GradedAnswers:
    scope = Scope(games=tuple(map(_offered_game, vectors.games)))
    rounds = RoundTally(law, vectors)
    ids = _ids(vectors.key)
    digest = hashlib.sha256()

    def answer(method: str, params: Any, form: str | None = None) -> Reply:
        name = next(ids)
        digest.update(_request_line(name, method, params))
        on_progress(1)
        return answer_file.answer(name, form or method)

    described = answer("describe", {})
    if described.result is None:
        raise _broken_answer(described, "describe")
    observer.described(vectors, described.result)
    levels = {game.game: game.level for game in described.result.games}
    tally = Tally(Oracle(law, vectors.rulings, levels))
    tally.faults += check_description(law, described.result)
    limits = DeclaredLimits(law, described.result.games)
    offers = {game.game: offered_of(game) for game in described.result.games}
    for case in _cases(law, scope, vectors):
        reply = answer(case.method, case.params(), limits.form_of(case.game, case.method))
        if _is_offered(case, offers.get(case.game)):
            checked = limits.check(case, reply)
            tally.take(case, checked)
            observer.answered(case, checked)
        else:
            tally.not_offered += 1
            observer.left_out(case)
    judge = RoundJudge(law, Readings(law, vectors.rulings))
    for number, (script, table) in enumerate(_scripts(law, vectors)):
        played = table_transcript.read_transcript(script, table, answer)
        if table_transcript.is_offered(script, described.result.games, law):
            tally.keep_faults(fault for _, fault in played.faults)
            good = not judge.judge(script, played)
            observer.played(script, played, good=good)
            rounds.take(
                round_line(number, script, played, good=good), right=good and played.is_complete
            )
        else:
            tally.not_offered += 1
    ended = answer("end", {})
    if ended.result is None:
        tally.faults.append(_broken_answer(ended, "end").fault)
    answer_file.finish(islice(_ids(vectors.key), vectors.requests))
    if digest.hexdigest() != vectors.requests_sha256:
        raise user_error("vectors-lost")
    return GradedAnswers(description=described.result, tally=tally, rounds=rounds)


def _is_offered(case: Case, offer: OfferedGame | None) -> bool:
    """Return whether a vendor offers all that a case needs."""
    return (
        offer is not None
        and case.method in offer.methods
        and all(bet["bet"] in offer.bets for bet in case.bets)
        and offer.allows(case.options)
    )


def _broken_answer(reply: Reply, method: str) -> VendorBroken:
    if reply.fault is not None:
        return VendorBroken(reply.fault)
    code, problem = (0, "") if reply.error is None else (reply.error.code, reply.error.message)
    return vendor_broken(FaultKind.ERROR_ANSWER, method=method, code=code, problem=problem)
