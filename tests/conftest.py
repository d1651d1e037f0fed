"""What many tests share: the law as it ships, a copy of it to spoil, and the program itself."""

import contextlib
import dataclasses
import fcntl
import json
import os
import pty
import select
import shutil
import signal
import struct
import subprocess
import sys
import termios
import threading
from pathlib import Path

import pytest
from tests import shared_work
from tests.fixture_modules import load_vendor

from selo import yaml_file
from selo.law.lint.all_lints import check_law
from selo.law.loader import load_law
from selo.parallel import rare_garbage_collection

ROOT = Path(__file__).resolve().parent.parent
# jsonschema compiles a grammar of addresses where this is installed; no test checks formats by it.
sys.modules.setdefault("rfc3987_syntax", None)
ADAPTERS = ROOT / "fixtures" / "adapters"
#: No program may take longer, however busy the machine is; most take less than a second.
PATIENCE = 180
#: What tests need of others, and fixtures for tests of pages (browser, page, violations)
#: of databases (postgresql), and of the installed wheel.
pytest_plugins = [
    "tests.tools", "tests.browsing", "tests.database", "tests.small_fonts", "tests.wheel",
    "pytester",
]  # fmt: skip


@pytest.fixture(scope="session", autouse=True)
def little_looking_for_garbage():
    """Look for garbage seldom: a worker holds the law and much else that never is any."""
    with rare_garbage_collection():
        yield


@pytest.fixture(scope="session", autouse=True)
def known_texts():
    """Parse a law file once: copies of the law differ from it in a line, and 90 files do not."""
    plain, known = yaml_file.parse_yaml, {}

    def parse(text, path):
        if text not in known:
            known[text] = plain(text, path)
        return dataclasses.replace(known[text], path=path)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(yaml_file, "parse_yaml", parse)
        yield


@pytest.fixture(scope="session")
def law(once):
    known = load_law()
    shared_work.share(once("shared-work", lambda _: None), known)
    shared_work.share_replays()
    return known


@pytest.fixture(scope="session")
def root():
    return ROOT


@pytest.fixture(scope="session")
def vendor():
    """Return the module of a game: `vendor("craps")`."""
    return load_vendor


class Copy:
    """A copy of the law files in which one thing can be made wrong."""

    def __init__(self, folder):
        self.specs = folder / "specs"
        self.bilingual = folder / "bilingual"
        shutil.copytree(ROOT / "specs", self.specs)
        shutil.copytree(ROOT / "bilingual", self.bilingual)

    def path(self, name):
        return self.specs.parent / name

    def replace(self, name, old, new):
        """Change the one occurrence of `old` and return its line."""
        text = self.path(name).read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {name}"
        self.path(name).write_text(text.replace(old, new), encoding="utf-8")
        return text[: text.index(old)].count("\n") + 1

    def problems(self):
        return check_law(specs=self.specs, bilingual=self.bilingual)[1]


@pytest.fixture
def copy(tmp_path):
    return Copy(tmp_path)


