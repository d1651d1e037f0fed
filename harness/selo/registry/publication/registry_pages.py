"""HTML pages of a registry: the first page, pages of rows, one page for each certificate.

The page of a certificate depends on its own events alone, so that a longer log changes few pages.
How old the registry is, every page learns from ``head.js``. The page that identifies files is
complete in itself.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import msgspec
from markupsafe import Markup

from selo import data_files
from selo.law.status import macau_today
from selo.registry.certificate_states import CertificateState
from selo.registry.publication.registry_tables import file_name
from selo.registry.status.status_list import ListedCertificate, list_record
from selo.report.formats.web_page import chinese_font, embed_chinese_font, web_templates
from selo.storage import read_bounded
from selo.text.message_catalogue import message_keys, message_words
from selo.text.sanitize import escape_unseen_json, escape_unseen_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from selo.law import Law
    from selo.registry.certificate_states import CertificateRecord
    from selo.registry.registry_check import CheckedLog
    from selo.registry.tree_heads import TreeHead

_ROWS: Final = 500
_NEWEST: Final = 50
_FOLDER: Final = "registry"
_FONT_FACE: Final = '@font-face { font-family: "Selo Han"; src: url("han.woff") format("woff"); }\n'
_LANGUAGES: Final = ("pt", "zh", "en")
_CLASSES: Final = {CertificateState.VALID: "conforms", CertificateState.SUSPENDED: "inconclusive"}


class RegistryPages:
    """The pages of a registry on the day of its head."""

    def __init__(self, law: Law, log: CheckedLog, head: TreeHead) -> None:
        self._log = log
        self._head = head
        self.day = macau_today(head.at)
        self._instruments = {folder.instrument.id: folder.instrument for folder in law.folders}
        self._points = {point.id: point for point in law.divergences}
        self._before: dict[str, list[str]] = {}
        for record in log.book.certificates.values():
            if record.successor:
                self._before.setdefault(record.successor, []).append(record.number)

    @staticmethod
    def template_digest() -> str:
        """Return the SHA-256 over everything of ours that a page consists of."""
        folder = data_files.data_folder("reports")
        digest = hashlib.sha256()
        for name in (_FOLDER, "web"):
            for path in sorted((folder / name).iterdir()):
                digest.update(path.name.encode() + b"\0" + _read(name, path.name).encode())
        for language in _LANGUAGES:
            digest.update(msgspec.json.encode(_words(language)))
        return digest.hexdigest()

    def _render(self, template: str, **values: Any) -> bytes:
        text = web_templates().get_template(f"{_FOLDER}/{template}.html")
        shared = {"page_class": lambda state: _CLASSES.get(state, "violates"), "name": file_name}
        page = text.render(registry=self._log.registry, **shared, **values)
        # Names of vendors and files come from outside; our own words contain nothing unseen.
        return escape_unseen_lines(page).encode()

    def certificate_page(self, record: CertificateRecord) -> bytes:
        """Return the page of one certificate."""
        return self._render(
            "certificate",
            up="../",
            page="",
            record=record,
            state=record.state_on(self.day),
            predecessors=sorted(self._before.get(record.number, ())),
            instruments=[
                {
                    "id": one.id,
                    "name": getattr(self._instruments.get(one.id), "name", None),
                    "articles": one.articles,
                    "status": one.status,
                }
                for one in record.issued.instruments
            ],
            readings=list(self._readings(record)),
        )

    def _readings(self, record: CertificateRecord) -> Iterator[dict[str, Any]]:
        for point, reading in sorted(record.issued.readings.items()):
            known = self._points.get(point)
            said = [one.says for one in known.readings if one.id == reading] if known else []
            yield {
                "point": point,
                "reading": reading,
                "title": known.title if known else None,
                "says": said[0] if said else None,
            }

    def shared_files(self, touched: AbstractSet[str]) -> Iterator[tuple[str, bytes]]:
        """Yield what changes with every head: first page, search, and what pages share.

        Of the lists only those are yielded that name a certificate of `touched`.
        """
        records = list(self._log.book.certificates.values())
        states = {one.number: one.state_on(self.day) for one in records}
        pages = [records[start : start + _ROWS] for start in range(0, len(records), _ROWS)]
        names = [f"list-{number:04}.html" for number in range(1, len(pages) + 1)]
        yield (
            "index.html",
            self._render(
                "index",
                up="",
                page="index.html",
                head=self._head,
                counts=sorted(Counter(map(str, states.values())).items()),
                newest=records[: -_NEWEST - 1 : -1],
                states=states,
                lists=names,
            ),
        )
        for name, rows in zip(names, pages, strict=True):
            if touched.isdisjoint(one.number for one in rows):
                continue
            yield name, self._render("list", up="", page=name, records=rows, states=states)
        found = [
            [one.number, file_name(one.number), states[one.number], *_product(one)]
            for one in records
        ]
        yield "search.js", _script("SELO_SEARCH", found)
        yield "head.js", _script("SELO_HEAD", self._head)
        yield "page.js", _read("web", "page.js").encode()
        yield "registry.js", _read(_FOLDER, "registry.js").encode()
        style = _FONT_FACE + _read("web", "style.css") + _read(_FOLDER, "registry.css")
        yield "style.css", style.encode()
        yield "han.woff", chinese_font("".join(self._texts(records)))
        listed = [list_record(one, files=True) for one in records]
        yield "identify.html", self.identify_page(listed)

    def identify_page(self, listed: Sequence[ListedCertificate]) -> bytes:
        """Return the page that identifies files which somebody drops on it, by itself."""
        words = {language: _words(language) for language in _LANGUAGES}
        data = {"head": self._head, "certificates": listed, "words": words}
        page = self._render(
            "identify",
            up="",
            page="identify.html",
            head=self._head,
            data=_embed(data),
            identify_script=Markup(_read(_FOLDER, "identify.js")),  # noqa: S704 - our own file
            registry_style=Markup(_read(_FOLDER, "registry.css")),  # noqa: S704 - our own file
        )
        return embed_chinese_font(page.decode()).encode()

    def _texts(self, records: Sequence[CertificateRecord]) -> Iterator[str]:
        """Yield every text that may stand on a page, for the letters that it needs."""
        yield from _words("zh").values()
        yield from (
            words
            for instrument in self._instruments.values()
            for words in (instrument.name.zh, instrument.name.pt)
        )
        for point in self._points.values():
            yield point.title.zh
            yield from (one.says.zh for one in point.readings)
        for record in records:
            yield record.number
            yield from _product(record)
            yield from (event.reason.zh for event in record.events if event.reason is not None)
            yield from (event.by for event in record.events)


def _product(record: CertificateRecord) -> list[str]:
    product = record.product
    return ["", "", ""] if product is None else [product.vendor, product.name, product.version]


def _words(language: str) -> dict[str, str]:
    """Return the messages that pages of a registry use."""
    prefixes = ("publish.", "registry.state.", "registry.kind.", "identify.", "verdict.", "web.")
    return {
        key: message_words(key).get(language) or ""
        for key in message_keys()
        if key.startswith(prefixes)
    }


def _read(folder: str, name: str) -> str:
    return read_bounded(data_files.data_folder("reports") / folder / name).decode()


def _script(name: str, value: object) -> bytes:
    return b"window." + name.encode() + b" = " + _embed(value).encode() + b";\n"


def _embed(value: object) -> Markup:
    """Return JSON that can stand inside of a script: no tag and no line end of JavaScript."""
    text = escape_unseen_json(msgspec.json.encode(value).decode())
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(text)  # noqa: S704 - escaped above
