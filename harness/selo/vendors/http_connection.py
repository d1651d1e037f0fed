"""One connection to an HTTP server: posts a line and reads the body of the answer.

Answers are parsed by the standard library on a stream of our own, which records the raw bytes,
limits their number, and detects bytes after the end of an answer.
"""

from __future__ import annotations

import contextlib
import http.client
import io
import socket
import ssl
from typing import TYPE_CHECKING, Final, cast

from selo.vendors.faults import MAX_KEPT_BYTES, AdapterFault, FaultKind, VendorBroken, vendor_broken

if TYPE_CHECKING:
    from urllib.parse import SplitResult

    from _typeshed import WriteableBuffer

    from selo.vendors.resource_limits import Limits

_CHUNK_BYTES: Final = 1 << 16
_REDIRECTS: Final = range(300, 400)
_PORTS: Final = {"http": 80, "https": 443}
#: Time to read the body of an answer that is refused for its head.
_REFUSED_BODY_SECONDS: Final = 0.2
#: First bytes of a TLS server's reply to a plain request.
_TLS_ALERT: Final = b"\x15\x03"


#: Marks requests that change a table; only these must not be repeated.
_TABLE_METHOD: Final = b'"method":"table.'


class _ConnectionDropped(Exception):
    """The connection ended before any byte of an answer."""


class HttpConnection:
    """One connection to a server, kept alive as long as the server allows."""

    def __init__(self, address: SplitResult, limits: Limits) -> None:
        self._address = address
        self._limits = limits
        self._socket: socket.socket | None = None
        self._stream: _AnswerStream | None = None
        self._stopped = False
        #: False once the server has dropped a kept connection.
        self._keeps_alive = True

    def exchange(self, line: bytes) -> bytes:
        """Post a line and return the body of the answer."""
        if self._stream is not None and self._socket is not None:
            self._refuse_surplus(self._stream, self._socket)
            if self._stream.ended:
                self.close()
        kept = self._stream is not None
        try:
            return self._attempt(line)
        except _ConnectionDropped as error:
            because = str(error)
        if kept and _TABLE_METHOD not in line:
            # A server may close a kept connection just as the next request arrives. From then on
            # each request gets its own connection. A request that changes a table is never
            # repeated: the server may have processed it.
            self.close()
            self._keeps_alive = False
            try:
                return self._attempt(line)
            except _ConnectionDropped as error:
                because = str(error)
        raise vendor_broken(FaultKind.HTTP_BROKEN, because=because)

    def received_bytes(self) -> bytes:
        """Return the first bytes of the answer being received."""
        return b"" if self._stream is None else bytes(self._stream.seen)

    def stop(self) -> None:
        """Wake the thread that waits for this connection."""
        self._stopped = True
        if self._socket is not None:
            # Closing alone does not wake a reading thread.
            with contextlib.suppress(OSError):
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)

    def close(self) -> None:
        """Close the connection; the next request opens another."""
        self._stream = None
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _attempt(self, line: bytes) -> bytes:
        stream, connected = self._stream, self._socket
        if stream is None or connected is None:
            connected = self._connect()
            stream = self._stream = _AnswerStream(_SocketReader(connected, self._limits.line))
        stream.begin()
        try:
            # A server may stop reading early and still answer.
            with contextlib.suppress(BrokenPipeError, ConnectionResetError, ssl.SSLEOFError):
                connected.sendall(self._head(len(line)) + line)
            # HTTPResponse only calls makefile() on its socket.
            response = http.client.HTTPResponse(cast("socket.socket", stream), method="POST")
            response.begin()
            self._check_head(response, stream, connected)
            body = _read_body(response, stream)
        except TimeoutError as error:
            raise stream.broken(FaultKind.LATE, seconds=f"{connected.gettimeout():g}") from error
        except ssl.SSLError as error:
            raise stream.broken(FaultKind.TLS, because=_error_text(error)) from error
        except (OSError, http.client.HTTPException, ValueError) as error:
            if stream.seen.startswith(_TLS_ALERT):
                raise stream.broken(FaultKind.TLS, because="the server wants https") from error
            if not stream.seen:
                raise _ConnectionDropped(_error_text(error)) from error
            raise stream.broken(FaultKind.HTTP_BROKEN, because=_error_text(error)) from error
        self._refuse_surplus(stream, connected)
        if response.will_close or stream.ended or not self._keeps_alive:
            self.close()
        return body

    def _connect(self) -> socket.socket:
        address = self._address
        host, port = address.hostname or "", address.port or _PORTS[address.scheme]
        wait = self._limits.start + self._limits.request
        try:
            connected = socket.create_connection((host, port), timeout=wait)
        except OSError as error:
            raise vendor_broken(
                FaultKind.UNREACHABLE, address=address.geturl(), because=error
            ) from error
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket = connected
        if address.scheme == "https":
            self._socket = connected = ssl.create_default_context().wrap_socket(
                connected, server_hostname=host, do_handshake_on_connect=False
            )
        if self._stopped:
            raise vendor_broken(
                FaultKind.UNREACHABLE, address=address.geturl(), because="it is over"
            )
        try:
            if isinstance(connected, ssl.SSLSocket):
                connected.do_handshake()
        except OSError as error:
            raise vendor_broken(FaultKind.TLS, because=_error_text(error)) from error
        return connected

    def _head(self, size: int) -> bytes:
        address = self._address
        target = (address.path or "/") + (f"?{address.query}" if address.query else "")
        lines = [
            f"POST {target} HTTP/1.1",
            f"Host: {address.netloc}",
            "Content-Type: application/json",
            "Accept: application/json",
            "Accept-Encoding: identity",
            f"Content-Length: {size}",
            *([] if self._keeps_alive else ["Connection: close"]),
        ]
        return ("\r\n".join(lines) + "\r\n\r\n").encode("ascii")

    def _check_head(
        self, response: http.client.HTTPResponse, stream: _AnswerStream, connected: socket.socket
    ) -> None:
        """Raise for an unacceptable head, with the part of the body already received."""
        kind = response.getheader("Content-Type") or ""
        encoding = response.getheader("Content-Encoding") or "identity"
        wrong: tuple[FaultKind, dict[str, object]] | None = None
        if response.status in _REDIRECTS:
            where = response.getheader("Location") or "?"
            wrong = FaultKind.HTTP_REDIRECT, {"status": response.status, "address": where}
        elif response.status != http.client.OK:
            wrong = FaultKind.HTTP_STATUS, {"status": response.status}
        elif encoding.strip().lower() != "identity":
            because = f"its Content-Encoding is “{encoding}”, which was not asked for"
            wrong = FaultKind.HTTP_BROKEN, {"because": because}
        elif problem := _length_problem(response):
            wrong = FaultKind.HTTP_BROKEN, {"because": problem}
        elif kind.partition(";")[0].strip().lower() != "application/json":
            wrong = FaultKind.HTTP_TYPE, {"type": kind}
        if wrong is not None:
            connected.settimeout(_REFUSED_BODY_SECONDS)
            with contextlib.suppress(OSError, http.client.HTTPException, ValueError):
                response.read1(MAX_KEPT_BYTES)
            raise stream.broken(wrong[0], **wrong[1])

    @staticmethod
    def _refuse_surplus(stream: _AnswerStream, connected: socket.socket) -> None:
        """Raise if bytes follow the end of an answer, without waiting for them."""
        wait = connected.gettimeout()
        connected.settimeout(0)
        # A reset connection has no further data.
        with contextlib.suppress(OSError):
            if stream.peek(1):
                because = "more came after the end of the answer"
                raise stream.broken(FaultKind.HTTP_BROKEN, because=because)
        connected.settimeout(wait)


