"""Whether what is installed somewhere is what a document was made for."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from selo.errors import SeloError
from selo.vendors.faults import VendorBroken
from selo.verification.verification_report import Check, failed, holds, left_open

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from selo.examine.exchange.workers import Reached
    from selo.protocol.messages import Description
    from selo.report.model.report_model import Report


def installed(report: Report, folder: Path) -> Iterator[Check]:
    """Yield a check for each file of the product, as it lies in `folder`."""
    if not report.item.files:
        yield left_open("installation", "installation.no-files")
    for file in report.item.files:
        slots = {"file": file.path, "sha256": file.sha256}
        name = f"file {file.path}"
        path = folder / file.path
        try:
            with path.open("rb") as opened:
                found = hashlib.file_digest(opened, "sha256").hexdigest()
        except OSError as error:
            yield failed(name, "file.gone", problem=error.strerror, **slots)
            continue
        if found != file.sha256:
            yield failed(name, "file.differs", found=found, **slots)
        else:
            yield holds(name, "file", **slots)


def introduced(report: Report, vendor: Reached) -> Iterator[Check]:
    """Yield whether a vendor says of itself what the document says of it."""
    try:
        session = vendor.session()
        try:
            said: Description = session.ask("describe", {})
        finally:
            session.kill()
    except (VendorBroken, SeloError) as error:
        yield left_open("vendor", "vendor.silent", problem=error)
        return
    item = report.item
    slots = {"product": said.product.name, "version": said.product.version}
    same = (said.vendor.name, said.product.name, said.product.version) == (
        item.vendor,
        item.product,
        item.version,
    )
    files = {file.path: file.sha256 for file in said.files} == {
        file.path: file.sha256 for file in item.files
    }
    if same and files:
        yield holds("vendor", **slots)
    else:
        yield failed("vendor", "vendor.differs", **slots)
