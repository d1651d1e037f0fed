"""The pages of the documentation that are written by the program, and the links of all of them."""

import json
import re

import pytest

from selo.cli.schemas import format_reference
from selo.gazette import glossary_page

LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


@pytest.mark.parametrize("name", ["glossary", "formats"])
def test_a_page_that_is_written_by_the_program_is_not_stale(root, name):
    lines = (
        glossary_page.glossary_lines()
        if name == "glossary"
        else format_reference.render_page(root / "specs" / "schema")
    )

    kept = (root / "docs" / f"{name}.md").read_text(encoding="utf-8")

    assert "\n".join(lines) + "\n" == kept


def test_every_shape_that_a_field_names_is_explained_on_the_page_of_formats(root):
    text = (root / "docs" / "formats.md").read_text(encoding="utf-8")
    explained = set(re.findall(r"^\*\*(\w+)\*\*$", text, re.MULTILINE))
    named = {
        name
        for path in (root / "specs" / "schema").rglob("*.schema.json")
        for name in re.findall(r'"#/\$defs/(\w+)"', path.read_text(encoding="utf-8"))
    }
    # What is at the top of a schema stands under its own heading.
    tops = {
        body.get("$ref", "").rpartition("/")[2]
        for path in (root / "specs" / "schema").rglob("*.schema.json")
        for whole in [json.loads(path.read_text(encoding="utf-8"))]
        for body in whole.get("anyOf", [whole])
    }

    assert len(named - tops) > 100
    assert named - tops - explained == set()


def test_every_link_of_the_documentation_leads_somewhere(root):
    pages = [*(root / "docs").rglob("*.md"), root / "README.md", root / "CONTRIBUTING.md"]
    for page in pages:
        for link in LINK.findall(page.read_text(encoding="utf-8")):
            if not link.startswith(("http://", "https://", "mailto:")):
                assert (page.parent / link).exists(), (page.name, link)


def test_every_room_stands_in_the_architecture(root):
    text = (root / "docs" / "architecture.md").read_text(encoding="utf-8")
    rooms = [
        path.name
        for path in (root / "harness" / "selo").iterdir()
        if path.is_dir() and (path / "__init__.py").exists()
    ]

    for room in rooms:
        assert f"`{room}`" in text, room
