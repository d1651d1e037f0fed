"""``make certify``: the whole road with the parts that ship, as far as it is built."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

from selo.cli.exits import Exit
from selo.law.check import check
from selo.law.ledger import ledger
from selo.rules import check as rules
from selo.rules.check import games
from selo.rules.decisive import decided


def run(out: Path) -> int:
    """Prove the law, leave it in `out`, and say plainly what was not done."""
    law, problems = check()
    if law is not None:
        problems += rules.check(law)
    for problem in problems:
        print(problem, file=sys.stderr)
    if law is None or problems:
        return Exit.USAGE
    out.mkdir(parents=True, exist_ok=True)
    book = ledger(law)
    readings = [one for game in games(law) for one in decided(law, game)]
    for name, value in (
        ("ledger", book),
        ("divergences", law.divergences),
        ("readings", readings),
    ):
        text = msgspec.json.format(msgspec.json.encode(value), indent=2)
        (out / f"{name}.json").write_bytes(text + b"\n")
    print(
        f"The law is proven: {len(book.provisions)} provisions, "
        f"{len(law.divergences)} open points, "
        f"spec digest sha256:{book.spec_digest}\n"
        f"Rules of {len(games(law))} games, {len(readings)} readings besides the defaults.\n"
        f"Written to {out}: ledger.json, divergences.json, readings.json\n"
        "No game was examined, so there is no verdict and no document."
    )
    return Exit.CONFORMS


if __name__ == "__main__":
    sys.exit(run(Path(sys.argv[1] if len(sys.argv) > 1 else "out")))
