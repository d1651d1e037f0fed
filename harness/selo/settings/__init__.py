"""Project settings in ``selo.toml`` or ``[tool.selo]``: defaults of command-line options."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.settings.settings_file import (
        ProjectSettings,
        find_settings_file,
        read_named_settings,
        read_settings,
    )
    from selo.settings.settings_model import FailOn, Settings, setting_keys, setting_value
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "FailOn",
    "ProjectSettings",
    "Settings",
    "find_settings_file",
    "read_named_settings",
    "read_settings",
    "setting_keys",
    "setting_value",
]
