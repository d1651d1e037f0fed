"""The made-up games of docs/examples, added to a copy of the law, and their vendors."""

import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENDORS = ROOT / "fixtures" / "examples"
#: Each game with its instrument.
EXAMPLES = {
    "roulette": "exemplo-11-33-m",
    "cussec": "exemplo-12-33-m",
    "fantan": "exemplo-13-33-m",
    "boule": "exemplo-15-33-m",
}
#: Those played with cards, and their instruments.
CARD_EXAMPLES = {"black-jack": "exemplo-14-33-m"}
_INSTRUMENTS = EXAMPLES | CARD_EXAMPLES
_REFERENCE = f"""import sys

sys.path.insert(0, {str(VENDORS)!r})
from piece_vendor import vendor
"""


def add_games(folder, *games):
    """Copy the law that ships to a folder and add games to it, as the guide says."""
    for name in ("specs", "bilingual"):
        shutil.copytree(ROOT / name, folder / name)
    for game in games:
        example = ROOT / "docs" / "examples" / game
        for source in (example / "bilingual" / "sources").iterdir():
            shutil.copy(source, folder / "bilingual" / "sources")
        with (folder / "bilingual" / "sources.yaml").open("a", encoding="utf-8") as sources:
            sources.write((example / "bilingual" / "sources.add.yaml").read_text(encoding="utf-8"))
        shutil.copytree(
            example / "specs" / _INSTRUMENTS[game], folder / "specs" / _INSTRUMENTS[game]
        )
    (folder / "reference.py").write_text(_REFERENCE, encoding="utf-8")
    return folder


def load_piece_module(name):
    """Return a module of the vendors of the examples."""
    if str(VENDORS) not in sys.path:
        sys.path.insert(0, str(VENDORS))
    return __import__(name)
