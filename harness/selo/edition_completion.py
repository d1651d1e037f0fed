"""Completes an older edition: facts that its program knew, and that law files have told since.

Up to engine 1 the program itself knew what an event does, what an option permits, how a table is
played and what a term is called. The edition that ships tells it (records 0066 and 0067), so an
older edition of the same instruments takes exactly these keys from there, and nothing else: what an
edition tells itself stays, and what has no counterpart of the same id is left as it is. The digests
of an edition are those of its own files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import yaml

from selo import data_files
from selo.storage import read_bounded
from selo.yaml_file import parse_yaml

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_OPTION: Final = "option"
#: The names by which parts of a file are the same in two editions.
_NAMES: Final = ("id", _OPTION)
#: Keys of parts that tell what the program knew, by the name of the file.
_PART_KEYS: Final = {
    "events.yaml": frozenset({"role", "amount"}), "glossary.yaml": frozenset({"called"}),
}  # fmt: skip
_ARTICLE_KEYS: Final = frozenset({"approves"})
_NO_KEYS: Final[frozenset[str]] = frozenset()
#: Whole sections at the top of a file.
_SECTIONS: Final = {"rounds.yaml": "table", "instrument.yaml": "tries"}


def complete_edition(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files of an edition of engine 1 with what the edition that ships tells besides."""
    return {name: _complete_file(name, content) for name, content in files.items()}


def _complete_file(name: str, content: bytes) -> bytes:
    root, _, below = name.partition("/")
    path = data_files.data_folder(root) / below
    section = _SECTIONS.get(path.name)
    is_article = path.parent.name == "articles"
    keys = _ARTICLE_KEYS if is_article else _PART_KEYS.get(path.name, _NO_KEYS)
    if not (section or keys) or not path.is_file():
        return content
    shipped = read_bounded(path).decode("utf-8")
    if section:
        return content + _missing_section(section, content, shipped).encode()
    own, ours = (parse_yaml(text, path).plain for text in (content.decode(), shipped))
    known = dict(_named_parts(ours))
    added = [_add(part, known[at], keys) for at, part in _named_parts(own) if at in known]
    if not any(added):
        return content
    return yaml.dump(own, Dumper=yaml.CSafeDumper, allow_unicode=True, sort_keys=False).encode()


def _missing_section(name: str, content: bytes, shipped: str) -> str:
    """Return a section of the shipped file as it is written there, if the edition has none."""
    begins = f"\n{name}:"
    if begins.encode() in b"\n" + content or begins not in shipped:
        return ""
    lines = shipped[shipped.index(begins) + 1 :].splitlines(keepends=True)
    more = (at for at, line in enumerate(lines[1:], 1) if line[0] not in " \n#")
    return "\n" + "".join(lines[: next(more, len(lines))])


def _named_parts(tree: Any, where: tuple[str, ...] = ()) -> Iterator[tuple[Any, dict[str, Any]]]:
    """Yield every part that has a name, with the names above it and how often they came before."""
    seen: dict[Any, int] = {}
    for key, below in tree.items() if isinstance(tree, dict) else enumerate(tree):
        here = (*where, key) if isinstance(key, str) else where
        if isinstance(below, dict):
            names = tuple(f"{name}={below[name]}" for name in _NAMES if name in below)
            here = (*here, *names)
            if names:
                seen[here] = seen.get(here, 0) + 1
                yield (*here, seen[here]), below
        if isinstance(below, dict | list):
            yield from _named_parts(below, here)


def _add(part: dict[str, Any], known: Mapping[str, Any], keys: frozenset[str]) -> bool:
    missing = {key: known[key] for key in keys & known.keys() - part.keys()}
    part.update(missing)
    return bool(missing)