class _SocketReader(io.RawIOBase):
    """Reads a socket, keeps the first bytes as evidence and limits their number."""

    def __init__(self, connected: socket.socket, most: int) -> None:
        self._socket = connected
        self._most = most
        self.seen = bytearray()
        self.size = 0
        self.ended = False

    def readable(self) -> bool:
        """Return true: the stream is readable."""
        return True

    def readinto(self, buffer: WriteableBuffer) -> int | None:
        """Read available bytes into `buffer`."""
        try:
            size = self._socket.recv_into(buffer)
        except (BlockingIOError, ssl.SSLWantReadError):
            return None
        self.ended = self.ended or not size
        self.size += size
        self.seen += memoryview(buffer)[: min(size, MAX_KEPT_BYTES - len(self.seen))]
        if self.size > self._most:
            raise self.broken(FaultKind.LINE_TOO_LONG, size=self._most)
        return size

    def broken(self, kind: FaultKind, **slots: object) -> VendorBroken:
        """Return a fault with the first bytes of the answer, including its head."""
        texts = {name: str(value) for name, value in slots.items()}
        seen = bytes(self.seen)
        return VendorBroken(AdapterFault(kind=kind, slots=texts, raw=seen, raw_length=self.size))


class _AnswerStream(io.BufferedReader):
    """One buffered file for all answers of a connection, so that no byte between them is lost."""

    def __init__(self, raw: _SocketReader) -> None:
        super().__init__(raw, _CHUNK_BYTES)
        self._raw_reader = raw
        self.broken = raw.broken

    def begin(self) -> None:
        """Reset the counters for the next answer."""
        self._raw_reader.seen.clear()
        self._raw_reader.size = 0

    @property
    def seen(self) -> bytearray:
        """The first bytes of this answer."""
        return self._raw_reader.seen

    @property
    def ended(self) -> bool:
        """Whether the server has closed its side."""
        return self._raw_reader.ended

    def makefile(self, _: str) -> _AnswerStream:
        """Return itself: HTTPResponse takes the stream for a socket."""
        return self

    def close(self) -> None:
        """Stay open: HTTPResponse would close the stream after each answer."""


def _length_problem(response: http.client.HTTPResponse) -> str | None:
    """Return why the length of a body is ambiguous or invalid, or None."""
    lengths = set(response.headers.get_all("Content-Length", []))
    coding = response.headers.get_all("Transfer-Encoding", [])
    if len(lengths) + len(coding) > 1:
        return f"its length is told in two ways: {', '.join(sorted(lengths) + coding)}"
    if any(not (length.isascii() and length.isdigit()) for length in lengths):
        return f"its Content-Length is “{lengths.pop()}”"
    if any(name.lower() != "chunked" for name in coding):
        return f"its Transfer-Encoding is “{coding[0]}”"
    return None


def _read_body(response: http.client.HTTPResponse, stream: _AnswerStream) -> bytes:
    body = bytearray()
    while part := response.read1(_CHUNK_BYTES):
        body += part
    if response.length:
        because = f"{len(body)} of {len(body) + response.length} bytes came"
        raise stream.broken(FaultKind.HTTP_BROKEN, because=because)
    return bytes(body)


def _error_text(error: Exception) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return error.verify_message
    if isinstance(error, http.client.IncompleteRead):
        return f"it broke off after {len(error.partial)} bytes of a chunk"
    return str(error) or type(error).__name__
