"""What the protocol says in sentences: rules that no schema can hold, and the meaning of fields."""

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
    "Where the vendor declares the rounding `exact`, an amount may also be a fraction "
    "`[numerator, denominator]` in lowest terms. "
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
    "An adapter for 1.x keeps working with every Selo of 1.y, where y is x or later. "
    "New methods and new optional fields of requests may come. "
    "Nothing is removed, and nothing changes its meaning, before 2.0. "
    "An adapter that declares a later 1.x than that of Selo is asked what Selo knows, and the "
    "smoke test says so; one that declares another first number is refused."
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
            "placed."
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
            "`force` gives the next round its outcome; where dice are thrown again and again, it "
            "is the queue of coming throws. "
            "`happen` lets people or equipment do something now, or when it next can happen. "
            "`go-on` lets the table take its next steps until it waits for people, or until right "
            "after the first event named by `until`; it is refused if that cannot come next in "
            "this round. "
            "The events are everything that happened because of the act, in order; the act itself "
            "is not repeated. An act that is refused changes nothing and has no events."
        ),
        (NOT_OFFERED, CANNOT_FORCE, NO_TABLE),
    ),
    "table.close": (
        "Closes a table.",
        "The events are what still happens before it closes, usually nothing.",
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

#: The meaning of every field of every answer, by its object.
FIELDS: Final[dict[str, dict[str, str]]] = {
    "Description": {
        "protocol": "The version of the protocol that the adapter was written for.",
        "vendor": "Who answers for the games.",
        "product": "What is examined.",
        "files": "The files of which the product consists; with none, there is no certificate.",
        "currency": "The money in which amounts are told.",
        "rounding": "How amounts that are not whole become whole, where a game says no other.",
        "games": "The games that are offered.",
        "random": "Where outcomes come from; null where nothing is drawn.",
        "processes": "How many copies of the adapter Selo may run side by side.",
    },
    "Vendor": {"name": "The name.", "contact": "How to reach the vendor."},
    "Product": {"name": "The name.", "version": "The version."},
    "File": {
        "path": "The path from the adapter's working folder.",
        "sha256": "The SHA-256 of the file, in lower-case hexadecimal.",
    },
    "Currency": {
        "code": "The code of ISO 4217.",
        "decimals": "The decimals of the smallest unit.",
    },
    "Roundings": {
        "prize": "How a prize is rounded.",
        "commission": "How a commission is rounded.",
    },
    "Random": {
        "source": "The source, in free words.",
        "seedable": "Whether it can be given a seed.",
    },
    "Range": {"from": "The first number.", "to": "The last number."},
    "Offer": {
        "game": "The game.",
        "methods": "What can be asked; `table` is `table.open`, `table.act` and `table.close`.",
        "bets": "The bets that are offered.",
        "options": "The values of each option that are authorised.",
        "forces": "Whether a round at a table can be given its outcome in advance.",
        "rounding": "How this game rounds, where it differs from the others.",
        "level": "What a settlement of this game tells: `result`, `net`, `result-and-net` or "
        "`full`; only at `full` can a `table` be offered.",
        "cannot": "What the product cannot do, by the names of the game: a case in which it "
        "happens may be skipped, and a round in which it is forced is not played.",
        "happens": "The events of people and equipment that `happen` can stage.",
        "declares": "What holds of every table, by the names of the game; a range where tables "
        "differ. What the law asks for and nobody declares is not examined.",
        "faces": "The faces of each die; null where they are not declared.",
        "layout": "What the layout shows; null where it is not declared.",
        "jackpots": "The jackpots of the tables, each as it is configured; null where they are "
        "not declared, an empty list where there are none.",
        "authorisations": "What the authority permitted or approved; null where it is not "
        "declared, an empty list where it was asked for nothing.",
    },
    "Face": {
        "figure": "The figure.",
        "colour": "Its colour.",
        "number": "Its number.",
    },
    "Layout": {
        "bets": "The bets that it shows.",
        "combinations": "How many combinations of the dice it shows, their order apart.",
    },
    "Jackpot": {
        "modality": "The modality.",
        "fixed": "The amount of each combination that has a fixed one.",
        "percentage": "The part of what has accumulated, as part and whole: `[1, 20]`.",
    },
    "Authorisation": {
        "option": "What needs permission.",
        "values": "Which of its values were permitted; for amounts and percentages, of which "
        "modalities.",
        "document": "The document that proves it, so that a person can find it.",
        "used_from": "The day from which it is used.",
        "asked": "The day on which it was asked for.",
        "granted": "The day on which it was granted; null where nobody answered.",
        "working_days": "Working days from the day of asking to the day before use, as many as the "
        "law asks for. Selo does not know all holidays: a day that is not named does not count.",
        "amounts": "The amount that was approved for each combination.",
        "percentage": "The percentage that was approved, as part and whole.",
    },
    "Settled": {"settlements": "One settlement for each bet, in the same order."},
    "Settlement": {
        "result": "`win`, `lose`, `push` (the stake goes back), `stands` (it stays for a next "
        "round or throw), `void` (nothing happened) or `refused` (the bet must not be taken).",
        "prize": "What is paid on top of the stake, before commission; 0 unless `win`.",
        "commission": "What the house keeps of the prize; 0 where none is due.",
        "stake": "What goes back of the stake: all for `win`, `push` and `refused`, 0 for `lose` "
        "and `stands`; for `void` all where the law gives it back, 0 where it stays on the table.",
    },
    "Compared": {"order": "How a ranks against b."},
    "SettledResults": {"settlements": "One settlement for each bet, in the same order."},
    "SettledNets": {"settlements": "One settlement for each bet, in the same order."},
    "SettledResultsAndNets": {"settlements": "One settlement for each bet, in the same order."},
    "ResultSettlement": {"result": "As in a full settlement."},
    "NetSettlement": {"net": "The net amount of the bet."},
    "ResultAndNetSettlement": {
        "result": "As in a full settlement.",
        "net": "The net amount of the bet.",
    },
    "Skipped": {
        "skipped": "The circumstance, as declared in `cannot` of the game.",
        "reason": "Why the product cannot answer, in free words.",
    },
    "Happened": {"events": "What happened at the table, in order."},
    "TicketSettlement": {
        "ticket": "The mark of the bet.",
        "result": "As in a settlement.",
        "prize": "As in a settlement.",
        "commission": "As in a settlement.",
        "stake": "As in a settlement.",
    },
    "Acted": {
        "answer": "Whether the table did what it was asked.",
        "events": "Everything that happened because of the act, in order.",
        "reason": "Why the act was refused, in free words.",
        "outcome": "The outcome, in the answer in which it became visible.",
        "settlements": "All bets decided since the last answer.",
    },
    "Drawn": {"outcomes": "As many outcomes as were asked for."},
    "Ended": {},
    "Fault": {
        "code": "What kind of error it is.",
        "message": "The error in free words.",
        "data": "Anything that helps.",
    },
    "Answer": {
        "jsonrpc": "The version of JSON-RPC.",
        "id": "The id of the request.",
        "result": "The result of the method; left out where there is an error.",
        "error": "Why there is no result.",
    },
    "Request": {
        "jsonrpc": "The version of JSON-RPC.",
        "id": "An opaque text.",
        "method": "The name of the method.",
        "params": "The params by name.",
    },
}


def description() -> str:
    """Return the rules that hold for every method, as one text."""
    transports = [
        f"{name}: {' '.join(sentences)}" for name, sentences in TRANSPORTS.items()
    ]  # fmt: skip
    return "\n\n".join([SUMMARY, IDS, *transports, MONEY, *UNKNOWN.values(), COMPATIBILITY])
