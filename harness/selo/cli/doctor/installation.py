"""What was installed: packages, the law, fonts, the project's settings, the sandbox."""

from __future__ import annotations

import importlib.metadata
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from selo import data_files
from selo.cli.doctor.doctor_check import Check, absent, good, lacking
from selo.cli.output.project_settings import found as settings_found
from selo.errors import SeloError, SpecError
from selo.text.error_translation import error_in_language
from selo.vendors.sandbox import available_confinement

if TYPE_CHECKING:
    from collections.abc import Iterator

_OURSELVES: Final = "selo"
_NEEDED: Final = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)(?:\[[^\]]*\])?\s*(?P<bounds>[^;]*)")
_BOUND: Final = re.compile(r"(?P<how>==|>=|<)\s*(?P<version>\d+(?:\.\d+)*)(?P<any>\.\*)?")
_FACES: Final = frozenset({".ttf", ".otf", ".ttc"})


def packages() -> Iterator[Check]:
    """Look at every package that Selo needs."""
    try:
        needed = importlib.metadata.requires(_OURSELVES) or []
    except importlib.metadata.PackageNotFoundError:
        yield lacking("packages", _OURSELVES)
        return
    bad, versions = [], []
    for line in needed:
        one = _NEEDED.match(line)
        if one is None or ";" in line:
            continue  # wanted on other systems only
        try:
            version = importlib.metadata.version(one["name"])
        except importlib.metadata.PackageNotFoundError:
            bad.append(one["name"])
            continue
        versions.append(f"{one['name']} {version}")
        if not fits(version, one["bounds"]):
            bad.append(f"{one['name']} {version} ({one['bounds'].strip()})")
    yield lacking("packages", ", ".join(bad)) if bad else good("packages", ", ".join(versions))


def fits(version: str, bounds: str) -> bool:
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


def law(language: str = "en") -> Check:
    """Look whether the law can be read, and say which edition it is."""
    from selo.law.loader import load_law  # noqa: PLC0415 - the same
    from selo.law.spec_digest import compute_spec_digest  # noqa: PLC0415 - only if the law can be read

    try:
        held = load_law()
    except SeloError as error:
        return lacking("law", _first_line(error, language))
    return good("law", f"{len(held.provisions)}, sha256:{compute_spec_digest(held)}")


def fonts() -> Check:
    """Look for the faces that documents are set in."""
    try:
        folder = data_files.folder("reports") / "fonts"
    except SeloError as error:
        return lacking("fonts", str(error).partition("\n")[0])
    faces = [one for one in folder.rglob("*") if one.suffix in _FACES] if folder.is_dir() else []
    return good("fonts", str(len(faces))) if faces else absent("fonts")


def settings(language: str = "en") -> Check:
    """Look at the settings of the project."""
    try:
        found = settings_found([])
    except SeloError as error:
        return lacking("settings", _first_line(error, language))
    return good("settings", "–" if found is None else str(found.path))


def _first_line(error: SeloError, language: str) -> str:
    told = error_in_language(error, language) if isinstance(error, SpecError) else None
    return (told or error.in_language(language)).partition("\n")[0]


def sandbox() -> Check:
    """Look whether a vendor can be kept from network and files."""
    held = available_confinement()
    return good("bubblewrap") if held.network and held.files else absent("bubblewrap", held.because)


def place() -> Check:
    """Say where Selo lies and which version it is."""
    import selo  # noqa: PLC0415 - its own version

    return good("selo", f"{selo.__version__}, {Path(selo.__file__).parent}")
