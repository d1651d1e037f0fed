"""What a command works with: as typed, else as the project's settings say, else by default."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from selo.settings.settings_file import ProjectSettings


@dataclass(frozen=True, kw_only=True, slots=True)
class Default:
    """Stands for an argument that was not typed, until the settings are known."""

    key: str
    otherwise: Any = None
    #: Said if it is given nowhere.
    needed: str = ""


class AppendAction(argparse.Action):
    """Gathers an option that may be repeated; the first one typed puts the settings aside."""

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
        kept = [] if before is None or isinstance(before, Default) else before
        setattr(namespace, self.dest, [*kept, values])


def resolve_defaults(arguments: argparse.Namespace, settings: ProjectSettings | None) -> list[str]:
    """Put in what was not typed, and note that; return what is needed and given nowhere."""
    missing = []
    arguments.untyped = frozenset(
        name for name, var in vars(arguments).items() if isinstance(var, Default)
    )
    vendor_typed = not isinstance(getattr(arguments, "vendor", None), Default)
    for name, default in list(vars(arguments).items()):
        if not isinstance(default, Default):
            continue
        value = None if settings is None else _setting_of(settings, default.key)
        if name == "folder" and vendor_typed and settings and "folder" not in settings.lines:
            # Where the project's own vendor lives says nothing about another one.
            value = None
        value = default.otherwise if value is None else value
        if value is None and default.needed:
            missing.append(default.needed)
        setattr(arguments, name, value)
    return missing


def _setting_of(settings: ProjectSettings, key: str) -> Any:
    from selo.settings import setting_value  # noqa: PLC0415 - only where there are settings

    return setting_value(settings.settings, key)
