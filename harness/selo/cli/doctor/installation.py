"""Checks of the installation: packages, the law, fonts, the project's settings, the sandbox."""

from __future__ import annotations

import importlib.metadata
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from selo import data_files
from selo.cli.doctor.doctor_check import DoctorCheck, report_absent, report_good, report_wrong
from selo.cli.output.project_settings import find_settings
from selo.errors import SeloError, SpecError
from selo.text import say
from selo.text.error_translation import error_in_language
from selo.vendors.sandbox import (
    GUARANTEES,
    Room,
    available_confinement,
    list_missing_guarantees,
)
from selo.vendors.vendor_address import measure_address

if TYPE_CHECKING:
    from collections.abc import Iterator

_DISTRIBUTION: Final = "selo"
_REQUIREMENT: Final = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)(?:\[[^\]]*\])?\s*(?P<bounds>[^;]*)")
_BOUND: Final = re.compile(r"(?P<how>==|>=|<)\s*(?P<version>\d+(?:\.\d+)*)(?P<any>\.\*)?")
_FONT_SUFFIXES: Final = frozenset({".ttf", ".otf", ".ttc"})


def check_packages() -> Iterator[DoctorCheck]:
    """Check the version of every package that Selo needs."""
    try:
        requirements = importlib.metadata.requires(_DISTRIBUTION) or []
    except importlib.metadata.PackageNotFoundError:
        yield report_wrong("packages", _DISTRIBUTION)
        return
    bad, versions = [], []
    for line in requirements:
        requirement = _REQUIREMENT.match(line)
        if requirement is None or ";" in line:
            continue  # wanted on other systems only
        try:
            version = importlib.metadata.version(requirement["name"])
        except importlib.metadata.PackageNotFoundError:
            bad.append(requirement["name"])
            continue
        versions.append(f"{requirement['name']} {version}")
        if not is_within_bounds(version, requirement["bounds"]):
            bad.append(f"{requirement['name']} {version} ({requirement['bounds'].strip()})")
    yield (
        report_wrong("packages", ", ".join(bad))
        if bad
        else report_good("packages", ", ".join(versions))
    )


def is_within_bounds(version: str, bounds: str) -> bool:
    """Return whether a version is within bounds such as ``==6.0.*`` or ``>=2.2,<3``."""
    have = _numbers(version)
    for bound in _BOUND.finditer(bounds):
        want = _numbers(bound["version"])
        if bound["how"] == "==":
            if (have[: len(want)] if bound["any"] else have) != want:
                return False
        elif (have >= want) is (bound["how"] == "<"):
            return False
    return True


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version.partition("+")[0]))


def check_law(language: str = "en") -> DoctorCheck:
    """Check that the law can be read, and report its edition."""
    from selo.law import compute_spec_digest, load_law  # noqa: PLC0415 - only if the law can be read

    try:
        law = load_law()
    except SeloError as error:
        return report_wrong("law", _first_line(error, language))
    return report_good("law", f"{len(law.provisions)}, sha256:{compute_spec_digest(law)}")


def check_fonts() -> DoctorCheck:
    """Check the fonts of documents."""
    try:
        folder = data_files.data_folder("reports") / "fonts"
    except SeloError as error:
        return report_wrong("fonts", str(error).partition("\n")[0])
    faces = (
        [path for path in folder.rglob("*") if path.suffix in _FONT_SUFFIXES]
        if folder.is_dir()
        else []
    )
    return report_good("fonts", str(len(faces))) if faces else report_absent("fonts")


def check_settings(language: str = "en") -> DoctorCheck:
    """Check the settings of the project."""
    try:
        settings = find_settings([])
    except SeloError as error:
        return report_wrong("settings", _first_line(error, language))
    return report_good("settings", "–" if settings is None else str(settings.path))


def _first_line(error: SeloError, language: str) -> str:
    text = error_in_language(error, language) if isinstance(error, SpecError) else None
    return (text or error.in_language(language)).partition("\n")[0]


def check_sandbox(language: str = "en") -> DoctorCheck:
    """Check that a vendor can be isolated; name what of its isolation does not hold here."""
    sandbox = available_confinement()
    if not (sandbox.network and sandbox.files):
        return report_absent("bubblewrap", sandbox.because)
    missing = list_missing_guarantees(measure_address("true", Path.cwd(), Room()))
    if missing:
        names = "; ".join(say(f"isolation.{name}", language) for name in missing)
        return report_absent("bubblewrap", names)
    return report_good("bubblewrap", str(len(GUARANTEES)))


def check_version() -> DoctorCheck:
    """Report the version and the location of Selo."""
    import selo  # noqa: PLC0415 - its own version

    return report_good("selo", f"{selo.__version__}, {Path(selo.__file__).parent}")
