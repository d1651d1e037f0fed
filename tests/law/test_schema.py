"""The published schemas are the ones the reader uses, and every file names its own."""

import json
import re

import jsonschema
import pytest
import yaml

from selo.law.file_schemas import SCHEMA_MODELS, file_schema, render_file_schema
from selo.report.formats.report_json import MODELS as DOCUMENTS

MODELINE = re.compile(r"# yaml-language-server: \$schema=(\S+)\n")


@pytest.mark.parametrize("name", SCHEMA_MODELS)
def test_the_schema_file_is_not_stale(root, name):
    path = root / "specs" / "schema" / f"{name}.schema.json"

    assert path.read_text(encoding="utf-8") == render_file_schema(name), "run: make schemas"


def test_no_schema_file_is_left_over(root):
    names = {path.name for path in (root / "specs" / "schema").glob("*.schema.json")}

    assert names == {f"{name}.schema.json" for name in (*SCHEMA_MODELS, *DOCUMENTS)}


def as_an_editor_reads(node):
    """Return `node` by the core schema of YAML 1.2, which editors use: bare numbers are numbers."""
    if isinstance(node, yaml.MappingNode):
        return {key.value: as_an_editor_reads(value) for key, value in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [as_an_editor_reads(item) for item in node.value]
    if not node.style and re.fullmatch(r"-?\d+", node.value):
        return int(node.value)
    if not node.style and re.fullmatch(r"-?\d+\.\d+", node.value):
        return float(node.value)
    if not node.style and node.value in {"true", "false"}:
        return node.value == "true"
    return node.value


def files(root):
    return [
        *sorted((root / "specs").rglob("*.yaml")),
        *sorted((root / "bilingual").rglob("*.yaml")),
    ]


def test_every_law_file_names_a_schema_that_accepts_it(root):
    validators = {}
    for path in files(root):
        text = path.read_text(encoding="utf-8")
        named = MODELINE.match(text)
        assert named, path
        target = (path.parent / named[1]).resolve()
        if target not in validators:
            content = json.loads(target.read_text(encoding="utf-8"))
            jsonschema.Draft202012Validator.check_schema(content)
            validators[target] = jsonschema.Draft202012Validator(content)
        content = as_an_editor_reads(yaml.compose(text, Loader=yaml.CBaseLoader))
        errors = validators[target].iter_errors(content)
        assert not [error.message for error in errors], path


def test_the_schemas_are_closed():
    for name in SCHEMA_MODELS:
        for model in file_schema(name)["$defs"].values():
            if model.get("type") == "object":
                assert model["additionalProperties"] is False
