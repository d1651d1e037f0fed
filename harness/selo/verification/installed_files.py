"""Compares an installation, or a running vendor, with what a document was made for."""

from __future__ import annotations

import itertools
import os
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

from selo.errors import SeloError
from selo.storage.bounded_read import digest_file, path_inside
from selo.vendors.faults import VendorBroken
from selo.verification.verification_report import (
    DocumentCheck,
    failed_check,
    open_check,
    passed_check,
    warning_check,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.examine.exchange import VendorEndpoint
    from selo.protocol.messages import Description
    from selo.report.model.report_model import Report


#: Further files that the document does not name are not listed.
_MAX_EXTRA_NAMED: Final = 20


def check_installation(report: Report, folder: Path, *, is_named: bool) -> Iterator[DocumentCheck]:
    """Check each file of the product in `folder`; if that was named, name what else is there."""
    if not report.item.files:
        yield open_check("installation", "installation.no-files")
    for file in report.item.files:
        slots = {"file": file.path, "sha256": file.sha256}
        name = f"file {file.path}"
        try:
            digest = digest_file(path_inside(folder, file.path))
        except OSError as error:
            yield failed_check(name, "file.gone", problem=error.strerror, **slots)
            continue
        if digest != file.sha256:
            yield failed_check(name, "file.differs", found=digest, **slots)
        else:
            yield passed_check(name, "file", **slots)
    if is_named and report.item.files:
        yield from _check_extra_files(report, folder)


def _check_extra_files(report: Report, folder: Path) -> Iterator[DocumentCheck]:
    """Name files that the document does not: nobody tested what a product does with them."""
    extra = _find_extra_files(
        folder, {PurePosixPath(file.path).as_posix() for file in report.item.files}
    )
    named = list(itertools.islice(extra, _MAX_EXTRA_NAMED + 1))
    for path in named[:_MAX_EXTRA_NAMED]:
        yield warning_check(f"file {path}", "file.extra", file=path)
    if len(named) > _MAX_EXTRA_NAMED:
        yield warning_check("installation", "installation.more", count=_MAX_EXTRA_NAMED)


def _find_extra_files(folder: Path, known: set[str]) -> Iterator[str]:
    """Yield what is in `folder` beside the files `known`; no link is followed."""
    for base, folders, files in os.walk(folder):
        place = Path(base)
        linked = [name for name in folders if (place / name).is_symlink()]
        for name in sorted([*files, *linked]):
            path = (place / name).relative_to(folder).as_posix()
            if path not in known:
                yield path


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
        # Its files on this machine are hashed apart from what it says.
        yield (
            passed_check("vendor", **slots)
            if vendor.is_local
            else open_check("vendor", "vendor.says", **slots)
        )
    else:
        yield failed_check("vendor", "vendor.differs", **slots)
