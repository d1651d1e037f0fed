"""The PDF/A-3 container around the pages: metadata, attachments, compression.

1. Metadata identify the file as both PDF/A-3a and PDF/UA-1; for PDF/A, the properties of PDF/UA
   need an extension schema.
2. Files are attached with date and relationship.
3. Objects are packed into many small streams, because verifiers of signatures read them one by one.
"""

from __future__ import annotations

import datetime as dt
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import escape

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pikepdf

PRODUCER: Final = "Selo"
_MIME: Final = {
    "jpg": "image/jpeg",
    "json": "application/json",
    "jsonl": "application/x-ndjson",
    "png": "image/png",
    "yaml": "application/yaml",
    "zst": "application/zstd",
    "xml": "application/xml",
}
_DEFAULT_MIME: Final = "application/octet-stream"


@dataclass(frozen=True, kw_only=True, slots=True)
class EmbeddedFile:
    """A file to attach."""

    name: str
    description: str
    data: bytes
    #: Its relationship to the document: Alternative, Data, Source or Supplement.
    relationship: str


@dataclass(frozen=True, kw_only=True, slots=True)
class DocumentInfo:
    """Metadata of the file."""

    #: By language.
    titles: dict[str, str]
    author: str
    subject: str
    keywords: str
    creator: str
    day: dt.date

    @property
    def title(self) -> str:
        """The title in all languages."""
        return " · ".join(self.titles.values())

    @property
    def moment(self) -> dt.datetime:
        """The beginning of the day of the document, independent of the clock."""
        return dt.datetime.combine(self.day, dt.time(), tzinfo=dt.UTC)


def pack_document(pages: bytes, about: DocumentInfo, files: Sequence[EmbeddedFile]) -> bytes:
    """Return the PDF; the same pages and files give the same bytes."""
    import pikepdf  # noqa: PLC0415 - only documents need it

    with pikepdf.open(io.BytesIO(pages)) as pdf:
        _describe(pdf, about)
        for file in files:
            _attach(pdf, file, about.moment)
        packed = io.BytesIO()
        pdf.save(
            packed,
            object_stream_mode=pikepdf.ObjectStreamMode.generate,
            compress_streams=True,
            deterministic_id=True,
            linearize=False,
        )
    return packed.getvalue()


def _attach(pdf: pikepdf.Pdf, file: EmbeddedFile, moment: dt.datetime) -> None:
    from pikepdf import Array, AttachedFileSpec, Name  # noqa: PLC0415 - only documents need it

    spec = AttachedFileSpec(
        pdf,
        file.data,
        description=file.description,
        filename=file.name,
        mime_type=_MIME.get(file.name.rpartition(".")[2], _DEFAULT_MIME),
        creation_date=_format_pdf_date(moment),
        mod_date=_format_pdf_date(moment),
    )
    spec.obj.AFRelationship = Name(f"/{file.relationship}")
    pdf.attachments[file.name] = spec
    if Name.AF not in pdf.Root:
        pdf.Root.AF = Array()
    pdf.Root.AF.append(pdf.attachments[file.name].obj)


def _describe(pdf: pikepdf.Pdf, about: DocumentInfo) -> None:
    from pikepdf import Name  # noqa: PLC0415 - only documents need it

    entries = {
        "/Title": about.title,
        "/Author": about.author,
        "/Subject": about.subject,
        "/Keywords": about.keywords,
        "/Creator": about.creator,
        "/Producer": PRODUCER,
        "/CreationDate": _format_pdf_date(about.moment),
        "/ModDate": _format_pdf_date(about.moment),
    }
    for name in list(pdf.docinfo.keys()):
        del pdf.docinfo[name]
    for name, value in entries.items():
        if value:
            pdf.docinfo[name] = value
    pdf.Root.Metadata = pdf.make_stream(
        _render_xmp(about).encode(), Type=Name.Metadata, Subtype=Name.XML
    )


def _format_pdf_date(moment: dt.datetime) -> str:
    return f"D:{moment:%Y%m%d%H%M%S}Z"


def _render_xmp(about: DocumentInfo) -> str:
    """Return the XMP metadata, with the identification of both standards."""
    moment = f"{about.moment:%Y-%m-%dT%H:%M:%SZ}"
    titles = {"x-default": about.title, **about.titles}
    alternatives = "".join(
        f'<rdf:li xml:lang="{language}">{escape(title)}</rdf:li>'
        for language, title in titles.items()
    )
    author = (
        f"<dc:creator><rdf:Seq><rdf:li>{escape(about.author)}</rdf:li></rdf:Seq></dc:creator>"
        if about.author
        else ""
    )
    subject = f'<rdf:li xml:lang="x-default">{escape(about.subject)}</rdf:li>'
    return f"""<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">
<pdfaid:part>3</pdfaid:part><pdfaid:conformance>A</pdfaid:conformance>
</rdf:Description>
<rdf:Description rdf:about="" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/">
<pdfuaid:part>1</pdfuaid:part>
</rdf:Description>
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:title><rdf:Alt>{alternatives}</rdf:Alt></dc:title>{author}
<dc:description><rdf:Alt>{subject}</rdf:Alt></dc:description>
</rdf:Description>
<rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/">
<xmp:CreatorTool>{escape(about.creator)}</xmp:CreatorTool>
<xmp:CreateDate>{moment}</xmp:CreateDate><xmp:ModifyDate>{moment}</xmp:ModifyDate>
</rdf:Description>
<rdf:Description rdf:about="" xmlns:pdf="http://ns.adobe.com/pdf/1.3/">
<pdf:Producer>{PRODUCER}</pdf:Producer><pdf:Keywords>{escape(about.keywords)}</pdf:Keywords>
</rdf:Description>
{_XMP_EXTENSION}
</rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>"""


#: PDF/A requires an extension schema for properties of XMP that it does not define.
_XMP_EXTENSION: Final = """<rdf:Description rdf:about=""
 xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"
 xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#"
 xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
<pdfaSchema:schema>PDF/UA identification schema</pdfaSchema:schema>
<pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI>
<pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>
<pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource">
<pdfaProperty:name>part</pdfaProperty:name>
<pdfaProperty:valueType>Integer</pdfaProperty:valueType>
<pdfaProperty:category>internal</pdfaProperty:category>
<pdfaProperty:description>Part of ISO 14289 to which the file conforms</pdfaProperty:description>
</rdf:li></rdf:Seq></pdfaSchema:property>
</rdf:li></rdf:Bag></pdfaExtension:schemas>
</rdf:Description>"""
