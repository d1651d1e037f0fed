"""What the protocol says in sentences: rules that no schema can hold."""

from __future__ import annotations

from typing import Final

from selo.json_numbers import LARGEST_INTEGER
from selo.protocol.messages import (
    CANNOT_FORCE,
    INTERNAL,
    MOST_DRAWN,
    MOST_IN_BATCH,
    NO_METHOD,
    NO_TABLE,
    NOT_A_REQUEST,
    NOT_JSON,
    NOT_OFFERED,
    WRONG_PARAMS,
)

TITLE: Final = "Selo vendor protocol"

SUMMARY: Final = (
    "What Selo, the client, asks of a vendor's adapter, the server, "
    "to examine casino games against the law of Macau. JSON-RPC 2.0."
)

#: The ways a message can travel, each with its rules.
TRANSPORTS: Final[dict[str, list[str]]] = {
    "Over standard input and output": [
        (
            "One message on each line, ended by LF, in UTF-8, without BOM. "
            "Nothing else goes to stdout; stderr is free for logs."
        ),
        f"A line from Selo is one request, or a batch: a list of up to {MOST_IN_BATCH} requests.",
        (
            "The adapter answers every request once. A batch is answered with one list; "
            "single answers on lines of their own are tolerated too."
        ),
        (
            "Order does not matter: ids decide. Several lines may be under way at once. "
            "Read, answer, flush after every line, go on."
        ),
        f"A line that is not JSON is answered with the id null and the error {NOT_JSON}.",
        "When stdin ends without `end`, the adapter exits.",
    ],
    "Over HTTP": [
        (
            "Selo sends the same message, one request or a batch, as the body of a POST with "
            "`Content-Type: application/json` to the URL of the vendor."
        ),
        (
            "The answer has the status 200, `Content-Type: application/json`, and the answer as "
            "its body. Connections are kept alive."
        ),
    ],
    "In process, in Python": [
        (
            "An object with one method for each method of the protocol; dots become underscores, "
            "as in `table_open`."
        ),
        (
            "Each takes the params as a dict and returns the result as a dict. "
            "It refuses by raising an exception with an int attribute `code`."
        ),
    ],
    "Offline": [
        (
            "A file of request lines and a file of answer lines. "
            "`adapter < requests.jsonl > answers.jsonl` is enough."
        ),
        (
            "Live rounds are among the requests: no act depends on an answer. An act at a table "
            "that failed before it is answered with an error like any other."
        ),
    ],
}

IDS: Final = (
    "Ids are opaque texts chosen by Selo; repeat them exactly. "
    "The vendor never sends requests or notifications."
)

MONEY: Final = (
    f"Amounts are integers of the smallest unit of the declared currency, 0 to {LARGEST_INTEGER}. "
    "They are never written with a decimal point or an exponent. "
    "Where the vendor declares the rounding `exact`, an amount may also be a fraction: as a text "
    'like `"39/2"`, in any terms, or as `[numerator, denominator]` in lowest terms. '
    "An amount that is negative, as after an overflow, is read and judged like any other: it is "
    "wrong, and the finding names the case. "
    "Prizes are to one: what is paid on top of the stake. The stake is told apart."
)

UNKNOWN: Final[dict[str, str]] = {
    "answers": "Fields that Selo does not know are ignored in the envelope of an answer, in the "
    "error object, at the top level and in `vendor`, `product` and `random` of `describe`, and in "
    "the result of `end`: nothing there decides what is examined or what is paid. Everywhere else "
    "they could change the meaning, and are refused: settlements, comparisons, draws, events and "
    "outcomes of tables, and the files, the currency, the rounding and the games of `describe`.",
    "requests": "An adapter ignores fields of the params that it does not know. "
    "In `options`, `outcome`, `bets` and acts it must refuse an unknown field with the error "
    f"{WRONG_PARAMS}.",
    "twice": "A key that comes twice in one object is always refused.",
    "unlawful": "The schemas of bets and acts describe what can be taken. Selo also asks for what "
    "cannot: a bet by an unknown name, a choice outside its domain, no place where one is needed, "
    "a stake that is not positive. That is no error: `settle` answers it with the result "
    "`refused`, and `table.act` with the answer `refused`.",
    "schemas": "In the schemas, `additionalProperties: false` marks where an unknown field is "
    "refused.",
}

