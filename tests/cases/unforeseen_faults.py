"""Faults that no clause of the law is the cause of, the same for every game.

A fault spoils some of the settlements that a reference vendor made lawfully. Nothing here knows a
game: its bets, choices, places and options are given.
"""

import struct
from dataclasses import dataclass
from typing import Any

PERSONS = tuple("1234567")
PLACES = ("seat", "place", "bettor")


@dataclass(frozen=True)
class Fault:
    """A fault: its name, and of which bets of a case it spoils the settlement."""

    name: str
    spoils: Any


@dataclass(frozen=True, kw_only=True)
class GameFacts:
    """What the faults of a game are made of."""

    spots: list
    options: list
    dependent: frozenset
    #: Bets that must have the stake of another.
    equal: frozenset
    shared: frozenset
    throws: bool
    repeats: bool
    fractions: bool


def person(bet):
    return next((bet[field] for field in PLACES if field in bet), None)


def spot(bet):
    return bet["bet"], bet.get("choice")


def won(settlement):
    return settlement["result"] == "win" and settlement["prize"] != 0


def notices(case, settlements, fault):
    """Return whether a vendor with this fault settles a case otherwise."""
    return any(
        fault.spoils(case, at, bet, one)
        for at, (bet, one) in enumerate(zip(case.bets, settlements, strict=True))
    )


def prize(name, wrong):
    """Return a fault in the prize of every winning bet of which `wrong` is true."""
    return Fault(name, lambda case, at, bet, one: won(one) and wrong(case, at, bet, one))


def table_is_full(case):
    return len({person(bet) for bet in case.bets} - {None}) >= len(PERSONS)


def of_numbers(facts):
    """Yield faults in the size of numbers."""
    for bits in (8, 16, 31, 32):
        edge = 1 << bits
        yield prize(f"prize-in-{bits}-bits", lambda _c, _a, _b, one, e=edge: one["prize"] >= e)
        yield prize(f"stake-in-{bits}-bits", lambda _c, _a, bet, _o, e=edge: bet["stake"] >= e)
        for beside in (-1, 0, 1):
            yield prize(
                f"stake-of-2^{bits}{beside:+}",
                lambda _c, _a, bet, _o, e=edge + beside: bet["stake"] == e,
            )
    for least in (1 << 16, 1 << 24, 1 << 31):
        yield prize(
            f"tens-only-from-{least}",
            lambda _c, _a, bet, one, least=least: bet["stake"] >= least and one["prize"] % 10,
        )
    yield prize("prize-in-single-precision", lambda _c, _a, _b, one: single(one["prize"]))
    if facts.fractions:
        yield prize(
            "odds-in-floating-point",
            lambda _c, _a, bet, one: (
                int(bet["stake"] * (one["prize"] / bet["stake"])) != one["prize"]
            ),
        )


def single(number):
    """Return whether single precision does not hold a number."""
    return struct.unpack("f", struct.pack("f", number))[0] != number


def of_spots(facts):
    """Yield faults of one bet under a condition that has nothing to do with it."""
    for chosen in facts.spots:

        def of(name, wrong, chosen=chosen):
            return prize(
                f"{chosen}-{name}",
                lambda case, at, bet, one: spot(bet) == chosen and wrong(case, at, bet, one),
            )

        yield of("from-2^16", lambda _c, _a, bet, _o: bet["stake"] >= 1 << 16)
        yield of("from-2^31", lambda _c, _a, bet, _o: bet["stake"] >= 1 << 31)
        yield of("at-a-full-table", lambda case, *_: table_is_full(case))
        if facts.repeats and chosen[0] not in facts.shared:
            yield of("again", lambda case, at, bet, _o: bet in case.bets[:at])
        if not (facts.throws and chosen[0] in facts.dependent):
            yield of("listed-first", lambda case, at, *_: at == 0 and len(case.bets) > 1)
        yield of("listed-last", lambda case, at, *_: at == len(case.bets) - 1 > 0)


def of_persons(_):
    """Yield faults at one place, and at full tables."""
    for name in PERSONS:

        def at(what, wrong, name=name):
            return prize(
                f"only-{name}{what}",
                lambda case, at, bet, one: person(bet) == name and wrong(case, at, bet, one),
            )

        yield at("", lambda *_: True)
        yield at("-at-a-full-table", lambda case, *_: table_is_full(case))
        yield at("-from-2^31", lambda _c, _a, bet, _o: bet["stake"] >= 1 << 31)