@pytest.fixture(scope="session")
def once(tmp_path_factory):
    """Return a folder that all processes of one run of the tests share: `once(name, make)`."""
    base = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent

    def made(name, make):
        folder, unfinished = base / name, base / f"{name}.new"
        with (base / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not folder.exists():
                shutil.rmtree(unfinished, ignore_errors=True)
                unfinished.mkdir()
                make(unfinished)
                unfinished.rename(folder)
        return folder

    return made


#: Programs of their own beside the adapter in C, for benchmarks.
ALONE = {"floor.c", "replay.c"}
#: How the adapter in C is compiled.
STRICT = ["-std=c11", "-Wall", "-Wextra", "-Werror"]


@pytest.fixture(scope="session")
def adapter_c(once):
    """Return the compiled adapter in C."""
    sources = [one for one in (ADAPTERS / "c").glob("*.c") if one.name not in ALONE]

    def make(folder):
        command = ["cc", "-O2", *STRICT, "-o", folder / "adapter", *sources]
        subprocess.run(command, check=True, timeout=PATIENCE)

    return once("adapter-c", make) / "adapter"


@pytest.fixture(scope="session")
def adapter_java(once):
    """Return the folder of the classes of the adapter in Java."""
    sources = (ADAPTERS / "java").glob("*.java")

    def make(folder):
        command = ["javac", "-Xlint:all", "-Werror", "-d", folder, *sources]
        subprocess.run(command, check=True, timeout=PATIENCE)

    return once("adapter-java", make)


class Warm:
    """A Selo that has read the law and is asked again and again; each run is a process."""

    def __init__(self, shared):
        self._process = subprocess.Popen(
            [sys.executable, str(ROOT / "tests" / "warm.py"), str(shared)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
        )

    def start(self, given, printed, environment, folder=ROOT):
        """Start a run of Selo and return its process id; it must be finished before the next."""
        order = {
            "arguments": [str(one) for one in given],
            "environment": environment,
            "folder": str(folder),
            "stdout": str(printed[0]),
            "stderr": str(printed[1]),
        }
        self._process.stdin.write(json.dumps(order).encode() + b"\n")
        return self._number()

    def finish(self, pid):
        """Return the status of a run and its memory in KiB; fail if it hangs."""
        try:
            status = self._number()
        except TimeoutError:
            os.kill(pid, signal.SIGKILL)
            self._number()
            self._number()
            raise
        return status, self._number()

    def run(self, given, printed, environment, folder=ROOT):
        """Run Selo and return its status and its memory in KiB."""
        return self.finish(self.start(given, printed, environment, folder))

    def _number(self):
        if not select.select([self._process.stdout], [], [], PATIENCE)[0]:
            raise TimeoutError
        return int(self._process.stdout.readline())

    def close(self):
        self._process.stdin.close()
        self._process.wait(PATIENCE)
        self._process.stdout.close()


#: Commands that judge by the law of a day, which today is another for most texts that ship.
DATED = {"examine", "gate"}


def as_stored(words):
    """Return the words of a command that applies the stored text, whatever the day."""
    if words and words[0] in DATED and "--text-as-stored" not in words:
        return (words[0], "--text-as-stored", *words[1:])
    return tuple(words)


@pytest.fixture(scope="session")
def warm_selo(once):
    """Give a Selo that has read the law."""
    one = Warm(once("shared-work", lambda _: None))
    yield one
    one.close()


@pytest.fixture(scope="session")
def selo(warm_selo, tmp_path_factory):
    """Run a command as it is installed and return what it printed and its exit code."""
    printed = [tmp_path_factory.mktemp("printed") / name for name in ("stdout", "stderr")]

    def run(*arguments, cwd=ROOT, environment=None, stored=True):
        arguments = as_stored(arguments) if stored else arguments
        known = dict(os.environ) if environment is None else environment
        status, _ = warm_selo.run(arguments, printed, known, cwd)
        said = [one.read_text(encoding="utf-8") for one in printed]
        return subprocess.CompletedProcess(["selo", *arguments], status, *said)

    return run


@pytest.fixture(scope="session")
def terminal(warm_selo):
    """Run a command on a terminal of so many columns and return every character it writes."""

    def run(*arguments, columns=100, **environment):
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        said = []

        def read():
            with contextlib.suppress(OSError):
                while piece := os.read(ours, 1 << 16):
                    said.append(piece)

        thread = threading.Thread(target=read)
        thread.start()
        # The width is that of the terminal, whatever the surroundings believe.
        unsaid = {"CI", "COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR"}
        known = {name: value for name, value in os.environ.items() if name not in unsaid}
        name = os.ttyname(theirs)
        try:
            known = {**known, "TERM": "xterm-256color", **environment}
            warm_selo.run(as_stored(arguments), (name, name), known)
        finally:
            # The reader stops when nobody holds the other end any more.
            os.close(theirs)
            thread.join()
            os.close(ours)
        return b"".join(said).decode()

    return run


@pytest.fixture(scope="session")
def installed():
    """Run the installed command itself, which reads the law, and return the same."""

    def run(*arguments, cwd=ROOT):
        return subprocess.run(
            [str(Path(sys.executable).with_name("selo")), *arguments],
            capture_output=True,
            text=True,
            encoding="utf-8",
            cwd=cwd,
            check=False,
            timeout=PATIENCE,
        )

    return run