COMPATIBILITY: Final = (
    "An adapter for 1.x keeps working with every Selo of 1.y, where y is x or later: a field that "
    "came later may be left out, and then holds what held before it came. "
    "New methods and new optional fields of requests may come. "
    "Nothing is removed, and nothing changes its meaning, before 2.0. "
    "An adapter that declares a later 1.x than that of Selo is asked what Selo knows, and the "
    "smoke test says so; one that declares another first number is refused."
)

BETTORS: Final = (
    "A bet says in `bettor` who made it. "
    "All bets of a case without a `bettor` are those of one person without a name; bets that name "
    "the same bettor are those of one person, and bets that name others are those of others. "
    "Where one person may not make two bets, a bet without a name and a bet with one are those of "
    "two persons. "
    "Where a bet needs another bet of the same person beside it, a bet without a name may be "
    "anybody's: it serves every bettor, and every bet serves it. "
    "A bet that is told apart by its bettor alone, such as one that shares a jackpot, is refused "
    "without one. "
    "At a table the player is the bettor."
)

VIA: Final = (
    "An adapter says in `via` what it works out itself, because the product does not: `adapter` "
    "for what its own code computes, `copied` for what it looks up in a table that was written "
    "for it, such as a list of the law's odds, and `engine` for what the product computes, which "
    "holds for everything that is not named. "
    "What is not the product's is asked and judged as ever, is printed in the document, and is "
    "not certified: a provision of which a part shows only there does not conform."
)

LEVELS: Final = (
    "A game declares in `level` what its settlements tell: `result` the result of each bet alone, "
    "`net` its net amount alone, `result-and-net` both, and `full`, which holds where no level is "
    "declared, result, prize, commission and stake. "
    "An answer to `settle` has exactly the fields of its level. "
    "The net amount is what the bettor has more or less after the bet: the prize less the "
    "commission, less what is lost of the stake. "
    "A stake that is returned is not lost, nor is one that stays on the table: the net amount of "
    "`push`, `stands`, `void` and `refused` is 0. "
    "A stake of 100 that wins a prize of 100 at a commission of 5 has the net amount 95, one that "
    "loses -100. "
    "Like other amounts it is a whole number, or a fraction in lowest terms where the rounding is "
    "`exact`. "
    "What is not told is not examined: a provision of which a part would show in it alone is not "
    "fully examined, and no adapter has to invent odds or a commission."
)

SKIPPING: Final = (
    "What a product cannot do is declared in `cannot` of its game, before anything is asked; each "
    "game lists the circumstances that can be declared. "
    "A case of `settle` or `compare` in which such a circumstance is met may then be answered with "
    "the result `Skipped` instead. "
    "A skipped case is no fault and proves nothing: a provision of which a part would have been "
    "seen in skipped cases alone is not fully examined, and the document prints the declaration "
    "as a claim of the vendor. "
    "Skipping a case in which no declared circumstance is met is a fault of the adapter. "
    "An answer that is given is judged, whatever was declared."
)

#: What each error means, by its code.
ERRORS: Final[dict[int, tuple[str, str]]] = {
    NOT_JSON: ("not-json", "The line is not JSON."),
    NOT_A_REQUEST: ("not-a-request", "The message is not a request."),
    NO_METHOD: ("no-method", "There is no such method."),
    WRONG_PARAMS: ("wrong-params", "The params are wrong: an unknown game, a field too many."),
    INTERNAL: ("internal", "The adapter has a fault of its own."),
    NOT_OFFERED: ("not-offered", "This game, option, bet or method is not offered."),
    CANNOT_FORCE: ("cannot-force", "This outcome cannot be forced."),
    NO_TABLE: ("no-table", "There is no table of this name."),
}
#: What any method may be answered with.
ALWAYS: Final = (NOT_A_REQUEST, NO_METHOD, WRONG_PARAMS, INTERNAL)

