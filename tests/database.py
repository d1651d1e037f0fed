"""A real PostgreSQL for tests: Debian's server in a folder of its own, on a socket, as nobody."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import pytest
from tests.debian import where
from tests.tools import need

#: Smaller than a table may grow, larger than a piece of the journal: stands for a full disk.
_LIMIT = f"ulimit -S -f {(2 << 20) // 512}"
PATIENCE = 60


class Server:
    """A server that listens on no network."""

    def __init__(self):
        # A path of a socket has at most 107 characters.
        self.folder = Path(tempfile.mkdtemp(prefix="selo-pg-"))
        # The server refuses to run as root.
        user = pwd.getpwnam("nobody") if os.geteuid() == 0 else None
        self._as = {} if user is None else {"user": user.pw_uid, "group": user.pw_gid}
        if user is not None:
            self._as["extra_groups"] = []
            os.chown(self.folder, user.pw_uid, user.pw_gid)
        self._process = None
        self._databases = 0
        self._run(
            "initdb", "--pgdata", self.data, "--username=selo", "--auth=trust", "--no-sync",
            "--wal-segsize=1", "--encoding=UTF8", "--no-locale",
        )  # fmt: skip

    @property
    def data(self):
        return self.folder / "data"

    def _run(self, program, *arguments):
        subprocess.run(
            [where(program), *map(str, arguments)], check=True, capture_output=True,
            cwd=self.folder, timeout=PATIENCE, **self._as,
        )  # fmt: skip

    def start(self, *, full_disk=False):
        """Start it; with a full disk no file that it writes may grow."""
        import psycopg  # noqa: PLC0415 - other tests do not need it

        self._process = subprocess.Popen(
            [
                "sh", "-c", f'{_LIMIT if full_disk else "true"}; exec "$@"', "sh",
                where("postgres"), "-D", self.data, "-k", self.folder, "-c", "listen_addresses=",
            ],
            cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **self._as,
        )  # fmt: skip
        end = time.monotonic() + PATIENCE
        while True:
            try:
                psycopg.connect(self.dsn("postgres")).close()
            except psycopg.OperationalError:
                assert time.monotonic() < end, "the server does not start"
                assert self._process.poll() is None, "the server ended"
                time.sleep(0.05)
            else:
                return self

    def stop(self, with_signal=signal.SIGINT):
        self._process.send_signal(with_signal)
        self._process.wait(PATIENCE)

    def crash(self):
        """End the server and all that it does, as a loss of power would, and start it again."""
        self.stop(signal.SIGQUIT)
        self.start()

    def fill_disk(self, *, full):
        """Let no file that the server writes from now on grow, or let them grow again."""
        self.stop()
        self.start(full_disk=full)

    def dsn(self, database):
        return f"host={self.folder} user=selo dbname={database}"

    def make_database(self):
        """Return the address of a new, empty schema: a database takes longer to make and remove."""
        import psycopg  # noqa: PLC0415 - other tests do not need it

        self._databases += 1
        name = f"registry_{self._databases}"
        with psycopg.connect(self.dsn("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA {name}")
        return f"postgresql://selo@/postgres?host={self.folder}&options=-csearch_path%3D{name}"

    def close(self):
        self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder)


@pytest.fixture(scope="session")
def postgresql():
    need("initdb")
    server = Server().start()
    yield server
    server.close()
