"""The digest over everything that judging, plans and the format of the law depend on.

Comments, docstrings and layout do not count. ``make engine`` acknowledges a change: whoever runs it
has decided whether an older document can now be judged or planned otherwise, and raised the number
in ``selo/engine.py`` if so.
"""

import ast
import hashlib
import json
from pathlib import Path

from selo.engine import ENGINE

HERE = Path(__file__).resolve().parent
ACKNOWLEDGED = HERE / "acknowledged.json"
PACKAGE = HERE.parents[1] / "harness" / "selo"
#: The rooms in which verdicts, plans and the format of the law are decided.
ROOMS = (
    "cases", "draws", "evidence", "examine/analysis", "examine/blame", "examine/conclusion",
    "examine/coverage", "examine/findings", "examine/kills", "examine/live_rounds", "examine/plan",
    "examine/tally", "examine/vendor_description", "gazette", "law", "protocol", "rounds", "rules",
    "verdict",
)  # fmt: skip


def without_docstrings(tree: ast.AST) -> ast.AST:
    """Return a tree without docstrings."""
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if (
            isinstance(body, list)
            and body
            and isinstance(body[0], ast.Expr)
            and isinstance(body[0].value, ast.Constant)
            and isinstance(body[0].value.value, str)
        ):
            body[0] = ast.Pass()
    return tree


def compute_judging_digest() -> str:
    """Return the digest of all modules of these rooms."""
    digest = hashlib.sha256()
    for room in ROOMS:
        for path in sorted((PACKAGE / room).rglob("*.py")):
            tree = without_docstrings(ast.parse(path.read_text(encoding="utf-8")))
            digest.update(f"{path.relative_to(PACKAGE).as_posix()}\0{ast.dump(tree)}\n".encode())
    return digest.hexdigest()


def main() -> None:
    """Acknowledge the present digest for the present number."""
    record = {"engine": ENGINE, "digest": compute_judging_digest()}
    ACKNOWLEDGED.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