def of_repetition(facts):
    """Yield faults of equal bets, and of many."""
    yield prize(
        "equal-bet-of-another",
        lambda case, at, bet, _o: any(
            person(other) != person(bet) and spot(other) == spot(bet) for other in case.bets[:at]
        ),
    )
    if facts.repeats:
        yield prize("second-equal-bet", lambda case, at, bet, _o: bet in case.bets[:at])
        yield prize("third-equal-bet", lambda case, at, bet, _o: case.bets[:at].count(bet) > 1)
        yield prize(
            "equal-bet-beside", lambda case, at, bet, _o: at > 0 and case.bets[at - 1] == bet
        )
        yield prize("more-than-64-bets", lambda case, *_: len(case.bets) > 64)


def of_options(facts):
    """Yield faults under a pair of options, and under an option with one bet."""

    def has(case, option):
        return case.options.get(option[0]) == option[1]

    for at, one in enumerate(facts.options):
        for other in facts.options[:at]:
            if other[0] != one[0]:
                yield prize(
                    f"{one}-with-{other}",
                    lambda case, *_, one=one, other=other: has(case, one) and has(case, other),
                )
        for chosen in facts.spots:
            if chosen[0] not in facts.shared:
                yield prize(
                    f"{one}-with-{chosen}",
                    lambda case, _a, bet, _o, one=one, chosen=chosen: (
                        spot(bet) == chosen and has(case, one)
                    ),
                )


def of_sharing(facts):
    """Yield faults in the division of a prize."""

    def winners(case, bet):
        return len({person(other) for other in case.bets if other["bet"] == bet["bet"]})

    for most in (1, 2, 3, 5) if facts.shared else ():
        yield prize(
            f"not-divided-among-more-than-{most}",
            lambda case, _a, bet, _o, most=most: (
                bet["bet"] in facts.shared and winners(case, bet) > most
            ),
        )


def of_history(facts):
    """Yield faults of long rows of throws."""
    if not facts.throws:
        return
    for count in (8, 16, 32, 128, 256):
        yield prize(
            f"more-than-{count}-throws",
            lambda case, *_, count=count: len(case.outcome["throws"]) > count,
        )
    for moment in (1, 2, 4, 6, 7):
        yield prize(
            f"placed-after-{moment}-throws",
            lambda _c, _a, bet, _o, moment=moment: bet.get("at", 0) >= moment,
        )
    for chosen in facts.spots:
        if chosen[0] not in facts.dependent:
            yield prize(
                f"{chosen}-in-a-later-round",
                lambda case, at, bet, _o, chosen=chosen: (
                    spot(bet) == chosen
                    and any(
                        spot(other) == chosen and other.get("at", 0) < bet.get("at", 0)
                        for other in case.bets[:at]
                    )
                ),
            )


def of_additions(facts):
    """Yield faults of a bet whose stake is far from that of the bet it depends on."""

    def base(case, bet):
        if "to" in bet:
            return case.bets[bet["to"]]["stake"]
        others = [other for other in case.bets if other is not bet and person(other) == person(bet)]
        return others[0]["stake"] if others else 0

    free = facts.dependent - facts.equal - facts.shared
    for times in (2, 100, 1 << 8, 1 << 16) if free else ():
        yield prize(
            f"addition-of-{times}-times",
            lambda case, _a, bet, _o, times=times: (
                bet["bet"] in free and 0 < times * base(case, bet) <= bet["stake"]
            ),
        )
    for least in (1 << 8, 1 << 16, 1 << 31) if free else ():
        yield prize(
            f"addition-to-{least}",
            lambda case, _a, bet, _o, least=least: (
                bet["bet"] in free and least <= base(case, bet) != bet["stake"]
            ),
        )
    for bits in (8, 16, 31, 32) if facts.equal else ():
        yield Fault(
            f"stakes-compared-in-{bits}-bits",
            lambda case, _a, bet, one, bits=bits: (
                bet["bet"] in facts.equal
                and one["result"] == "refused"
                and base(case, bet) not in {0, bet["stake"]}
                and not (bet["stake"] - base(case, bet)) % (1 << bits)
            ),
        )


class EveryNth:
    """Spoils the prizes of every n-th answer."""

    def __init__(self, n):
        self._n, self._count = n, 0

    def __call__(self, _case, at, _bet, one):
        self._count += at == 0
        return not self._count % self._n and won(one)


def every_nth(_):
    """Yield faults of vendors that count their answers."""
    for n in (7, 13, 31, 50):
        yield Fault(f"every-{n}th-answer", EveryNth(n))


def list_faults(facts):
    """Return all faults of a game."""
    kinds = (
        of_numbers, of_spots, of_persons, of_repetition, of_options, of_sharing, of_history,
        of_additions, every_nth,
    )  # fmt: skip
    return [fault for kind in kinds for fault in kind(facts)]


def survivors(faults, answered):
    """Return the names of the faults that no case notices."""
    left = list(faults)
    for case, settlements in answered:
        left = [fault for fault in left if not notices(case, settlements, fault)]
        if not left:
            break
    return [fault.name for fault in left]
