"""Pages as received, in plain text, HTML or PDF, turned into lines of text."""

from __future__ import annotations

import errno
import re
import shutil
import subprocess
import unicodedata
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Final

from selo.storage import read_bounded
from selo.text import user_error

if TYPE_CHECKING:
    from pathlib import Path

#: The largest page that is read; a gazette page has a few thousand characters.
_MOST_BYTES: Final = 20 << 20
#: The longest line that is read.
_MOST_COLUMNS: Final = 100_000
_PDF_SECONDS: Final = 60
_PDF_MAGIC: Final = b"%PDF-"
_HTML_START = re.compile(
    rb"\s*(?:<\?xml[^>]*>\s*)?<(?:!doctype html|html|head|body)\b", re.IGNORECASE
)
_CHARSET = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?\s*([\w-]+)", re.IGNORECASE)
_LINE_BREAKS = re.compile("\r\n?|[\f\v\x85\u2028\u2029]")
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]"
)
_BLOCK_TAGS: Final = (
    "address article aside blockquote caption center dd div dl dt fieldset footer form h1 h2 h3 h4 "
    "h5 h6 header hr li main nav ol p pre section table tbody tfoot thead tr ul"
)
_BLOCKS: Final = frozenset(_BLOCK_TAGS.split())
_SKIPPED: Final = frozenset({"script", "style", "head", "noscript", "template"})
_CELLS: Final = frozenset({"td", "th"})


def read_page(path: Path) -> tuple[bytes, str]:
    """Return the bytes of the page at `path` and its text, one paragraph or printed line a line."""
    try:
        content = read_bounded(path, _MOST_BYTES)
    except OSError as error:
        if error.errno == errno.EFBIG:
            raise user_error("intake-page-size", path=path, most=_MOST_BYTES >> 20) from error
        raise user_error("intake-page", path=path, error=error.strerror) from error
    if content.startswith(_PDF_MAGIC):
        text = _pdf_text(path)
    elif _HTML_START.match(content[:1000]) or path.suffix.lower() in {".html", ".htm", ".xhtml"}:
        text = _html_text(_decode(path, content, charset=_CHARSET.search(content[:4000])))
    else:
        text = _decode(path, content, charset=None)
    text = normalise_page(text)
    if not text.strip():
        raise user_error("intake-page-empty", path=path)
    if max(map(len, text.split("\n"))) > _MOST_COLUMNS:
        raise user_error("intake-page-text", path=path)
    return content, text


def normalise_page(text: str) -> str:
    """Return `text` in composed form, with plain line ends and without invisible characters."""
    plain = _INVISIBLE.sub("", _LINE_BREAKS.sub("\n", text)).replace("\xa0", " ")
    return unicodedata.normalize("NFC", plain)


def _decode(path: Path, content: bytes, *, charset: re.Match[bytes] | None) -> str:
    name = charset[1].decode("ascii") if charset else "utf-8"
    if b"\x00" in content:
        raise user_error("intake-page-text", path=path)
    try:
        return content.decode("utf-8-sig" if name.lower() in {"utf-8", "utf8"} else name)
    except (UnicodeDecodeError, LookupError) as error:
        raise user_error("intake-page-encoding", path=path, encoding=name) from error


def _pdf_text(path: Path) -> str:
    program = shutil.which("pdftotext")
    if program is None:
        raise user_error("intake-pdftotext", path=path)
    try:
        done = subprocess.run(  # noqa: S603 - the program of the system, on a file
            [program, "-q", "-enc", "UTF-8", "-nopgbrk", str(path.resolve()), "-"],
            capture_output=True,
            timeout=_PDF_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise user_error("intake-pdf", path=path, error=type(error).__name__) from error
    if done.returncode != 0:
        raise user_error("intake-pdf", path=path, error=f"pdftotext {done.returncode}")
    return done.stdout.decode("utf-8", errors="replace")


class _HtmlText(HTMLParser):
    """Collects the text of a page: a block is a paragraph, a row of a table a line with tabs."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._lines: list[str] = [""]
        self._skipped = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        if tag in _SKIPPED:
            self._skipped += 1
        elif tag == "br":
            self._lines.append("")
        elif tag in _BLOCKS:
            self._end_block(blank=tag != "tr")
        elif tag in _CELLS and self._lines[-1].strip():
            self._lines[-1] += "\t"

    def handle_endtag(self, tag: str) -> None:
        if tag in _SKIPPED:
            self._skipped = max(0, self._skipped - 1)
        elif tag in _BLOCKS:
            self._end_block(blank=tag != "tr")

    def handle_data(self, data: str) -> None:
        if not self._skipped:
            words = re.sub(r"[ \t\r\n]+", " ", data)
            self._lines[-1] += words.lstrip() if not self._lines[-1].strip(" ") else words

    def _end_block(self, *, blank: bool) -> None:
        if self._lines[-1].strip():
            self._lines.append("")
        if blank and len(self._lines) > 1 and self._lines[-2].strip():
            self._lines.append("")

    def text(self) -> str:
        return "\n".join(line.strip(" \t") for line in self._lines)


def _html_text(markup: str) -> str:
    parser = _HtmlText()
    parser.feed(markup)
    parser.close()
    return parser.text()
