"""Compares an installation, or a running vendor, with what a document was made for."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from selo.errors import SeloError
from selo.vendors.faults import VendorBroken
from selo.verification.verification_report import (
    DocumentCheck,
    failed_check,
    open_check,
    passed_check,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from selo.examine.exchange import VendorEndpoint
    from selo.protocol.messages import Description
    from selo.report.model.report_model import Report


def check_installation(report: Report, folder: Path) -> Iterator[DocumentCheck]:
    """Check each file of the product in `folder`."""
    if not report.item.files:
        yield open_check("installation", "installation.no-files")
    for file in report.item.files:
        slots = {"file": file.path, "sha256": file.sha256}
        name = f"file {file.path}"
        path = folder / file.path
        try:
            with path.open("rb") as content:
                digest = hashlib.file_digest(content, "sha256").hexdigest()
        except OSError as error:
            yield failed_check(name, "file.gone", problem=error.strerror, **slots)
            continue
        if digest != file.sha256:
            yield failed_check(name, "file.differs", found=digest, **slots)
        else:
            yield passed_check(name, "file", **slots)


def check_vendor(report: Report, vendor: VendorEndpoint) -> Iterator[DocumentCheck]:
    """Check that a vendor describes itself as the document describes it."""
    try:
        session = vendor.session()
        try:
            described: Description = session.ask("describe", {})
        finally:
            session.kill()
    except (VendorBroken, SeloError) as error:
        yield open_check("vendor", "vendor.silent", problem=error)
        return
    item = report.item
    slots = {"product": described.product.name, "version": described.product.version}
    same_product = (described.vendor.name, described.product.name, described.product.version) == (
        item.vendor,
        item.product,
        item.version,
    )
    same_files = {file.path: file.sha256 for file in described.files} == {
        file.path: file.sha256 for file in item.files
    }
    if same_product and same_files:
        yield passed_check("vendor", **slots)
    else:
        yield failed_check("vendor", "vendor.differs", **slots)
