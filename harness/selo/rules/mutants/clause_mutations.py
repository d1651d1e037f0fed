"""What each kind of clause could say instead: one small change at a time, with a name for it.

Where a change alone would leave a bet without a rule, what it leaves out is said otherwise beside
it, so that the altered rules still settle every case.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, TypeVar

from msgspec.structs import replace

from selo.rules.clauses import MEANINGS
from selo.rules.clauses import clause_models as c
from selo.rules.mutants.condition_mutations import LISTED, altered, truths
from selo.rules.settlement.game import ALL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from selo.rules.mutants.mutation_context import Surroundings

K = TypeVar("K", bound=c.Clause)
#: A name, and the clauses that stand in the place of one.
Change = tuple[str, list[c.Clause]]

_PLACED: Final = "placed"
#: What a result could be instead; the result ``point`` gives a bet its point.
_RESULTS: Final = {
    "win": ("lose", "push"),
    "lose": ("win", "push"),
    "push": ("lose", "win"),
    "stands": ("lose", "push"),
    "void": ("lose", "push"),
    "refused": ("lose",),
    "point": ("lose", "win"),
}
#: What a manner could be instead.
_MANNERS: Final = {
    "odds": ("to-one", "for-one"),
    "lines": ("one", "add-up"),
    "order": ("first-highest", "last-highest"),
    "reconstructed": ("not-judged", "judged"),
    "combinations": ("first", "add-up"),
    "shares": ("per-person", "per-bet"),
    "portions": ("equal", "by-stake"),
    "fixed-amounts": ("divided", "to-each"),
    "shared-stake": ("returned", "kept"),
    "commission-on": ("each", "sum"),
    "commission-of": ("gross", "net"),
}
_ROUNDINGS: Final = ("down", "up", "nearest")
_POOL: Final = "pool"
_SHARES: Final = (_POOL, "fixed", "percentage")
_ALL: Final = "100%"
_OR: Final = " or "


def changes(clause: c.Clause, around: Surroundings) -> Iterator[Change]:
    """Yield every sensible way in which `clause` could be otherwise."""
    how = _KINDS.get(type(clause))
    if how is not None:
        yield from how(clause, around)


def _condition(clause: Any, field: str, *, dropped: bool = False) -> Iterator[Change]:
    """Yield `clause` with each change of the condition in `field`."""
    text = getattr(clause, field)
    if text is None:
        return
    for name, other in (*truths(text), *altered(text)):
        yield f"{field}: {name}", [replace(clause, **{field: other})]
    if dropped:
        yield "forgotten", []


def _each_name(clause: K, field: str) -> Iterator[tuple[str, K, K]]:
    """Yield each name of several, the clause for it alone, and the clause for the others."""
    names = c.names(getattr(clause, field))
    for name in names if len(names) > 1 else []:
        others = [one for one in names if one != name]
        yield name, replace(clause, **{field: name}), replace(clause, **{field: others})


def _face(clause: c.Face, around: Surroundings) -> Iterator[Change]:
    for number in (clause.number + 1, clause.number - 1):
        yield f"the number is {number}", [replace(clause, number=number)]
    for colour in around.colours():
        if colour != clause.colour:
            yield f"the colour is {colour}", [replace(clause, colour=colour)]


def _table(clause: c.Table, _: Surroundings) -> Iterator[Change]:
    rows = clause.rows
    if isinstance(rows, dict):
        for name, value in rows.items():
            # A figure that counts as its place in the pack counts ten, eleven and so on.
            for other in (value + 1, value + 10):
                yield f"{name} counts {other}", [replace(clause, rows={**rows, name: other})]
        return
    for at in range(len(rows)):
        if at:
            swapped = [*rows[: at - 1], rows[at], rows[at - 1], *rows[at + 1 :]]
            yield f"{_row(rows[at])} above {_row(rows[at - 1])}", [replace(clause, rows=swapped)]
    for at, row in enumerate(rows):
        yield f"{_row(row)} is not there", [replace(clause, rows=[*rows[:at], *rows[at + 1 :]])]


def _row(row: str | list[str]) -> str:
    return "-".join(c.names(row))


def _define(clause: c.Define, _: Surroundings) -> Iterator[Change]:
    yield from _condition(clause, "means")
    # What is no condition is a number, or a list.
    for name, means in (
        ("one more", f"({clause.means}) + 1"),
        ("one less", f"({clause.means}) - 1"),
        ("only the first two", f"first({clause.means}, 2)"),
    ):
        yield f"means: {name}", [replace(clause, means=means)]


def _bet(clause: c.Bet, around: Surroundings) -> Iterator[Change]:
    never = c.On(
        on=clause.bet, result="refused", when="true", over=around.everything(),
        stage=_PLACED if around.throws() else None,
    )  # fmt: skip
    yield "the bet is never taken", [clause, never]
    yield from _condition(clause, "wins")
    yield from _choices(clause)
    if clause.added_to is not None:
        for other in around.added_to():
            if other != clause.added_to:
                yield f"added to {other}", [replace(clause, added_to=other)]


def _choices(clause: c.Bet) -> Iterator[Change]:
    if isinstance(clause.choice, list):
        for one in clause.choice:
            left = [other for other in clause.choice if other != one]
            yield f"{one} is no choice", [replace(clause, choice=left)]
        return
    first, dash, last = (clause.choice or "").partition("–")
    if dash:
        low, high = int(first), int(last)
        for least, most in ((low - 1, high), (low, high + 1), (low + 1, high), (low, high - 1)):
            if least >= 0:
                yield f"choices are {least}–{most}", [replace(clause, choice=f"{least}–{most}")]


def _on(clause: c.On, around: Surroundings) -> Iterator[Change]:
    if clause.stage != _PLACED:
        # What says the same elsewhere would contradict the change, if it did not give way.
        over = [*clause.over, *around.repeating(clause)]
        for result in _RESULTS[clause.result]:
            yield f"{clause.result} becomes {result}", [_without_basis(clause, result, over)]
        for name, alone, others in _each_name(clause, "on"):
            for result in _RESULTS[clause.result]:
                words = f"{name}: {clause.result} becomes {result}"
                yield words, [_without_basis(alone, result, over), others]
        yield from _one_value_otherwise(clause, around)
    yield "forgotten", []
    for at, name in enumerate(clause.over):
        left = [*clause.over[:at], *clause.over[at + 1 :]]
        yield f"does not prevail over {name}", [replace(clause, over=left)]
    for name, _alone, others in _each_name(clause, "on"):
        yield f"forgotten for {name}", [others]
    yield from _condition(clause, "when")


def _without_basis(clause: c.On, result: str, over: list[str]) -> c.Clause:
    # A reconstructed statement gives its own result and no other.
    return replace(clause, result=result, over=over, reconstructed=None)


def _one_value_otherwise(clause: c.On, around: Surroundings) -> Iterator[Change]:
    word, values = _listed(clause.when)
    for value in values:
        for result in _RESULTS[clause.result]:
            when = f"{word} == {value}"
            besides = replace(clause, result=result, when=when, over=around.everything())
            yield f"{when} makes it {result}", [clause, besides]


def _combination(clause: c.Combination, _: Surroundings) -> Iterator[Change]:
    yield from _condition(clause, "when", dropped=True)


def _excludes(_: c.Excludes, __: Surroundings) -> Iterator[Change]:
    yield "forgotten", []


def _prize(clause: c.Prize, around: Surroundings) -> Iterator[Change]:
    for name, other in _paid(clause, around):
        yield name, [other]
        for bet, _alone, others in _each_name(clause, "prize"):
            yield f"{bet}: {name}", [replace(other, prize=bet), others]
    word, values = _listed(clause.when)
    for value in values if len(values) > 1 else []:
        left = ", ".join(one for one in values if one != value)
        rest = replace(clause, when=f"{word} in [{left}]")
        for name, other in _paid(clause, around):
            when = f"{word} == {value}"
            yield f"{when}: {name}", [rest, replace(other, when=when)]
    yield from _condition(clause, "when")


def _listed(condition: str | None) -> tuple[str, list[str]]:
    """Return the word and the numbers of a condition that says: one of these."""
    found = LISTED.fullmatch(condition or "")
    return ("", []) if found is None else (found[1], [one.strip() for one in found[2].split(",")])


def _paid(clause: c.Prize, around: Surroundings) -> Iterator[tuple[str, c.Prize]]:
    """Yield a prize that pays otherwise, its condition left as it is."""
    if clause.odds is not None:
        written = "1:1" if clause.odds == "even" else clause.odds
        if written == "none":
            yield "odds are 1:1", replace(clause, odds="1:1")
            return
        paid, _, staked = written.partition(":")
        others = [f"{int(paid) + 1}:{staked}", f"{int(paid) - 1}:{staked}"]
        for odds in dict.fromkeys([*others, *around.odds_beside(clause)]):
            yield f"odds {written} become {odds}", replace(clause, odds=odds)
        turned = not clause.includes_stake
        yield (
            "for one instead of to one" if turned else "to one instead of for one",
            replace(clause, includes_stake=turned),
        )
    if clause.rate is not None:
        for rate in _rates(clause.rate):
            yield f"the rate is {rate}", replace(clause, rate=rate)
    for share in _shares(clause.share or ""):
        yield f"the share is {share}", replace(clause, share=share)


def _rates(rate: str) -> list[str]:
    number = int(rate.removesuffix("%"))
    return [f"{other}%" for other in (number * 2, number + 1, number - 1, 0)]


def _shares(share: str) -> Iterator[str]:
    if not share:
        return
    terms = share.split(_OR)
    for at, term in enumerate(terms):
        if len(terms) > 1:
            yield _OR.join([*terms[:at], *terms[at + 1 :]])
        # The pool is all of what has accumulated.
        part = _ALL if term == _POOL else term
        if part.endswith("%"):
            for rate in _rates(part):
                yield _OR.join([*terms[:at], rate, *terms[at + 1 :]])
    for other in _SHARES:
        if other not in terms:
            yield other


def _commission(clause: c.Commission, around: Surroundings) -> Iterator[Change]:
    for rate in _rates(clause.rate):
        yield f"the rate is {rate}", [replace(clause, rate=rate)]
    yield "forgotten", []
    for name, _alone, others in _each_name(clause, "commission"):
        yield f"forgotten for {name}", [others]
    # The prize of another bet is the wrong base.
    for bet in around.bets():
        if bet.bet not in c.names(clause.commission) and ALL not in c.names(clause.commission):
            yield f"on {bet.bet} as well", [clause, replace(clause, commission=bet.bet)]
    yield from _condition(clause, "when")


def _limit(clause: c.Limit, around: Surroundings) -> Iterator[Change]:
    yield "forgotten", []
    for means in MEANINGS:
        if means != clause.means:
            yield f"bears on the {means}", [replace(clause, means=means)]
    for name, _alone, others in _each_name(clause, "limit"):
        yield f"forgotten for {name}", [others]
    for bet in around.added_to():
        if bet != clause.of:
            yield f"the stake of {bet}", [replace(clause, of=bet)]


def _rounding(clause: c.Rounding, _: Surroundings) -> Iterator[Change]:
    yield "forgotten", []
    for to in _ROUNDINGS:
        if to != clause.to:
            yield f"rounded {to}", [replace(clause, to=to)]


def _manner(clause: c.Manner, _: Surroundings) -> Iterator[Change]:
    for means in _MANNERS.get(clause.manner, ()):
        if means != clause.means:
            yield f"{clause.manner}: {means}", [replace(clause, means=means)]


def _needs(clause: c.Needs, _: Surroundings) -> Iterator[Change]:
    yield "forgotten", []
    for name, _alone, others in _each_name(clause, "needs"):
        yield f"forgotten for {name}", [others]
    for name, _alone, others in _each_name(clause, "beside"):
        yield f"{name} is not enough", [others]
    if clause.same:
        yield "of anybody, anywhere", [replace(clause, same=[])]
    if clause.unless is not None:
        yield "without its exception", [replace(clause, unless=None)]


def _rank(clause: c.Rank, _: Surroundings) -> Iterator[Change]:
    for at, key in enumerate(clause.key):
        left = [*clause.key[:at], *clause.key[at + 1 :]]
        yield f"key {at + 1} is dropped", [replace(clause, key=left)]
        turned = [*clause.key[:at], f"-({key})", *clause.key[at + 1 :]]
        yield f"key {at + 1} is reversed", [replace(clause, key=turned)]
    yield from _condition(clause, "when")


def _tiles(clause: c.Tiles, around: Surroundings) -> Iterator[Change]:
    lines = [clause.tiles for clause in around.clauses if isinstance(clause, c.Tiles)]
    others = (clause.tiles - 1, clause.tiles + 1, min(lines) - 1, max(lines) + 1)
    for line in dict.fromkeys(others):
        if clause.pairs:
            yield f"stands on line {line}", [replace(clause, tiles=line)]
    if clause.alike is not None:
        yield "nothing is alike", []
    beside = [
        clause.pairs for clause in around.clauses if isinstance(clause, c.Tiles) and clause.pairs
    ]
    for one, other in pairwise(beside):
        for mine, its in ((one, other), (other, one)):
            if clause.pairs and mine is clause.pairs:
                yield f"its pair is {' '.join(its[0])}", [replace(clause, pairs=its)]


#: Equipment is not here: another number of dice or cards is no case that could be asked.
#: Options are not here either: ignoring one is a change of the condition that asks for it.
_KINDS: Final[dict[type[c.Clause], Callable[[Any, Surroundings], Iterator[Change]]]] = {
    c.Face: _face,
    c.Table: _table,
    c.Define: _define,
    c.Bet: _bet,
    c.On: _on,
    c.Combination: _combination,
    c.Excludes: _excludes,
    c.Prize: _prize,
    c.Commission: _commission,
    c.Limit: _limit,
    c.Rounding: _rounding,
    c.Manner: _manner,
    c.Needs: _needs,
    c.Rank: _rank,
    c.Tiles: _tiles,
}
