"""The fonts that ship, cut down so that no test waits for ten megabytes of glyphs."""

from pathlib import Path

import pytest
from fontTools import subset
from fontTools.ttLib import TTFont

ROOT = Path(__file__).resolve().parents[1]
NAMES = ("SourceSerif4-Regular.ttf", "NotoSerifTC-Regular.ttf")
#: Latin letters, and what tests write beside the messages.
MORE = "".join(map(chr, range(0x20, 0x180))) + "\n技術總監"


def whole_fonts():
    """Return the fonts as they ship."""
    return tuple(ROOT / "reports" / "fonts" / name for name in NAMES)


@pytest.fixture(scope="session")
def small_fonts(once):
    """Return the fonts with the glyphs of messages and Latin only, made once in a run."""
    folder = once("small-fonts", cut_fonts)
    return tuple(folder / name for name in NAMES)


def cut_fonts(folder):
    files = sorted((ROOT / "bilingual" / "messages").glob("*.yaml"))
    messages = "".join(one.read_text(encoding="utf-8") for one in files)
    for path in whole_fonts():
        font = TTFont(path)
        # The tables that set letters beside each other cost more than all the letters.
        settings = subset.Options(layout_features=[], drop_tables=["GSUB", "GPOS", "GDEF"])
        cutter = subset.Subsetter(settings)
        cutter.populate(text=messages + MORE)
        cutter.subset(font)
        font.save(folder / path.name)
