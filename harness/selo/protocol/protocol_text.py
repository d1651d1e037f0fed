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
            "One message per line, ended by LF, in UTF-8, without BOM. "
            "Nothing else goes to stdout; stderr is free for logs."
        ),
        f"A line from Selo is one request, or a batch: a list of up to {MOST_IN_BATCH} requests.",
        (
            "The adapter answers every request once. A batch is answered with one list; "
            "single answers on lines of their own are tolerated too."
        ),
        (
            "Answers may come in any order; ids match them. Several lines may be in flight. "
            "Read, answer, flush after every line, continue."
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
    "Prizes are to one: paid on top of the stake, which is reported separately."
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
    "An adapter for 1.x works with every Selo of 1.y with y >= x: a later field may be left "
    "out and then has its default, the earlier behaviour. "
    "New methods and new optional fields of requests may be added. "
    "Nothing is removed or changes its meaning before 2.0. "
    "An adapter that declares a later 1.x than Selo's is asked what Selo knows, and the smoke"
    " test says so; another major version is refused."
)

BETTORS: Final = (
    "`bettor` names the person who made a bet. "
    "All bets of a case without a `bettor` belong to one unnamed person; bets with the same "
    "bettor belong to one person, and other bettors are other persons. "
    "Where one person may not make two bets, a bet without a name and a bet with one belong "
    "to two persons. "
    "Where a bet needs another bet of the same person, a bet without a name may belong to "
    "anybody: it serves every bettor, and every bet serves it. "
    "A bet that only its bettor distinguishes, such as one that shares a jackpot, is refused "
    "without one. "
    "At a table the player is the bettor."
)

VIA: Final = (
    "An adapter declares in `via` what the product does not compute: `adapter` for values "
    "computed by the adapter's own code, `copied` for values from a table written for it, "
    "such as a list of the law's odds, and `engine`, the default, for what the product "
    "computes. "
    "Values that are not the product's are examined as usual and printed in the document, but"
    " not certified: a provision that shows only in them does not conform."
)

LEVELS: Final = (
    "A game declares in `level` what its settlements report: `result` for the result of each "
    "bet alone, `net` for its net amount alone, `result-and-net` for both, and `full`, the "
    "default, for result, prize, commission and stake. "
    "An answer to `settle` has exactly the fields of its level. "
    "The net amount is the change of the bettor's balance: the prize less the commission, "
    "less the lost part of the stake. "
    "A stake that is returned or stays on the table is not lost: the net amount of `push`, "
    "`stands`, `void` and `refused` is 0. "
    "A stake of 100 that wins a prize of 100 at a commission of 5 has the net amount 95, one "
    "that loses -100. "
    "Like other amounts it is a whole number, or a fraction in lowest terms where the "
    "rounding is `exact`. "
    "What is not reported is not examined: a provision that shows only in it is not fully "
    "examined, and no adapter has to invent odds or a commission."
)

SKIPPING: Final = (
    "What a product cannot do is declared in `cannot` of its game, before anything is asked; "
    "each game lists the circumstances that can be declared. "
    "A case of `settle` or `compare` with such a circumstance may then be answered with the "
    "result `Skipped`. "
    "A skipped case is not a fault and proves nothing: a provision that shows only in skipped"
    " cases is not fully examined, and the document prints the declaration as a claim of the "
    "vendor. "
    "Skipping a case without a declared circumstance is a fault of the adapter. "
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
        "Describes the vendor and its offer.",
        (
            "The answer is always the same. What is not offered is not examined. "
            "An option that a game does not name is not offered, and its default holds. "
            "A yes-no option is declared with the names `no` and `yes`. "
            'An option of names is declared with a list, `{"limits": ["none", "declared"]}`, '
            'an option of numbers with a list or a range, `{"packs": {"from": 1, "to": 8}}`. '
            "A number that only comes with another option, such as `minimum` and `maximum` beside "
            "`limits`, need not be declared: with declared limits, every value is offered. "
            "Stakes above `largest_stake`, and stakes that are not multiples of `stake_step`, are "
            "not asked, and the result names them as not examined. "
            "Declarations about tables are compared with the law; what is not declared "
            "is not examined."
        ),
        (),
    ),
    "settle": (
        "Settles each bet.",
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
        "Compares hand a with hand b.",
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
        "Requests an act at a table.",
        (
            "An act of the game has the fields of that act, and those that tell the bet apart in "
            "`settle`. The player is the bettor. In an additional bet, `to` is the ticket of the "
            "bet it is added to. "
            "An act that lays a stake may carry a `ticket` under which it is settled. "
            "`force` puts an outcome, or every throw that it lists, at the end of a queue, in "
            "every game. With the marked event of its game, a table takes its outcome: the first "
            "of the queue, or one that it draws if the queue is empty. If a "
            "deal is void or cancelled, its outcome goes back to the front. Selo forces none while "
            "another one waits, so an adapter for 1.0 that knows one at a time shows the same. "
            "`happen` makes people or equipment do something now, or at the next opportunity. "
            "`go-on` lets the table take its next steps until it waits for people, or until right "
            "after the first event named by `until`; it is refused if that cannot come next in "
            "this round. "
            "The events are everything that happened because of the act, in order; the act itself "
            "is not repeated. An act that is refused changes nothing and has no events. "
            "An optional field may be left out: what is not reported is not examined."
        ),
        (NOT_OFFERED, CANNOT_FORCE, NO_TABLE),
    ),
    "table.close": (
        "Closes a table.",
        "The events are those before it closes. What is not due then is not missed.",
        (NO_TABLE,),
    ),
    "draw": (
        "Draws outcomes from the vendor's own random source.",
        (
            f"At most {MOST_DRAWN} at once. Cards: the hands of one round, with every place or "
            "seat of the options; a single seat is called `1`. Dice that are thrown "
            "repeatedly: one throw each. "
            "Every outcome is reported unchanged: each from freshly shuffled cards, hands in the "
            "order dealt and not sorted, dice in the same order each time. The test is of the "
            "product's own source, so do not seed or generate anything for it."
        ),
        (NOT_OFFERED,),
    ),
    "pack": (
        "Shuffles whole packs, shoes or sets of tiles with the vendor's own random source.",
        (
            f"At most {MOST_DRAWN} at once. Each is reported whole, in dealing order, including "
            "burned pieces and those behind the cut card: `burned` is how many of the first pieces "
            "are burned, `before_cut` how many lie before the cut card. It is the shuffle of the "
            "tables, without a seed."
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
    "act": "The requested act.",
    "count": "How many outcomes are drawn.",
}


def description() -> str:
    """Return the rules that hold for every method, as one text."""
    transports = [
        f"{name}: {' '.join(sentences)}" for name, sentences in TRANSPORTS.items()
    ]  # fmt: skip
    return "\n\n".join([SUMMARY, IDS, *transports, MONEY, *UNKNOWN.values(), COMPATIBILITY])
