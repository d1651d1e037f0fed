"""Defaults of options: what is not typed comes from the project's settings, else a fallback."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from selo.settings import ProjectSettings


@dataclass(frozen=True, kw_only=True, slots=True)
class Default:
    """The value of an option that was not typed, until the settings are known."""

    key: str
    fallback: Any = None
    #: The option to name if it is required and given nowhere.
    required: str = ""


class AppendAction(argparse.Action):
    """Appends a repeated option; the first one typed replaces what the settings say."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        """Add one value."""
        del parser, option_string
        before = getattr(namespace, self.dest, None)
        earlier = [] if before is None or isinstance(before, Default) else before
        setattr(namespace, self.dest, [*earlier, values])


def resolve_defaults(arguments: argparse.Namespace, settings: ProjectSettings | None) -> list[str]:
    """Fill in the options that were not typed; return the required ones that have no value."""
    missing = []
    arguments.untyped = frozenset(
        name for name, value in vars(arguments).items() if isinstance(value, Default)
    )
    vendor_typed = not isinstance(getattr(arguments, "vendor", None), Default)
    for name, default in list(vars(arguments).items()):
        if not isinstance(default, Default):
            continue
        value = None if settings is None else _setting_of(settings, default.key)
        if name == "folder" and vendor_typed and settings and "folder" not in settings.lines:
            # The folder of the project's own vendor does not apply to another vendor.
            value = None
        value = default.fallback if value is None else value
        if value is None and default.required:
            missing.append(default.required)
        setattr(arguments, name, value)
    return missing


def _setting_of(settings: ProjectSettings, key: str) -> Any:
    from selo.settings import setting_value  # noqa: PLC0415 - only where there are settings

    return setting_value(settings.settings, key)
