"""Commands on Selo itself, for whoever installs it and works with it every day."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.cli.parser import shared_arguments as shared

if TYPE_CHECKING:
    import argparse

    from selo.cli.parser.command_tree import Commands


def add(commands: Commands) -> None:
    """Add the commands of this group."""
    _doctor(commands.add_parser("doctor"))
    _config(commands.add_parser("config"))
    _schema(commands.add_parser("schema"))
    _completion(commands.add_parser("completion"))


def _doctor(doctor: argparse.ArgumentParser) -> None:
    # It must be able to say what is wrong with the settings.
    doctor.set_defaults(module="tool.doctor", any_settings=True)
    shared.language(doctor)
    shared.result(doctor)


def _config(config: argparse.ArgumentParser) -> None:
    config.set_defaults(module="tool.config")
    shared.language(config)
    shared.result(config)


def _schema(schema: argparse.ArgumentParser) -> None:
    schema.set_defaults(module="tool.schema")
    schema.add_argument("name", nargs="?", metavar="NAME")
    shared.language(schema)
    shared.result(schema)


def _completion(completion: argparse.ArgumentParser) -> None:
    completion.set_defaults(module="tool.completion")
    completion.add_argument("shell", choices=["bash", "zsh", "fish"])
    shared.language(completion)
