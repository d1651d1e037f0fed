"""Generates the published JSON Schemas of outputs and of files that people write."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from selo.cli.schemas import (
    document_output,
    examination_output,
    gate_output,
    law_output,
    proof_output,
    registry_output,
    tool_output,
    vendor_output,
)
from selo.delta.change_policy import ChangePolicy
from selo.gate import Permission
from selo.gate.deviations import DeviationsFile
from selo.law import file_schemas as law_schema
from selo.registry.publication import PublishedRegistry
from selo.registry.registry_policy import RegistryPolicyFile
from selo.registry.status import SignedStatusList
from selo.settings import Settings
from selo.struct_schema import schema_components

#: The output type of each command; several where it depends on the arguments.
OUTPUTS: Final[dict[str, Any]] = {
    **law_output.OUTPUTS,
    **vendor_output.OUTPUTS,
    **examination_output.OUTPUTS,
    **gate_output.OUTPUTS,
    **proof_output.OUTPUTS,
    **document_output.OUTPUTS,
    **registry_output.OUTPUTS,
    **tool_output.OUTPUTS,
}
#: Stands for any command in the title of the schema of failures.
ANY: Final = "COMMAND"
ERROR: Final = "error"
#: Files that people write, besides those of the law.
FILES: Final[dict[str, Any]] = {
    "settings": Settings,
    "changes": ChangePolicy,
    "deviations": DeviationsFile,
    "permission": Permission,
    "registry-policy": RegistryPolicyFile,
    "registry-publication": PublishedRegistry,
    "registry-status-list": SignedStatusList,
}

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


def schema_name(command: str) -> str:
    """Return the name under which the output of a command is published: ``law-check``."""
    return command.replace(" ", "-")


def list_schemas() -> dict[str, str | None]:
    """Return the names of all schemas, each with its command, if it has one."""
    outputs: dict[str, str | None] = {schema_name(words): words for words in sorted(OUTPUTS)}
    return outputs | {ERROR: ANY} | dict.fromkeys(sorted(FILES))


def build_schema(name: str) -> dict[str, Any]:
    """Return the schema `name` of an output, of a file, or of a law file."""
    command = list_schemas().get(name)
    if command == ANY:
        return _schema(f"selo {ANY} --json", tool_output.FailedOutput)
    if command is not None:
        return _schema(f"selo {command} --json", OUTPUTS[command])
    if name in FILES:
        return _schema(f"selo {name}", FILES[name])
    return law_schema.file_schema(name)


def render_schema(name: str) -> str:
    """Return a schema as it is published."""
    encoded = msgspec.json.encode(build_schema(name), order="sorted")
    return msgspec.json.format(encoded, indent=2).decode() + "\n"


def _schema(title: str, shape: Any) -> dict[str, Any]:
    shapes = shape if isinstance(shape, tuple) else (shape,)
    bodies, defined = schema_components(shapes)
    body = bodies[0] if len(bodies) == 1 else {"anyOf": list(bodies)}
    return {"$schema": _DIALECT, "title": title, **body, "$defs": defined}
