"""Pictures as SVG: equipment, plots, ornaments."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.report.svg.equipment_pictures import (
        FIGURE_COLOURS,
        Hand,
        Kind,
        Picture,
        draw_pictures,
        list_hands,
    )
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "FIGURE_COLOURS",
    "Hand",
    "Kind",
    "Picture",
    "draw_pictures",
    "list_hands",
    "ornaments",
    "plots",
]
