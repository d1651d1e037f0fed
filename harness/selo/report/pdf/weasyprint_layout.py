"""Layout of HTML with WeasyPrint, using only the bundled fonts and without files or network."""

from __future__ import annotations

import logging
import os
import tempfile
import warnings
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote, urlsplit

from selo.errors import SeloError
from selo.parallel import garbage_collection_off
from selo.report import fonts
from selo.text import user_error

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

#: Our own URL scheme; nothing else can be fetched.
_SCHEME: Final = "selo"
_NO_FONTS: Final = (
    '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">'
    "<fontconfig></fontconfig>"
)
_WEASYPRINT_LOGGER: Final = "weasyprint"
#: Points for each pixel of CSS.
_POINTS_PER_PIXEL: Final = 0.75
_LANGUAGE: Final = "pt"
_SYSTEM_PACKAGES: Final = "libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz0b libharfbuzz-subset0"


class LayoutFailed(SeloError):
    """The document cannot be laid out; this is a defect of Selo and not of a vendor."""

    code = "suite"

    def __init__(self, *, problems: list[str]) -> None:
        super().__init__(
            "the document could not be laid out: " + "; ".join(problems) + "\n"
            "  hint: This is a defect of Selo; report it with these words."
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class PageRectangle:
    """A rectangle on a page, in points from the lower left corner; pages count from zero."""

    page: int
    left: float
    bottom: float
    right: float
    top: float


@dataclass(frozen=True, kw_only=True, slots=True)
class TypesetPages:
    """Pages as PDF, without container."""

    pdf: bytes
    pages: int
    #: The rectangles of elements by id.
    places: dict[str, PageRectangle]


def typeset(
    html: str,
    styles: tuple[str, ...],
    pictures: Mapping[str, bytes],
    ids: tuple[str, ...] = (),
) -> TypesetPages:
    """Return `html` laid out with `styles`, and the rectangles of the elements with `ids`.

    Styles may refer only to the bundled fonts and to `pictures`, by name.
    """
    weasyprint = _import_weasyprint()
    from selo.report.pdf import ua_tags as tagging  # noqa: PLC0415 - it needs WeasyPrint

    fetcher = _closed_fetcher({**fonts.load_fonts(), **pictures})
    # Boxes and tags are millions of objects that live until the last page is written: garbage
    # collection would take a third of the time.
    with garbage_collection_off(), _hidden_system_fonts(), _collected_warnings() as complaints:
        config = weasyprint.text.fonts.FontConfiguration()
        sheets = [
            weasyprint.CSS(
                string=style, font_config=config, url_fetcher=fetcher, base_url=f"{_SCHEME}:///"
            )
            for style in styles
        ]
        if complaints:
            # Without a font, native libraries would abort the process.
            raise LayoutFailed(problems=complaints)
        document = weasyprint.HTML(
            string=html, base_url=f"{_SCHEME}:///", url_fetcher=fetcher
        ).render(stylesheets=sheets, font_config=config)
        with tagging.tag_languages(_LANGUAGE) as learned, warnings.catch_warnings():
            # WeasyPrint leaves its colour profile open.
            warnings.simplefilter("ignore", ResourceWarning)
            pdf = document.write_pdf(
                pdf_variant="pdf/a-3a",
                # Compression and identifier are added with the container.
                uncompressed_pdf=True,
                pdf_identifier=False,
                finisher=lambda _, pdf_file: tagging.finish_tags(pdf_file, learned),
            )
    if complaints:
        raise LayoutFailed(problems=complaints)
    return TypesetPages(pdf=pdf, pages=len(document.pages), places=_find_rectangles(document, ids))


def _find_rectangles(document: Any, ids: tuple[str, ...]) -> dict[str, PageRectangle]:
    rectangles: dict[str, PageRectangle] = {}
    for number, page in enumerate(document.pages):
        for name in ids:
            if name in page.anchors and name not in rectangles:
                left, top, right, bottom = (side * _POINTS_PER_PIXEL for side in page.anchors[name])
                height = page.height * _POINTS_PER_PIXEL
                rectangles[name] = PageRectangle(
                    page=number, left=left, bottom=height - bottom, right=right, top=height - top
                )
    return rectangles


def _import_weasyprint() -> Any:
    with warnings.catch_warnings(), _hidden_system_fonts():
        # WeasyPrint warns that it finds no fonts of the machine.
        warnings.simplefilter("ignore")
        try:
            import weasyprint  # noqa: PLC0415 - a second to load, and only documents need it
            import weasyprint.text.fonts  # noqa: PLC0415 - the same
        except OSError as error:
            raise user_error(
                "pdf-libraries", problem=str(error).splitlines()[0], packages=_SYSTEM_PACKAGES
            ) from error
    return weasyprint


@contextmanager
def _hidden_system_fonts() -> Iterator[None]:
    """Hide the fonts of the machine by a configuration of fontconfig without fonts."""
    with tempfile.TemporaryDirectory(prefix="selo-") as folder:
        path = Path(folder) / "fonts.conf"
        path.write_text(_NO_FONTS, encoding="utf-8")
        before = os.environ.get("FONTCONFIG_FILE")
        os.environ["FONTCONFIG_FILE"] = str(path)
        try:
            yield
        finally:
            if before is None:
                del os.environ["FONTCONFIG_FILE"]
            else:
                os.environ["FONTCONFIG_FILE"] = before


@contextmanager
def _collected_warnings() -> Iterator[list[str]]:
    """Collect the warnings of WeasyPrint: missing glyphs, unknown styles, files not fetched."""
    messages: list[str] = []

    class Collector(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            messages.append(record.getMessage())

    logger = logging.getLogger(_WEASYPRINT_LOGGER)
    collector = Collector(level=logging.WARNING)
    logger.addHandler(collector)
    try:
        yield messages
    finally:
        logger.removeHandler(collector)


def _closed_fetcher(files: Mapping[str, bytes]) -> Any:
    from weasyprint.urls import URLFetcher, URLFetcherResponse  # noqa: PLC0415 - loads WeasyPrint

    class Ours(URLFetcher):  # type: ignore[misc]  # it has no types
        """Fetches only the given files."""

        def fetch(self, url: str, headers: Any = None) -> Any:
            del headers
            parts = urlsplit(url)
            name = unquote(parts.path).lstrip("/")
            if parts.scheme != _SCHEME or name not in files:
                msg = f"nothing is fetched: {url[:80]}"
                raise ValueError(msg)
            kind = {"Content-Type": "image/svg+xml"} if name.endswith(".svg") else None
            return URLFetcherResponse(url, body=files[name], headers=kind)

    return Ours()
