"""Shell completion: scripts for bash, zsh and fish."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.cli.completion.bash import render_bash_script
    from selo.cli.completion.completion_values import list_places
    from selo.cli.completion.fish import render_fish_script
    from selo.cli.completion.zsh import render_zsh_script
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "list_places",
    "render_bash_script",
    "render_fish_script",
    "render_zsh_script",
]
