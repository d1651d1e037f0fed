"""Pictures as SVG: equipment, plots, ornaments."""
