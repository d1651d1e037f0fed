"""What a project says once instead of on every command line: ``selo.toml``, or ``[tool.selo]``."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.settings.settings_model import FailOn, Settings, setting_keys, setting_value
else:
    __getattr__ = front_door(
        __name__,
        {
            "settings_model": ["FailOn", "Settings", "setting_keys", "setting_value"],
        },
    )

__all__ = ["FailOn", "Settings", "setting_keys", "setting_value", "settings_file"]
