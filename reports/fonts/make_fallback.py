"""Make ``SeloFallback-Regular.ttf``: the East Asian characters that the other faces lack.

python3 make_fallback.py NotoSerifCJK-Regular.ttc

The source is the Debian package ``fonts-noto-cjk``; the licence lets a subset be passed on under
another name. Its outlines become TrueType, because a subset of its CFF has other numbers than PDF/A
looks for. Run again only when another character is wanted, and then renew ``SHA256SUMS``.
"""

import sys
from pathlib import Path

from fontTools import subset
from fontTools.pens.cu2quPen import Cu2QuPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont, newTable

HERE = Path(__file__).resolve().parent
#: The Traditional Chinese face of the collection.
FACE = 3
#: Whoever can be named in one of these can be named in a document.
ENCODINGS = ("gbk", "shift_jis", "euc_kr", "big5hkscs")
#: The law writes 爲; a line of fallback characters keeps its spaces.
ALWAYS = {ord("爲"), ord(" "), ord("　")}
NAMES = {
    1: "Selo Fallback",
    2: "Regular",
    3: "2.001;SeloFallback-Regular",
    4: "Selo Fallback Regular",
    6: "SeloFallback-Regular",
    16: "Selo Fallback",
    17: "Regular",
}
#: How far an outline may be off, in thousandths of a letter.
MOST_OFF = 1.0
#: Nothing in these outlines is hinted or composed.
NONE = (
    "maxTwilightPoints", "maxStorage", "maxFunctionDefs", "maxInstructionDefs", "maxStackElements",
    "maxSizeOfInstructions", "maxComponentElements", "maxPoints", "maxContours",
    "maxCompositePoints", "maxCompositeContours", "maxComponentDepth", "numGlyphs",
)  # fmt: skip
DROPPED = ["vhea", "vmtx", "VORG", "BASE", "GPOS", "GSUB", "GDEF", "DSIG"]


def encoded(name: str) -> set[int]:
    """Return every character that two bytes of an encoding can write."""
    found = set()
    for first in range(0x81, 0xFF):
        for second in range(0x40, 0xFF):
            found |= {ord(one) for one in bytes([first, second]).decode(name, "ignore")}
    return found


def make(source: Path, target: Path) -> None:
    """Write the subset of `source` to `target`."""
    others = [path for path in HERE.glob("*.ttf") if path.name != target.name]
    have = {code for path in others for code in TTFont(path, lazy=True).getBestCmap()}
    font = TTFont(source, fontNumber=FACE, recalcTimestamp=False)
    wanted = {code for name in ENCODINGS for code in encoded(name)} - have
    options = subset.Options()
    options.layout_features = []
    options.hinting = False
    options.notdef_outline = True
    options.drop_tables += DROPPED
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=(wanted | ALWAYS) & set(font.getBestCmap()))
    subsetter.subset(font)
    for record in font["name"].names:
        if record.nameID in NAMES:
            record.string = NAMES[record.nameID]
    straighten(font)
    font.save(target)


def straighten(font: TTFont) -> None:
    """Turn the outlines of `font` into TrueType."""
    glyphs = {}
    drawn = font.getGlyphSet()
    for name in font.getGlyphOrder():
        pen = TTGlyphPen(None)
        drawn[name].draw(Cu2QuPen(pen, MOST_OFF, reverse_direction=True))
        glyphs[name] = pen.glyph()
    font["loca"] = newTable("loca")
    font["glyf"] = table = newTable("glyf")
    table.glyphOrder = font.getGlyphOrder()
    table.glyphs = glyphs
    del font["CFF "]
    table.compile(font)
    for name, glyph in glyphs.items():
        font["hmtx"][name] = font["hmtx"][name][0], getattr(glyph, "xMin", 0)
    font["maxp"] = most = newTable("maxp")
    most.tableVersion = 0x00010000
    most.maxZones = 1
    for field in NONE:
        setattr(most, field, 0)
    most.compile(font)
    font["post"].formatType = 3.0
    font.sfntVersion = "\x00\x01\x00\x00"


if __name__ == "__main__":
    make(Path(sys.argv[1]), HERE / "SeloFallback-Regular.ttf")
