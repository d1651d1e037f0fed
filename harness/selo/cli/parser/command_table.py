"""The commands: the words that are typed, by group, and the module with the options and the work.

A module that holds several commands names the action after a colon. It defines ``add_options`` and
``run``, or for an action such as ``write``, ``add_write_options`` and ``run_write``. It is imported
when its command is parsed or described, so what only the work needs is imported by the work.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

#: In the order in which people meet them; each group has a heading in the help.
_COMMANDS: Final[dict[str, dict[str, str]]] = {
    "law": {
        "law check": "law_check",
        "law intake": "law_intake",
        "law list": "law_list",
        "law show": "law_show",
        "law ledger": "law_ledger",
        "law divergences": "law_divergences",
        "law diff": "law_diff",
        "law site": "law_site",
        "law schema": "law_schema",
        "law sign": "law_sign",
        "explain": "explain",
        "readings": "readings",
        "steps": "steps",
        "odds": "odds",
    },
    "vendor": {
        "protocol": "protocol",
        "smoke": "smoke",
        "ask": "ask",
        "record": "ask:record",
        "adapter new": "adapter",
        "submit pack": "submit:pack",
        "submit check": "submit:check",
        "submit message": "submit:message",
        "submit thread": "submit:thread",
        "vectors write": "vectors:write",
        "vectors grade": "vectors:grade",
    },
    "examination": {
        "plan": "plan",
        "examine": "examine",
        "resume": "examine:resume",
        "watch": "watch",
        "cluster start": "cluster:start",
        "cluster join": "cluster:join",
        "replay": "replay",
        "coverage": "coverage",
        "selftest": "selftest",
    },
    "gate": {
        "gate": "gate",
        "permission new": "permission:new",
        "permission sign": "permission:sign",
        "permission check": "permission:check",
        "permission law": "permission:law",
    },
    "proof": {
        "seal new": "seal:new",
        "seal check": "seal:check",
        "evidence check": "evidence:check",
        "evidence proof": "evidence:proof",
        "evidence verify-proof": "evidence:verify_proof",
        "evidence disclose": "disclosure:disclose",
        "evidence redact": "disclosure:redact",
        "witness new": "witness:new",
        "witness check": "witness:check",
    },
    "document": {
        "certify": "certify",
        "dossier new": "dossier_new",
        "report": "report",
        "keys demo": "keys",
        "sign": "sign",
        "verify": "verify",
        "diff": "diff",
        "export": "export",
        "reproduce": "reproduce",
    },
    "registry": {
        "registry init": "registry_change:init",
        "registry issue": "registry_change:issue",
        "registry commit": "registry_change:commit",
        "registry suspend": "registry_change:suspend",
        "registry reinstate": "registry_change:reinstate",
        "registry revoke": "registry_change:revoke",
        "registry supersede": "registry_change:supersede",
        "registry withdraw": "registry_change:withdraw",
        "registry confirm": "registry_change:confirm",
        "registry amend": "registry_change:amend",
        "registry head": "registry_change:head",
        "registry import": "registry_transfer:import",
        "registry status": "registry_transfer:status",
        "registry publish": "registry_transfer:publish",
        "registry list": "registry_view:list",
        "registry show": "registry_view:show",
        "registry log": "registry_view:log",
        "registry check": "registry_view:check",
        "registry prove": "registry_proof:prove",
        "registry verify-proof": "registry_proof:verify_proof",
        "identify": "identify",
    },
    "tool": {
        "doctor": "doctor",
        "config": "config",
        "schema": "schema",
        "completion": "completion",
    },
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Command:
    """A command, and where its options and its work are defined."""

    words: str
    group: str
    module: str
    #: Which command of its module it is; empty where it is the only one.
    action: str

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add what the command takes to its parser."""
        name = f"add_{self.action}_options" if self.action else "add_options"
        self._find_function(name)(parser)

    def run(self, arguments: argparse.Namespace) -> int:
        """Run the command and return its exit code."""
        return int(self._find_function(f"run_{self.action}" if self.action else "run")(arguments))

    def _find_function(self, name: str) -> Any:
        path = f"selo.cli.commands.{self.group}.{self.module}"
        return getattr(importlib.import_module(path), name)


def list_commands() -> Iterator[Command]:
    """Yield every command."""
    for group, commands in _COMMANDS.items():
        for words, place in commands.items():
            module, _, action = place.partition(":")
            yield Command(words=words, group=group, module=module, action=action)
