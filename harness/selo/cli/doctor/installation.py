"""What was installed: packages, the law, fonts, the project's settings, the sandbox."""

from __future__ import annotations

import importlib.metadata
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from selo import data_files
from selo.cli.doctor.doctor_check import DoctorCheck, report_absent, report_good, report_wrong
from selo.cli.output.project_settings import find_settings as settings_found
from selo.errors import SeloError, SpecError
from selo.text.error_translation import error_in_language
from selo.vendors.sandbox import available_confinement

if TYPE_CHECKING:
    from collections.abc import Iterator

_DISTRIBUTION: Final = "selo"
_REQUIREMENT: Final = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)(?:\[[^\]]*\])?\s*(?P<bounds>[^;]*)")
_BOUND: Final = re.compile(r"(?P<how>==|>=|<)\s*(?P<version>\d+(?:\.\d+)*)(?P<any>\.\*)?")
_FONT_SUFFIXES: Final = frozenset({".ttf", ".otf", ".ttc"})


def check_packages() -> Iterator[DoctorCheck]:
    """Look at every package that Selo needs."""
    try:
        needed = importlib.metadata.requires(_DISTRIBUTION) or []
    except importlib.metadata.PackageNotFoundError:
        yield report_wrong("packages", _DISTRIBUTION)
        return
    bad, versions = [], []
    for line in needed:
        one = _REQUIREMENT.match(line)
        if one is None or ";" in line:
            continue  # wanted on other systems only
        try:
            version = importlib.metadata.version(one["name"])
        except importlib.metadata.PackageNotFoundError:
            bad.append(one["name"])
            continue
        versions.append(f"{one['name']} {version}")
        if not is_within_bounds(version, one["bounds"]):
            bad.append(f"{one['name']} {version} ({one['bounds'].strip()})")
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
    """Look whether the law can be read, and say which edition it is."""
    from selo.law.loader import load_law  # noqa: PLC0415 - the same
    from selo.law.spec_digest import compute_spec_digest  # noqa: PLC0415 - only if the law can be read

    try:
        held = load_law()
    except SeloError as error:
        return report_wrong("law", _first_line(error, language))
    return report_good("law", f"{len(held.provisions)}, sha256:{compute_spec_digest(held)}")


def check_fonts() -> DoctorCheck:
    """Look for the faces that documents are set in."""
    try:
        folder = data_files.folder("reports") / "fonts"
    except SeloError as error:
        return report_wrong("fonts", str(error).partition("\n")[0])
    faces = (
        [one for one in folder.rglob("*") if one.suffix in _FONT_SUFFIXES]
        if folder.is_dir()
        else []
    )
    return report_good("fonts", str(len(faces))) if faces else report_absent("fonts")


def check_settings(language: str = "en") -> DoctorCheck:
    """Look at the settings of the project."""
    try:
        found = settings_found([])
    except SeloError as error:
        return report_wrong("settings", _first_line(error, language))
    return report_good("settings", "–" if found is None else str(found.path))


def _first_line(error: SeloError, language: str) -> str:
    told = error_in_language(error, language) if isinstance(error, SpecError) else None
    return (told or error.in_language(language)).partition("\n")[0]


def check_sandbox() -> DoctorCheck:
    """Look whether a vendor can be kept from network and files."""
    held = available_confinement()
    return (
        report_good("bubblewrap")
        if held.network and held.files
        else report_absent("bubblewrap", held.because)
    )


def check_version() -> DoctorCheck:
    """Say where Selo lies and which version it is."""
    import selo  # noqa: PLC0415 - its own version

    return report_good("selo", f"{selo.__version__}, {Path(selo.__file__).parent}")
