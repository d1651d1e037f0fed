"""A log in a database: SQLite or PostgreSQL, through SQLAlchemy.

Lines and heads are rows that are only ever added, each under its number. A writer holds the whole
log in one transaction, so a line and the head over it are there together or not at all:

1. SQLite: the transaction begins with the lock of the writer (``BEGIN IMMEDIATE``).
2. PostgreSQL: it begins with an advisory lock; readers are not kept waiting by either.
3. Should somebody write past both, two lines of one number are refused by the primary key.
"""

from __future__ import annotations

import contextlib
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from selo.registry.registry_events import MAX_LINE_BYTES, UnreadableLine
from selo.text import user_error

try:
    import sqlalchemy as sql
    from sqlalchemy.exc import ArgumentError, IntegrityError, NoSuchModuleError, SQLAlchemyError
except ModuleNotFoundError as error:  # pragma: no cover - an installation without the extra
    raise user_error("registry-extra", error=error) from error

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_SQLITE: Final = "sqlite"
_POSTGRESQL: Final = "postgresql"
_DRIVERS: Final = {_SQLITE: "sqlite", _POSTGRESQL: "postgresql+psycopg"}
#: Of the advisory lock of PostgreSQL: the letters "selo" as a number.
_LOCK: Final = 0x73656C6F
#: How long a writer waits for another one, in seconds.
_PATIENCE: Final = 60
_BATCH: Final = 1000
_METADATA: Final = sql.MetaData()
_LINES: Final = sql.Table(
    "log_line",
    _METADATA,
    sql.Column("line_number", sql.BigInteger, primary_key=True, autoincrement=False),
    sql.Column("line", sql.LargeBinary, nullable=False),
)
_HEADS: Final = sql.Table(
    "tree_head",
    _METADATA,
    sql.Column("line_number", sql.BigInteger, primary_key=True, autoincrement=False),
    sql.Column("line", sql.LargeBinary, nullable=False),
)


