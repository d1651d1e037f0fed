"""Transport to a Python object in our own process: fast, without isolation.

Requests and answers are encoded as JSON and decoded again, so that the object behaves exactly like
an adapter in another process and cannot change our data.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import json
import re
import sys
import traceback
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.protocol import messages as m
from selo.vendors.faults import MAX_KEPT_BYTES, AdapterFault, FaultKind, vendor_broken

if TYPE_CHECKING:
    from selo.vendors.sandbox import Confinement

_ADDRESS: Final = re.compile(r"(?P<module>[\w./-]+\.py|[A-Za-z_][\w.]*):(?P<object>[A-Za-z_]\w*)")


def is_object_address(address: str) -> bool:
    """Return whether `address` names an object, as ``module:object`` or ``file.py:object``."""
    return _ADDRESS.fullmatch(address) is not None


class InProcessTransport:
    """An object with one method for each method of the protocol."""

    window = 1
    confinement: Confinement | None = None

    def __init__(self, address: str, folder: Path | None = None, given: Any = None) -> None:
        self.name = address
        self._object = given
        if given is None:
            # Standard output carries our own results; the vendor's prints go to standard error.
            with contextlib.redirect_stdout(sys.stderr):
                self._object = _load_object(address, folder or Path.cwd())
        self._lines: deque[bytes] = deque()
        self._errors = bytearray()

    def send(self, line: bytes) -> None:
        """Queue a line until its answer is received."""
        self._lines.append(line)

    def receive(self, seconds: float) -> bytes:
        """Let the object answer the next line; no time limit can be enforced."""
        del seconds
        message = msgspec.json.decode(self._lines.popleft())
        with contextlib.redirect_stdout(sys.stderr):
            if isinstance(message, list):
                return b"[" + b",".join(map(self._answer, message)) + b"]"
            return self._answer(message)

    def _answer(self, request: dict[str, Any]) -> bytes:
        """Return one answer, encoded at once because the object may change it later."""
        answer = {"jsonrpc": "2.0", "id": request["id"]}
        method = getattr(self._object, request["method"].replace(".", "_"), None)
        if method is None:
            return _encode_answer(
                {**answer, "error": {"code": m.NO_METHOD, "message": "no such method"}}
            )
        try:
            result = method(request["params"])
        except Exception as error:  # noqa: BLE001 - whatever a vendor raises is its answer
            return _encode_answer({**answer, "error": self._refusal(error)})
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            # SystemExit would end Selo; in a process of its own it ends the vendor.
            status = error.code or 0 if isinstance(error, SystemExit) else _error_name(error)
            raise vendor_broken(FaultKind.DIED, status=status) from error
        return _encode_answer({**answer, "result": result})

    def _refusal(self, error: Exception) -> dict[str, Any]:
        code = getattr(error, "code", None)
        if type(code) is not int:
            code = m.INTERNAL
            self._errors += "".join(traceback.format_exception(error)).encode(errors="replace")
            del self._errors[:-MAX_KEPT_BYTES]
        return {"code": code, "message": _error_text(error)}

    def stderr(self) -> bytes:
        """Return the tracebacks of unexpected exceptions of the object."""
        return bytes(self._errors)

    def end(self) -> list[AdapterFault]:
        """Do nothing: the object lives as long as this process."""
        return []

    def kill(self) -> None:
        """Do nothing: the object lives as long as this process."""


def _encode_answer(answer: Any) -> bytes:
    """Return an answer as JSON, refusing values that JSON lacks: sets, decimals, NaN."""
    try:
        return json.dumps(answer, allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise vendor_broken(FaultKind.NOT_JSON, problem=_error_text(error)) from error


def _error_text(error: BaseException) -> str:
    try:
        return str(error) or _error_name(error)
    except Exception:  # noqa: BLE001 - not even what it raises can be trusted
        return _error_name(error)


def _error_name(error: BaseException) -> str:
    return type(error).__name__


def _load_object(address: str, folder: Path) -> Any:
    parts = _ADDRESS.fullmatch(address)
    if parts is None:
        raise vendor_broken(FaultKind.NO_SUCH_OBJECT, object=address, because="not module:object")
    try:
        vendor = getattr(_load_module(parts["module"], folder), parts["object"])
        return vendor() if isinstance(vendor, type) else vendor
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        because = f"{_error_name(error)}: {_error_text(error)}"
        raise vendor_broken(FaultKind.NO_SUCH_OBJECT, object=address, because=because) from error


def _load_module(name: str, folder: Path) -> Any:
    if not name.endswith(".py"):
        if str(folder) not in sys.path:
            sys.path.insert(0, str(folder))
        return importlib.import_module(name)
    path = (folder / name).resolve()
    spec = importlib.util.spec_from_file_location(f"selo_vendor_{path.stem}", path)
    if spec is None or spec.loader is None:
        msg = f"{path} cannot be loaded"
        raise ImportError(msg)
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(path.parent))
    # Dataclasses and pickle look up their module by name.
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
