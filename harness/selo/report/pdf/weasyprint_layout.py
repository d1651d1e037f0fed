"""From HTML to pages: WeasyPrint with our fonts alone, and no way out to files or network."""

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
from selo.parallel import uncollected
from selo.report import fonts
from selo.text import wrong

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

#: A scheme of our own: what is not under it cannot be reached.
_SCHEME: Final = "selo"
_NO_FONTS: Final = (
    '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">'
    "<fontconfig></fontconfig>"
)
_LOGGER: Final = "weasyprint"
#: Points for each pixel of CSS.
_POINTS: Final = 0.75
_LANGUAGE: Final = "pt"
_PACKAGES: Final = "libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz0b libharfbuzz-subset0"


class LayoutFailed(SeloError):
    """The document cannot be laid out as it must be; the suite is at fault, and no vendor."""

    code = "suite"

    def __init__(self, *, problems: list[str]) -> None:
        super().__init__(
            "the document could not be laid out: " + "; ".join(problems) + "\n"
            "  hint: This is a defect of Selo; report it with these words."
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """A rectangle on a page, in points from the lower left corner; pages count from nought."""

    page: int
    left: float
    bottom: float
    right: float
    top: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Typeset:
    """Pages as PDF, not yet packed."""

    pdf: bytes
    pages: int
    #: Where the elements with these ids stand.
    places: dict[str, Place]


def typeset(
    html: str,
    styles: tuple[str, ...],
    pictures: Mapping[str, bytes],
    ids: tuple[str, ...] = (),
) -> Typeset:
    """Return `html` laid out with `styles`, and where the elements with some ids stand.

    Styles may refer to the fonts that ship and to `pictures`, by name, and to nothing else.
    """
    weasyprint = _weasyprint()
    from selo.report.pdf import ua_tags as tagging  # noqa: PLC0415 - it needs WeasyPrint

    fetcher = _fetcher({**fonts.files(), **pictures})
    # Boxes and tags are millions of objects that live until the last page is written: looking
    # through them for garbage would take a third of the time.
    with uncollected(), _fonts(), _complaints() as complaints:
        config = weasyprint.text.fonts.FontConfiguration()
        sheets = [
            weasyprint.CSS(
                string=style, font_config=config, url_fetcher=fetcher, base_url=f"{_SCHEME}:///"
            )
            for style in styles
        ]
        if complaints:
            # Without a font, the libraries below would end the process.
            raise LayoutFailed(problems=complaints)
        document = weasyprint.HTML(
            string=html, base_url=f"{_SCHEME}:///", url_fetcher=fetcher
        ).render(stylesheets=sheets, font_config=config)
        with tagging.learning(_LANGUAGE) as learned, warnings.catch_warnings():
            # It leaves the file of its colours open.
            warnings.simplefilter("ignore", ResourceWarning)
            pdf = document.write_pdf(
                pdf_variant="pdf/a-3a",
                # Whoever packs the file compresses it and gives it its identifier.
                uncompressed_pdf=True,
                pdf_identifier=False,
                finisher=lambda _, made: tagging.finish(made, learned),
            )
    if complaints:
        raise LayoutFailed(problems=complaints)
    return Typeset(pdf=pdf, pages=len(document.pages), places=_places(document, ids))


def _places(document: Any, ids: tuple[str, ...]) -> dict[str, Place]:
    found: dict[str, Place] = {}
    for number, page in enumerate(document.pages):
        for name in ids:
            if name in page.anchors and name not in found:
                left, top, right, bottom = (one * _POINTS for one in page.anchors[name])
                height = page.height * _POINTS
                found[name] = Place(
                    page=number, left=left, bottom=height - bottom, right=right, top=height - top
                )
    return found


def _weasyprint() -> Any:
    with warnings.catch_warnings(), _fonts():
        # It looks for the fonts of the machine, and warns that it may use none of them.
        warnings.simplefilter("ignore")
        try:
            import weasyprint  # noqa: PLC0415 - a second to load, and only documents need it
            import weasyprint.text.fonts  # noqa: PLC0415 - the same
        except OSError as error:
            raise wrong(
                "pdf-libraries", problem=str(error).splitlines()[0], packages=_PACKAGES
            ) from error
    return weasyprint


@contextmanager
def _fonts() -> Iterator[None]:
    """Hide the fonts of the machine: fontconfig reads a configuration that has none."""
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
def _complaints() -> Iterator[list[str]]:
    """Gather what WeasyPrint warns of: a missing glyph, a style or a file that it cannot use."""
    found: list[str] = []

    class Ear(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            found.append(record.getMessage())

    logger = logging.getLogger(_LOGGER)
    ear = Ear(level=logging.WARNING)
    logger.addHandler(ear)
    try:
        yield found
    finally:
        logger.removeHandler(ear)


def _fetcher(known: Mapping[str, bytes]) -> Any:
    from weasyprint.urls import URLFetcher, URLFetcherResponse  # noqa: PLC0415 - loads WeasyPrint

    class Ours(URLFetcher):  # type: ignore[misc]  # it has no types
        """Gives out what is known, and nothing else."""

        def fetch(self, url: str, headers: Any = None) -> Any:
            del headers
            parts = urlsplit(url)
            name = unquote(parts.path).lstrip("/")
            if parts.scheme != _SCHEME or name not in known:
                msg = f"nothing is fetched: {url[:80]}"
                raise ValueError(msg)
            kind = {"Content-Type": "image/svg+xml"} if name.endswith(".svg") else None
            return URLFetcherResponse(url, body=known[name], headers=kind)

    return Ours()
