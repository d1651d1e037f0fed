"""Runs the command line again and again without reading the law again each time.

Started as a program, it reads one JSON line for each run: arguments, environment, folder, and the
files for what is printed. Each run is a process of its own, forked from this one, that ends as the
installed command does. It answers with the process id, then with the status and the most memory
that was used, in KiB.

Its argument is the folder of `shared_work`.
"""

import gc
import importlib
import json
import os
import pkgutil
import signal
import sys
from pathlib import Path

import selo
from selo.law import loader

_load = loader.load_law
_law = _load()
# What is read from files and never changes, before any command can take the old function; a run
# is forked, so nothing that it does to the law is seen by the next.
loader.load_law = lambda **places: _load(**places) if places else _law

import shared_work  # noqa: E402 - after the law is held

import selo.cli  # noqa: E402
from selo.protocol.schema.game_schema import game_words  # noqa: E402
from selo.rules.checks.game_check import list_games  # noqa: E402
from selo.rules.readings.reading_choice import Readings  # noqa: E402
from selo.rules.settlement.game_compiler import compile_game  # noqa: E402
from selo.text.message_catalogue import say  # noqa: E402


def main():
    # A command imports what it needs when it is asked for; a fork would do so every time.
    for module in pkgutil.walk_packages(selo.__path__, "selo."):
        importlib.import_module(module.name)
    for game in list_games(_law):
        # Its expressions are kept once they were checked.
        compile_game(_law, game, Readings(_law, {}))
    game_words(_law, "fish-prawn-crab")
    say("smoke.end", "en")
    shared_work.share(Path(sys.argv[1]), _law)
    gc.collect()
    gc.freeze()
    for line in sys.stdin:
        run = json.loads(line)
        pid = os.fork()
        if pid == 0:
            become(**run)
        tell(pid)
        _, status, usage = os.wait4(pid, 0)
        tell(os.waitstatus_to_exitcode(status))
        tell(usage.ru_maxrss)
    # Without the time it takes to forget the law.
    os._exit(0)


def tell(number):
    os.write(1, f"{number}\n".encode())


def become(arguments, environment, folder, stdout, stderr):
    status = 70
    try:
        for stream, name in enumerate((os.devnull, stdout, stderr)):
            opened = os.open(name, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
            os.dup2(opened, stream)
            os.close(opened)
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)
        # Whoever runs tests in the background has it ignored, and so would we.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        sys.argv = ["selo", *arguments]
        try:
            selo.cli.main()
        except SystemExit as error:
            status = error.code
        except BaseException:  # noqa: BLE001 - as the interpreter would
            sys.excepthook(*sys.exc_info())
            status = 1
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(status)


if __name__ == "__main__":
    main()
