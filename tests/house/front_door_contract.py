"""An import-linter contract: other packages import only what the front door of a package names."""

from __future__ import annotations

from pathlib import Path

from importlinter import Contract, ContractCheck, fields, output
from tests.house.rules import exported_names, is_past_front_door


class FrontDoorContract(Contract):
    """A module is imported from outside of its package only if ``__all__`` of the package names it."""

    type_name = "front_door"

    source_root = fields.StringField()

    def check(self, graph, verbose):
        """Return every import that goes past a front door."""
        del verbose
        harness = Path(self.source_root)
        doors = exported_names(harness)
        past = sorted(
            (importer, imported)
            for imported in graph.modules
            for importer in graph.find_modules_that_directly_import(imported)
            if is_past_front_door(doors, importer, imported)
        )
        return ContractCheck(kept=not past, metadata={"past": past})

    def render_broken_contract(self, check):
        """Print one line for each such import."""
        for importer, imported in check.metadata["past"]:
            output.print_error(f"{importer} imports {imported} past its front door.")
