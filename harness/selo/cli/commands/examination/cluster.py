"""``selo cluster``: the scheduler of a cluster, and workers that join it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from selo.cli.output import Exit
from selo.cli.output.console import console, print_json
from selo.cli.output.output_streams import flush_output
from selo.cli.parser import shared_arguments as shared
from selo.text import say, user_error

if TYPE_CHECKING:
    import argparse

_LOOPBACK: Final = "127.0.0.1"
_PORT: Final = 8786


def add_start_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo cluster start``."""
    parser.add_argument("keys", metavar="DIR")
    parser.add_argument("--host", metavar="ADDRESS", default=_LOOPBACK)
    parser.add_argument("--port", metavar="PORT", type=int, default=_PORT)
    shared.add_language(parser)
    shared.add_json(parser)


def run_start(arguments: argparse.Namespace) -> int:
    """Run a scheduler until it is interrupted."""
    cluster = _import_cluster()
    folder, language = Path(arguments.keys), arguments.lang

    def started(address: str) -> None:
        if arguments.json:
            print_json({"address": address, "keys": str(folder)})
            flush_output(Exit.CONFORMS, language)
            return
        console().print(say("cluster.started", language, address=address), soft_wrap=True)
        join = f"selo cluster join {address} {folder}"
        console().print(say("cluster.join", language, command=join), soft_wrap=True)

    security = cluster.require_keys(folder, create=True)
    try:
        cluster.start_scheduler(security, host=arguments.host, port=arguments.port, started=started)
    except OSError as error:
        address = f"{arguments.host}:{arguments.port}"
        raise user_error("cluster-unheard", address=address, error=error) from error
    return Exit.CONFORMS


def add_join_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo cluster join``."""
    parser.add_argument("address", metavar="ADDRESS")
    parser.add_argument("keys", metavar="DIR")
    parser.add_argument("--workers", metavar="N", type=int, default=1)
    parser.add_argument("--host", metavar="ADDRESS", default=_LOOPBACK)
    shared.add_language(parser)
    shared.add_json(parser)


def run_join(arguments: argparse.Namespace) -> int:
    """Run workers until they are interrupted."""
    cluster = _import_cluster()
    if arguments.workers < 1:
        raise user_error("cluster-workers")

    def started(workers: int) -> None:
        if arguments.json:
            print_json({"address": arguments.address, "workers": workers})
            flush_output(Exit.CONFORMS, arguments.lang)
            return
        text = say("cluster.joined", arguments.lang, count=workers, address=arguments.address)
        console().print(text, soft_wrap=True)

    security = cluster.require_keys(Path(arguments.keys))
    try:
        cluster.join_cluster(
            arguments.address, security, host=arguments.host, workers=arguments.workers,
            started=started,
        )  # fmt: skip
    except (OSError, TimeoutError, RuntimeError) as error:
        raise user_error("cluster-unreached", given=arguments.address, error=error) from error
    return Exit.CONFORMS


def _import_cluster() -> Any:
    from selo.examine import cluster

    try:
        import distributed  # noqa: F401 - is it installed?
    except ImportError as error:
        raise user_error("cluster-extra") from error
    return cluster
