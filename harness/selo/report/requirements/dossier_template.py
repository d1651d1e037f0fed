"""The dossier to fill in, with the meaning of every field in every language.

It is empty, or holds what is known from a run.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from selo.report.phrases.composition import LANGUAGES
from selo.text import say

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

#: Every field in the order of the form, with the value that means empty.
_FIELDS: Final[tuple[tuple[str, str], ...]] = (
    ("kind", "pre-check"),
    ("demonstration", "false"),
    ("number", '""'),
    ("revision", "1"),
    ("supersedes", '""'),
    ("issuer", '{name: "", address: "", contact: "", licence: ""}'),
    ("client", '{name: "", address: "", contact: "", licence: ""}'),
    ("recipients", "[]"),
    ("place", '""'),
    ("time_zone", '""'),
    ("item.condition", '""'),
    ("item.variant", '""'),
    ("item.part_number", '""'),
    ("item.parts", "[]"),
    ("item.platform", '""'),
    ("item.built_from_source", '""'),
    ("item.equals_delivery", '""'),
    ("item.test_differences", '""'),
    ("item.languages", '""'),
    ("rulings_by", '""'),
    ("commitment_published", '""'),
    ("declared_edges", "{}"),
    ("opinions", "[]"),
    ("conditions", "[]"),
    ("limits", "[]"),
    ("known_issues", "[]"),
    ("register", '""'),
    ("page", '""'),
    ("retention", '""'),
    ("signatories", "[]"),
)
#: Fields without an empty value are comments with an example.
_EXAMPLES: Final[dict[str, str]] = {
    "scheme": 'scheme: {pt: "…", zh: "…", en: "…"}',
    "issued": "issued: 2026-01-31",
    "valid_until": "valid_until: 2027-01-31",
    "item.on": "on: 2026-01-15",
}
#: The field after which each of them comes.
_EXAMPLES_AFTER: Final = {"supersedes": ("scheme",), "time_zone": ("issued", "valid_until")}


@dataclass(frozen=True, kw_only=True, slots=True)
class DossierFacts:
    """What a run knows of the fields of a dossier."""

    #: Values as YAML, by the path of the field.
    values: Mapping[str, str] = field(default_factory=dict)
    #: Lines of comment below a field; those below the empty path begin the file.
    notes: Mapping[str, Sequence[str]] = field(default_factory=dict)


def render_blank_dossier(facts: DossierFacts | None = None) -> str:
    """Return the dossier as YAML: empty, or with what a run knows."""
    return "\n".join(_render_lines(facts or DossierFacts())) + "\n"


def _render_lines(facts: DossierFacts) -> Iterator[str]:
    for language in LANGUAGES:
        for line in say("dossier.how-to", language).splitlines():
            yield f"# {line}"
    yield from _render_notes(facts, "", "")
    inside = False
    for path, value in _FIELDS:
        group, _, name = path.rpartition(".")
        if group and not inside:
            yield ""
            yield from _render_meaning("item", "")
            yield f"{group}:"
            yield from _render_example("item.on", "  ", facts)
        inside = bool(group)
        indent = "  " if group else ""
        yield ""
        yield from _render_meaning(path, indent)
        yield f"{indent}{name}: {facts.values.get(path, value)}"
        yield from _render_notes(facts, path, indent)
        for example in _EXAMPLES_AFTER.get(path, ()):
            yield from _render_example(example, "", facts)


def _render_meaning(path: str, indent: str) -> Iterator[str]:
    for language in LANGUAGES:
        yield f"{indent}# {say(f'dossier.{path}', language)}"


def _render_example(path: str, indent: str, facts: DossierFacts) -> Iterator[str]:
    yield ""
    yield from _render_meaning(path, indent)
    if path in facts.values:
        yield f"{indent}{path.rpartition('.')[2]}: {facts.values[path]}"
    else:
        yield f"{indent}# {_EXAMPLES[path]}"
    yield from _render_notes(facts, path, indent)


def _render_notes(facts: DossierFacts, path: str, indent: str) -> Iterator[str]:
    for line in facts.notes.get(path, ()):
        yield f"{indent}# {line}"