class DatabaseStorage:
    """A log in a database, named by its address: ``sqlite:///log.db``, ``postgresql:///registry``.

    A path of SQLite is relative to the folder of the registry. Passwords stand in no address:
    PostgreSQL has files and variables of its own for them.
    """

    def __init__(self, address: str, folder: Path) -> None:
        self.address = address
        self._engine = _open_engine(address, folder)
        url = self._engine.url
        #: The file of SQLite.
        self._file = Path(url.database or "") if url.drivername == _SQLITE else None
        #: The connection of the writer that this thread is.
        self._writing = threading.local()

    def lines(self) -> Iterator[bytes]:
        """Yield the lines of the log, in the order of their numbers."""
        return self._read(_LINES)

    def heads(self) -> Iterator[bytes]:
        """Yield the heads, oldest first."""
        return self._read(_HEADS)

    def last_head(self) -> bytes | None:
        """Return the newest head."""
        with self._wrapped("registry-read"), self._connected() as connection:
            if connection is None or not sql.inspect(connection).has_table(_HEADS.name):
                return None
            newest = sql.select(_bytes_of(_HEADS)).order_by(_HEADS.c.line_number.desc()).limit(1)
            raw = connection.execute(newest).scalar()
        return None if raw is None else bytes(raw)

    @contextlib.contextmanager
    def exclusive(self) -> Iterator[None]:
        """Keep other writers out until the end of the block; what fails leaves nothing behind."""
        with self._wrapped("registry-write"), self._engine.connect() as connection:
            # Tables are made inside of the transaction, too: whoever comes first makes them.
            if connection.dialect.name == _SQLITE:
                connection.exec_driver_sql("BEGIN IMMEDIATE")  # 1
            else:
                lock = sql.text("SELECT pg_advisory_xact_lock(:lock)")
                connection.execute(sql.text(f"SET LOCAL lock_timeout = '{_PATIENCE}s'"))
                connection.execute(lock, {"lock": _LOCK})  # 2
                # Whatever the server is set to: what is acknowledged is on its disk.
                connection.execute(sql.text("SET LOCAL synchronous_commit = on"))
            self._writing.connection = connection
            try:
                _METADATA.create_all(connection)
                yield
                connection.commit()
            except BaseException:
                connection.rollback()
                raise
            finally:
                self._writing.connection = None

    def append(self, number: int, line: bytes) -> None:
        """Add line `number`; whatever goes wrong, the log is as before."""
        self.extend(number, [line])

    def extend(self, number: int, lines: Sequence[bytes]) -> None:
        """Add lines from `number` on, all or none."""
        self._insert(_LINES, number, lines)

    def append_head(self, line: bytes) -> None:
        """Add a head."""
        self.extend_heads([line])

    def extend_heads(self, lines: Sequence[bytes]) -> None:
        """Add heads, all or none."""
        self._insert(_HEADS, None, lines)

    def _insert(self, table: sql.Table, number: int | None, lines: Sequence[bytes]) -> None:
        with contextlib.ExitStack() as stack:
            if self._writer() is None:
                stack.enter_context(self.exclusive())
            connection = self._writer()
            assert connection is not None  # noqa: S101 - entered above
            stack.enter_context(self._wrapped("registry-write"))
            last = connection.execute(sql.select(sql.func.max(table.c.line_number))).scalar()
            free = 0 if last is None else last + 1
            if number is not None and number != free:
                raise user_error("registry-moved", where=self.address, number=number, size=free)
            rows = [{"line_number": free + at, "line": line} for at, line in enumerate(lines)]
            if rows:
                connection.execute(sql.insert(table), rows)

    def _read(self, table: sql.Table) -> Iterator[bytes]:
        """Yield rows in batches by key: memory is bounded, and no writer waits for a slow reader.

        Rows are only ever added, so batches that were read at several moments belong together.
        """
        with self._wrapped("registry-read"), self._connected() as connection:
            if connection is None or not sql.inspect(connection).has_table(table.name):
                return
            after = -1
            while True:
                wanted = (
                    sql.select(table.c.line_number, _bytes_of(table))
                    .where(table.c.line_number > after)
                    .order_by(table.c.line_number)
                    .limit(_BATCH)
                )
                rows = connection.execute(wanted).all()
                for _, line in rows:
                    if len(line) > MAX_LINE_BYTES:
                        raise UnreadableLine(f"a line longer than {MAX_LINE_BYTES} bytes")
                    yield bytes(line)
                if len(rows) < _BATCH:
                    return
                after = rows[-1][0]

    def _writer(self) -> sql.Connection | None:
        return getattr(self._writing, "connection", None)

    @contextlib.contextmanager
    def _connected(self) -> Iterator[sql.Connection | None]:
        """Give the connection of the writer that this thread is, or one to read with.

        Nothing where there is no file: whoever only reads makes none.
        """
        writer = self._writer()
        if writer is not None:
            yield writer
            return
        if self._file is not None and not self._file.exists():
            yield None
            return
        with self._engine.connect() as connection:
            yield connection

    @contextlib.contextmanager
    def _wrapped(self, key: str) -> Iterator[None]:
        try:
            yield
        except IntegrityError as error:
            raise user_error("registry-moved", where=self.address, number="–", size="–") from error
        except SQLAlchemyError as error:
            reason = getattr(error, "orig", None) or error
            raise user_error(key, where=self.address, error=str(reason).strip()) from error


def _bytes_of(table: sql.Table) -> sql.ColumnElement[bytes]:
    """Return the column of lines as bytes: SQLite keeps whatever somebody puts into it."""
    return sql.func.coalesce(sql.cast(table.c.line, sql.LargeBinary), b"")


def _open_engine(address: str, folder: Path) -> sql.Engine:
    try:
        url = sql.make_url(address)
    except ArgumentError as error:
        raise user_error("registry-address", where=address) from error
    if url.drivername not in _DRIVERS:
        raise user_error("registry-address", where=address)
    if url.password is not None:
        raise user_error("registry-password", where=url.render_as_string())
    url = url.set(drivername=_DRIVERS[url.drivername])
    options: dict[str, Any] = {"poolclass": sql.NullPool}
    if url.drivername == _SQLITE:
        if not url.database or url.database == ":memory:":
            raise user_error("registry-address", where=address)
        url = url.set(database=str(folder / url.database))
        options["connect_args"] = {"timeout": _PATIENCE}
    try:
        engine = sql.create_engine(url, **options)
    except (NoSuchModuleError, ModuleNotFoundError) as error:
        raise user_error("registry-extra", error=error) from error
    if url.drivername == _SQLITE:
        sql.event.listen(engine, "connect", _prepare_sqlite)
    return engine


def _prepare_sqlite(connection: Any, _record: object) -> None:
    """Leave transactions to us, and have every commit reach the disk."""
    connection.isolation_level = None
    connection.execute("PRAGMA synchronous = FULL")
