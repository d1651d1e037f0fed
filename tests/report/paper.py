"""How tests look at a PDF: through the tools of others, and skipped where they are missing."""

import re
import subprocess

import pikepdf
from tests.tools import need


def tool(name, *arguments, data):
    """Run a tool of poppler or qpdf on a document that comes on its standard input."""
    need(name)
    done = subprocess.run([name, *arguments], input=data, capture_output=True, check=False)
    return done.returncode, done.stdout.decode(errors="replace")


def words(data, *arguments):
    """Return the text of a document as pdftotext reads it."""
    return tool("pdftotext", *arguments, "-", "-", data=data)[1]


def pages(data):
    """Return the text of each page."""
    return words(data).split("\f")[:-1]


def boxes(data):
    """Yield page, word and rectangle of everything that is written, in points from the top."""
    found = re.compile(
        r'<page width="([\d.]+)" height="([\d.]+)">'
        r'|<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">(.*?)</word>'
    )
    page = 0
    for match in found.finditer(words(data, "-bbox")):
        if match[1]:
            page += 1
        else:
            yield page, match[7], tuple(float(match[at]) for at in range(3, 7))


def elements(pdf):
    """Yield every structure element in its order, with the language that holds for it."""
    top = pdf.Root.StructTreeRoot.K[0]
    waiting = [(top, str(pdf.Root.Lang))]
    while waiting:
        one, language = waiting.pop()
        language = str(one.get("/Lang", language))
        yield one, language
        kids = one.get("/K")
        kids = list(kids) if isinstance(kids, pikepdf.Array) else [kids]
        waiting += [
            (kid, language)
            for kid in reversed(kids)
            if isinstance(kid, pikepdf.Dictionary) and kid.get("/Type") == "/StructElem"
        ]


def marked(pdf, page):
    """Return the words under each number of marked content of a page, and those of artifacts."""
    found, unread, numbers, fonts = {}, [], [], {}
    font = None
    for operands, operator in pikepdf.parse_content_stream(pdf.pages[page]):
        name = str(operator)
        if name == "BDC":
            number = (
                operands[1].get("/MCID") if isinstance(operands[1], pikepdf.Dictionary) else None
            )
            numbers.append(None if number is None else int(number))
        elif name == "BMC":
            numbers.append(None)
        elif name == "EMC":
            numbers.pop()
        elif name == "Tf":
            font = str(operands[0])
        elif name in {"Tj", "TJ"}:
            if font not in fonts:
                fonts[font] = _letters(pdf.pages[page].Resources.Font[font])
            shown = "".join(_shown(operands, fonts[font]))
            held = [one for one in numbers if one is not None]
            if held:
                found[held[-1]] = found.get(held[-1], "") + shown
            else:
                unread.append(shown)
    return found, unread


def _shown(operands, letters):
    parts = operands[0] if isinstance(operands[0], pikepdf.Array) else operands
    for part in parts:
        if isinstance(part, pikepdf.String):
            raw = bytes(part)
            for at in range(0, len(raw), 2):
                yield letters.get(raw[at : at + 2].hex(), "")


def _letters(font):
    """Return what each code of a font stands for, from its map to Unicode."""
    text = font.ToUnicode.read_bytes().decode()
    return {
        code.lower(): bytes.fromhex(to).decode("utf-16-be")
        for code, to in re.findall(r"<([0-9A-Fa-f]{4})>\s*<([0-9A-Fa-f]+)>", text)
    }
