"""What each field of a message means, by its object."""

from __future__ import annotations

from typing import Final

#: The meaning of every field of every answer, by its object.
FIELDS: Final[dict[str, dict[str, str]]] = {
    "Description": {
        "protocol": "The version of the protocol that the adapter was written for.",
        "vendor": "Who answers for the games.",
        "product": "What is examined.",
        "files": "The files of which the product consists; with none, there is no certificate.",
        "currency": "The currency of all amounts.",
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
        "level": "What a settlement of this game reports: `result`, `net`, `result-and-net` or "
        "`full`; only at `full` can a `table` be offered.",
        "via": "Who computes each bet, and `compare`, `table` and `draw`: the `engine`, which is "
        "the product, the `adapter`, or nobody, where results are `copied` from elsewhere. What "
        "is not named is computed by the engine.",
        "history": "Whether cases may state earlier events: `held`, `overlooked` and "
        "`closing` of a bet, `exposed` and `announced` of an outcome, a die that is `unreadable`, "
        "the history of a jackpot. Without it no such case is put.",
        "largest_stake": "The largest stake of one bet that the product takes, in the smallest "
        "unit. Cases and rounds with a larger one are not asked, and the result names them as not "
        "examined.",
        "stake_step": "The number of which every stake is a multiple: 100 where only whole patacas "
        "are taken. Other stakes are not asked: those of a case are multiplied by it.",
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
    "Compared": {
        "order": "How a ranks against b.",
        "hand_points": "What a and b count, in games whose law counts points of a hand; may be "
        "left out. It is examined where the law held says what the hand counts.",
    },
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