#: Each method: one line, what a vendor must know, and its own errors.
METHODS: Final[dict[str, tuple[str, str, tuple[int, ...]]]] = {
    "describe": (
        "Says who the vendor is and what is offered.",
        (
            "The answer is the same whenever it is asked. What is not offered is not examined. "
            "An option that a game does not name is not offered, and its default holds. "
            "An option that is yes or no is declared with the names `no` and `yes`. "
            'An option of names is declared with a list, `{"limits": ["none", "declared"]}`, '
            'an option of numbers with a list or a range, `{"packs": {"from": 1, "to": 8}}`. '
            "A number that only comes with another option, such as `minimum` and `maximum` beside "
            "`limits`, need not be declared: whoever offers declared limits takes any. "
            "Stakes above `largest_stake`, and stakes that are not multiples of `stake_step`, are "
            "not asked, and the result names them as not examined. "
            "What a game declares of its tables is held against the law; what it does not declare "
            "is not examined."
        ),
        (),
    ),
    "settle": (
        "Says what becomes of each bet.",
        (
            "One settlement for each bet, in the same order. "
            "The same params give the same result, in any order and at any time. "
            "`bets` is everything on the table for that outcome, in the order in which it was "
            "placed. "
            "`at` of a bet is the index of the throw before which it was placed, 0 if left out; "
            "`to` is the index, in the same list, of the bet to which it is added: "
            '`[{"bet": "pass-line", "stake": 100}, {"bet": "pass-line-additional", '
            '"stake": 100, "at": 1, "to": 0}]`.'
        ),
        (NOT_OFFERED,),
    ),
    "compare": (
        "Says how hand a ranks against hand b.",
        "The same params give the same result, in any order and at any time.",
        (NOT_OFFERED,),
    ),
    "table.open": (
        "Opens a fresh table.",
        (
            "Several tables may be open at once. "
            "The options of a table are those of its steps and those of `settle`."
        ),
        (NOT_OFFERED,),
    ),
    "table.act": (
        "Asks a table for something.",
        (
            "An act of the game has the fields of that act, and those that tell the bet apart in "
            "`settle`. The player is the bettor. In an additional bet, `to` is the ticket of the "
            "bet it is added to. "
            "An act that lays a stake may carry a `ticket` under which it is settled. "
            "`force` puts an outcome, or every throw that it lists, at the end of a queue, in "
            "every game. With the event marked so among those of its game, a table settles what it "
            "will show: the first of the queue, or one that it draws if the queue is empty. If a "
            "deal is void or cancelled, its outcome goes back to the front. Selo forces none while "
            "another one waits, so an adapter for 1.0 that knows one at a time shows the same. "
            "`happen` lets people or equipment do something now, or when it next can happen. "
            "`go-on` lets the table take its next steps until it waits for people, or until right "
            "after the first event named by `until`; it is refused if that cannot come next in "
            "this round. "
            "The events are everything that happened because of the act, in order; the act itself "
            "is not repeated. An act that is refused changes nothing and has no events. "
            "An optional field may be left out: what is not told is not examined."
        ),
        (NOT_OFFERED, CANNOT_FORCE, NO_TABLE),
    ),
    "table.close": (
        "Closes a table.",
        "The events are what still happens before it closes. What is not due is not missed then.",
        (NO_TABLE,),
    ),
    "draw": (
        "Draws outcomes from the vendor's own random source.",
        (
            f"At most {MOST_DRAWN} at once. Cards: the hands of one round, with every place or "
            "seat of the options; a single seat is called `1`. Dice that are thrown again and "
            "again: one throw each. "
            "Every outcome is told as it fell and none is left out: each from freshly shuffled "
            "cards, hands in the order in which they were dealt and not sorted, dice in the same "
            "order each time. What is tested is that source of chance, so nothing is seeded and "
            "nothing is made up for the test."
        ),
        (NOT_OFFERED,),
    ),
    "pack": (
        "Shuffles whole packs, shoes or sets of tiles with the vendor's own random source.",
        (
            f"At most {MOST_DRAWN} at once. Each is told whole, in the order in which it would be "
            "dealt, from the first piece to the last, those that are burned and those behind the "
            "cut card included: `burned` is how many of the first pieces are burned, `before_cut` "
            "how many lie before the cut card. It is the shuffle of the tables, and nothing is "
            "seeded."
        ),
        (NOT_OFFERED,),
    ),
    "end": (
        "Ends the conversation.",
        "The adapter answers, then exits with the code 0 within the grace time.",
        (),
    ),
}

#: The params that are not a matter of one game.
PARAMS: Final = {
    "game": "The game.",
    "options": "What the table was authorised to use.",
    "outcome": "What the dice or cards showed.",
    "bets": "Everything on the table, in the order in which it was placed.",
    "a": "The hand that is ranked.",
    "b": "The hand against which it is ranked.",
    "table": "The name of the table, chosen by Selo.",
    "act": "What is asked of the table.",
    "count": "How many outcomes are drawn.",
}


def description() -> str:
    """Return the rules that hold for every method, as one text."""
    transports = [
        f"{name}: {' '.join(sentences)}" for name, sentences in TRANSPORTS.items()
    ]  # fmt: skip
    return "\n\n".join([SUMMARY, IDS, *transports, MONEY, *UNKNOWN.values(), COMPATIBILITY])
