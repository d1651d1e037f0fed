"""Formats of others: a result as OSCAL, in-toto, CycloneDX, EARL, Akoma Ntoso or CSV."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.report.interchange.export_formats import EXPORT_FORMATS, render_export
else:
    __getattr__ = front_door(__name__)

__all__ = ["EXPORT_FORMATS", "render_export"]
