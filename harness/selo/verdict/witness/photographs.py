"""Photographs of a witness form: compared where they lie, and found where they travel.

Beside a form, a photograph has the name that the form gives it. In the folder of a run and in a
document it has a name made of its digest, so that two of the same name cannot take one another's
place.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from selo.storage.bounded_read import digest_file
from selo.verdict.witness.form import Form
from selo.yaml_file import read_yaml

if TYPE_CHECKING:
    from selo.verdict.observations import Photo

_PREFIX: Final = "photograph-"
_SUFFIX: Final = re.compile(r"\.[a-z0-9]{1,5}")
_UNKNOWN_SUFFIX: Final = ".bin"
_SHA256: Final = re.compile(r"[0-9a-f]{64}")
#: Larger photographs are refused, to bound the time of hashing.
_LARGEST_PHOTO: Final = 1 << 30


def is_digest(text: str) -> bool:
    """Return whether a text is a SHA-256 as forms write it."""
    return bool(_SHA256.fullmatch(text))


def digest_photograph(folder: Path, name: str) -> str | None:
    """Return the SHA-256 of a photograph beside the form, or nothing if it is missing."""
    path = (folder / name).resolve()
    if not name.strip() or not path.is_relative_to(folder.resolve()):
        msg = "it does not lie beside the form"
        raise ValueError(msg)
    if not path.exists():
        return None
    if not path.is_file() or path.stat().st_size > _LARGEST_PHOTO:
        msg = "it is no file that can be read"
        raise ValueError(msg)
    return digest_file(path)


def find_photographs(form: Path) -> dict[str, Path]:
    """Return the photographs of a form that lie beside it, by the names under which they travel.

    One lies there under either name; one that is not what the form says is left out.
    """
    found: dict[str, Path] = {}
    for entry in read_yaml(form).convert(Form).entries:
        for photo in entry.photos:
            path = _locate(form.parent, photo) if is_digest(photo.sha256) else None
            if path is not None:
                found[_travel_name(photo)] = path
    return {name: found[name] for name in sorted(found)}


def _locate(folder: Path, photo: Photo) -> Path | None:
    for name in (_travel_name(photo), photo.file):
        try:
            digest = digest_photograph(folder, name)
        except (OSError, ValueError):
            continue
        if digest == photo.sha256:
            return folder / name
    return None


def _travel_name(photo: Photo) -> str:
    suffix = Path(photo.file).suffix.lower()
    known = suffix if _SUFFIX.fullmatch(suffix) else _UNKNOWN_SUFFIX
    return f"{_PREFIX}{photo.sha256}{known}"
