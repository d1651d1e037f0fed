"""Shell completion."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.cli.completion.completion_values import list_places
else:
    __getattr__ = front_door(
        __name__,
        {
            "completion_values": ["list_places"],
        },
    )

__all__ = ["bash", "fish", "list_places", "zsh"]
